package dev.clew.cli.session;

import dev.clew.Opening;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.PhasedProgress;
import dev.clew.copy.OwnerWalk;
import dev.clew.copy.SessionWalk;
import dev.clew.json.JsonObject;
import dev.clew.retention.Retention;
import dev.clew.retention.RetentionPolicy;
import dev.clew.spi.Compression;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew sessions decompress}: undoes what a policy did. Used once, by one thread. */
@Command(
    name = "decompress",
    description = {
      "Stores compressed sessions uncompressed again.",
      "Other programs that use the same files can then read them again. If "
          + "interrupted, run it again to continue where it stopped."
    },
    footer = {
      "",
      "Examples:",
      "  clew sessions decompress trip",
      "  clew sessions decompress --all"
    })
final class SessionsDecompressCommand extends StoreAction {
  @Parameters(paramLabel = "ID", arity = "0..*", description = "The sessions.")
  List<String> ids = List.of();

  @Option(names = "--all", description = "All sessions, of all owners.")
  boolean all;

  SessionsDecompressCommand(Clew clew) {
    super(clew, Opening.WRITE);
  }

  @Override
  protected void beforeOpening() {
    if (ids.isEmpty() && !all) {
      throw Failure.usage("name sessions, or use --all");
    }
    if (all && !ids.isEmpty()) {
      throw Failure.usage("name sessions or use --all, not both");
    }
  }

  @Override
  protected int run(SessionStore store) {
    List<SessionKey> keys = all ? everything(store) : named(store);
    PhasedProgress progress = new PhasedProgress(clew().surroundings());
    List<SessionKey> done = new ArrayList<>();
    try {
      for (int i = 0; i < keys.size(); i++) {
        if (Compression.of(store).decompress(keys.get(i))) {
          done.add(keys.get(i));
        }
        progress.at("decompressing", "sessions", i + 1L, keys.size());
      }
    } finally {
      progress.clear();
    }
    report(done);
    for (RetentionPolicy policy : Retention.of(store).policies()) {
      if (policy.action() == RetentionPolicy.Action.COMPRESS) {
        clew().note("policy " + policy.name() + " compresses again what it is about");
      }
    }
    return ExitCode.OK;
  }

  private List<SessionKey> named(SessionStore store) {
    List<SessionKey> keys = new ArrayList<>();
    for (String id : new LinkedHashSet<>(ids)) {
      SessionKey key = clew().key(id);
      if (store.session(key).info().isEmpty()) {
        throw clew().noSession(key);
      }
      keys.add(key);
    }
    return keys;
  }

  private static List<SessionKey> everything(SessionStore store) {
    List<SessionKey> keys = new ArrayList<>();
    OwnerWalk.forEach(
        store,
        owner ->
            new SessionWalk(store, owner, Optional.empty()).forEach(info -> keys.add(info.key())));
    return keys;
  }

  private void report(List<SessionKey> done) {
    if (clew().json) {
      clew()
          .out()
          .line(
              new JsonObject()
                  .putAll(
                      "decompressed",
                      done.stream()
                          .map(
                              key -> new JsonObject().put("id", key.id()).put("owner", key.owner()))
                          .toList())
                  .toString());
      return;
    }
    clew().out().line("decompressed " + Humanize.count(done.size(), "session"));
  }
}
