package dev.clew.cli.transfer;

import dev.clew.ClewException;
import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.cli.command.Action;
import dev.clew.cli.command.PointInTime;
import dev.clew.cli.command.StoreKeys;
import dev.clew.cli.command.StoreLocation;
import dev.clew.cli.terminal.Failure;
import dev.clew.decorate.RetryingStore;
import dev.clew.json.JsonObject;
import dev.clew.migrate.Migration;
import dev.clew.retention.HoldingStore;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code clew migrate}: copies sessions to another store. Used once, by one thread. */
@Command(name = "migrate", customSynopsis = "clew migrate --from=URL --to=URL [OPTIONS]")
public final class MigrateCommand extends Action {

  @Option(names = "--from", paramLabel = "URL", required = true)
  String from = "";

  @Option(names = "--to", paramLabel = "URL", required = true)
  String to = "";

  @Option(names = "--from-key", paramLabel = "SOURCE")
  @Nullable String fromKey;

  @Option(names = "--to-key", paramLabel = "SOURCE")
  @Nullable String toKey;

  @Option(names = "--since", paramLabel = "TIME")
  @Nullable String since;

  @Option(names = "--dry-run")
  boolean dryRun;

  @Override
  protected int run() {
    if (clew.isTyped("--store", clew.store)) {
      throw Failure.usage("migrate has --from and --to instead of --store");
    }
    if (clew.isTyped("--key", clew.key)) {
      throw Failure.usage("migrate has --from-key and --to-key instead of --key");
    }
    if (from.equals(to)) {
      throw Failure.usage("--from and --to are the same store");
    }
    Optional<Instant> start =
        Optional.ofNullable(since).map(time -> PointInTime.parse("--since", time, Instant.now()));
    try (SessionStore source = source()) {
      clew.requireOwner(source, StoreLocation.forDisplay(from));
      return copy(source, start);
    }
  }

  private int copy(SessionStore source, Optional<Instant> start) {
    try (SessionStore target = target()) {
      Migration migration = Migration.of(source, target);
      migration = clew.namedOwner().map(migration::owner).orElse(migration);
      if (start.isPresent()) {
        migration = migration.since(start.get());
      }
      JsonObject about =
          new JsonObject()
              .put("from", StoreLocation.forDisplay(from))
              .put("to", StoreLocation.forDisplay(to));
      return new CopyRunner(clew, dryRun, "copied and compared").run(migration, about);
    }
  }

  private SessionStore source() {
    try {
      return open(from, fromKey, "--from", Opening.READ);
    } catch (ClewException.NoSuchStore e) {
      // The error of the store advises to create it.
      throw Failure.notFound(
              "there is no store at " + StoreLocation.forDisplay(from) + "; check --from")
          .in("--from");
    }
  }

  private SessionStore target() {
    try {
      return open(to, toKey, "--to", dryRun ? Opening.READ : Opening.CREATE);
    } catch (ClewException.NoSuchStore e) {
      return clew.nothing(); // which a dry run leaves as it is
    }
  }

  private SessionStore open(String url, @Nullable String key, String option, Opening opening) {
    return new RetryingStore(
        new HoldingStore(
            StoreKeys.open(
                () -> clew.judging(option, url, it -> clew.open(it, opening)),
                Optional.ofNullable(key),
                option + "-key")));
  }
}
