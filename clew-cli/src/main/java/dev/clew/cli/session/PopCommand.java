package dev.clew.cli.session;

import dev.clew.Entry;
import dev.clew.Opening;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.Consent;
import dev.clew.cli.command.JsonFields;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Transcript;
import dev.clew.json.JsonObject;
import dev.clew.kit.MadeTitles;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code clew pop}: removes the newest item of a session. Used once, by one thread. */
@Command(
    name = "pop",
    description = "Removes the newest item of a session and prints it.",
    footer = {
      "",
      "Examples:",
      "  clew pop trip",
      "  clew pop trip --yes --json",
      "",
      "'clew undo' removes the whole last turn."
    })
public final class PopCommand extends StoreAction {
  @Parameters(paramLabel = "ID", description = "The session.")
  String id = "";

  @Mixin Consent consent = new Consent();

  public PopCommand(Clew clew) {
    super(clew, Opening.WRITE);
  }

  @Override
  protected void beforeOpening() {
    consent.requireYesOrTerminal(clew(), "removing an item");
  }

  @Override
  protected int run(SessionStore store) {
    StoredSession session = store.session(clew().key(id));
    SessionInfo info = clew().existing(session);
    if (consent.mustAsk()) {
      List<Entry> newest = session.entries(Range.latest(1)).entries();
      if (newest.isEmpty()) {
        throw nothingLeft(session);
      }
      consent.ask(
          clew(),
          String.format(
              "Remove the newest item of session %s (%s)?",
              session.key(), Transcript.preview(newest.get(0).item(), 60)));
      Consent.requireUnchanged(session, info);
    }
    Entry gone = store.session(session.key()).removeLast().orElseThrow(() -> nothingLeft(session));
    MadeTitles.removeIfEmpty(session);
    if (clew().json) {
      clew()
          .out()
          .line(
              new JsonObject()
                  .put("id", session.id())
                  .put("owner", session.key().owner())
                  .put("removed", JsonFields.entry(gone))
                  .toString());
    } else {
      clew().out().line("removed from session " + session.key() + ":");
      new Transcript(clew().out(), clew().paint(), clew().width(), true, false).add(gone);
    }
    return ExitCode.OK;
  }

  private static Failure nothingLeft(StoredSession session) {
    return Failure.notFound("session " + session.key() + " has no items; nothing was removed");
  }
}
