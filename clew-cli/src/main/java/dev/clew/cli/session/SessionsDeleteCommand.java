package dev.clew.cli.session;

import dev.clew.Opening;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.Consent;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Humanize;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code clew sessions delete}: removes whole sessions. Used once, by one thread. */
@Command(
    name = "delete",
    description = "Deletes sessions with everything in them.",
    footer = {
      "",
      "Examples:",
      "  clew sessions delete trip",
      "  clew sessions delete trip trip-by-train --yes"
    })
final class SessionsDeleteCommand extends StoreAction {
  @Parameters(paramLabel = "ID", arity = "1..*", description = "The sessions.")
  List<String> ids = List.of();

  @Mixin Consent consent = new Consent();

  SessionsDeleteCommand(Clew clew) {
    super(clew, Opening.WRITE);
  }

  @Override
  protected void beforeOpening() {
    consent.requireYesOrTerminal(clew(), "deleting a session");
  }

  @Override
  protected int run(SessionStore store) {
    List<SessionInfo> there = new ArrayList<>();
    List<SessionKey> missing = new ArrayList<>();
    for (String id : new LinkedHashSet<>(ids)) {
      SessionKey key = clew().key(id);
      store.session(key).info().ifPresentOrElse(there::add, () -> missing.add(key));
    }
    if (consent.mustAsk() && !there.isEmpty()) {
      consent.ask(clew(), question(there));
    }
    List<String> deleted = new ArrayList<>();
    for (SessionInfo info : there) {
      if (store.session(info.key()).delete()) {
        deleted.add(info.key().id());
      } else {
        missing.add(info.key());
      }
    }
    report(deleted, missing);
    if (!missing.isEmpty()) {
      throw clew().noSession(missing.get(0));
    }
    return ExitCode.OK;
  }

  private static String question(List<SessionInfo> there) {
    return there.stream()
        .map(info -> info.key() + " (" + Humanize.count(info.itemCount(), "item") + ")")
        .collect(Collectors.joining(", ", "Delete ", "?"));
  }

  private void report(List<String> deleted, List<SessionKey> missing) {
    if (clew().json) {
      clew()
          .out()
          .line(
              new JsonObject()
                  .put("owner", clew().owner())
                  .put("deleted", deleted)
                  .put("missing", missing.stream().map(SessionKey::id).toList())
                  .toString());
    } else {
      deleted.forEach(id -> clew().out().line("deleted " + clew().key(id)));
    }
  }
}
