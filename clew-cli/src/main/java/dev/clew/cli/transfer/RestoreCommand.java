package dev.clew.cli.transfer;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.backup.BackupStore;
import dev.clew.cli.command.Action;
import dev.clew.cli.command.Consent;
import dev.clew.cli.command.StoreKeys;
import dev.clew.cli.command.StoreLocation;
import dev.clew.cli.terminal.Failure;
import dev.clew.decorate.RetryingStore;
import dev.clew.json.JsonObject;
import dev.clew.migrate.Migration;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code clew restore}: reads a backup back into any store. Used once, by one thread. */
@Command(name = "restore", customSynopsis = "clew restore --from=PATH [OPTIONS]")
public final class RestoreCommand extends Action {

  @Option(names = "--from", paramLabel = "PATH", required = true)
  String from = "";

  @Option(names = "--session", paramLabel = "ID")
  @Nullable String session;

  @Option(names = "--from-key", paramLabel = "SOURCE")
  @Nullable String fromKey;

  @Option(names = "--dry-run")
  boolean dryRun;

  @Mixin Consent consent = new Consent();

  @Override
  protected int run() {
    Path file = clew.judging("--from", from, BackupCommand::newest);
    try (BackupStore backup = BackupStore.open(file)) {
      BackupCommand.compare(clew, backup);
      Optional<String> keys = Optional.ofNullable(fromKey).or(clew::keySpec);
      if (!backup.head().encrypted()) {
        return restore(file, backup);
      }
      if (keys.isEmpty()) {
        throw Failure.failed(
            "this backup is encrypted; name the keys of its store: --key file:PATH, or --from-key"
                + " file:PATH if the store to write has others or none");
      }
      return restore(file, StoreKeys.open(() -> backup, keys, "--from-key"));
    }
  }

  private int restore(Path file, SessionStore backup) {
    if (session != null
        && backup.session(clew.judging("--session", session, clew::key)).info().isEmpty()) {
      throw Failure.notFound("no session " + clew.key(session) + " in " + file);
    }
    if (session == null) {
      clew.requireOwner(backup, file.toString());
    }
    try (SessionStore store = new RetryingStore(open())) {
      askIfUsed(store);
      Migration migration = Migration.of(backup, store);
      if (session != null) {
        migration = migration.session(clew.key(session));
      } else {
        migration = clew.namedOwner().map(migration::owner).orElse(migration);
      }
      JsonObject about =
          new JsonObject()
              .put("from", file.toString())
              .put("to", StoreLocation.forDisplay(clew.storeUrl()));
      return new CopyRunner(clew, dryRun, "restored and compared").run(migration, about);
    }
  }

  private SessionStore open() {
    return dryRun ? clew.openToTry() : clew.openStore(Opening.CREATE);
  }

  private void askIfUsed(SessionStore store) {
    Optional<String> owner = store.owners(Optional.empty(), 1).stream().findFirst();
    if (!dryRun && owner.isPresent()) {
      consent.requireYesOrTerminal(clew, "the store is not empty", "restore into it");
      consent.ask(clew, "The store is not empty. Restore into it? Nothing there is overwritten.");
    }
  }
}
