package dev.clew.cli.session;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Opening;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Window;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.Consent;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Transcript;
import dev.clew.json.JsonObject;
import dev.clew.kit.MadeTitles;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code clew undo}: removes the last turn of a session. Used once, by one thread. */
@Command(
    name = "undo",
    description = {
      "Removes the last turn of a session and prints it.",
      "A turn is a user message and everything after it. It is removed in one step."
    },
    footer = {
      "",
      "Examples:",
      "  clew undo trip",
      "  clew undo trip --yes --json",
      "",
      "'clew pop' removes a single item."
    })
public final class UndoCommand extends StoreAction {
  private static final int PAGE = 64;

  @Parameters(paramLabel = "ID", description = "The session.")
  String id = "";

  @Mixin Consent consent = new Consent();

  public UndoCommand(Clew clew) {
    super(clew, Opening.WRITE);
  }

  @Override
  protected void beforeOpening() {
    consent.requireYesOrTerminal(clew(), "removing a turn");
  }

  @Override
  protected int run(SessionStore store) {
    StoredSession session = store.session(clew().key(id));
    SessionInfo info = clew().existing(session);
    if (consent.mustAsk()) {
      consent.ask(clew(), question(session));
      Consent.requireUnchanged(session, info);
    }
    List<Item> turn = session.undoTurn();
    MadeTitles.removeIfEmpty(session);
    if (turn.isEmpty()) {
      throw nothingLeft(session);
    }
    if (clew().json) {
      clew()
          .out()
          .line(
              new JsonObject()
                  .put("id", session.id())
                  .put("owner", session.key().owner())
                  .raw("removed", turn.stream().map(Item::json).toList().toString())
                  .toString());
    } else {
      clew()
          .out()
          .line(
              "removed the last turn, "
                  + Humanize.count(turn.size(), "item")
                  + ", from session "
                  + session.key()
                  + ":");
      Transcript transcript =
          new Transcript(clew().out(), clew().paint(), clew().width(), false, false);
      turn.forEach(transcript::add);
    }
    return ExitCode.OK;
  }

  /** Says how many items go and what the turn begins with. */
  private static String question(StoredSession session) {
    int count = 0;
    Range range = Range.latest(PAGE);
    while (true) {
      EntryPage page = session.entries(range);
      List<Entry> entries = page.entries();
      for (int i = entries.size() - 1; i >= 0; i--) {
        count++;
        Item item = entries.get(i).item();
        if (Window.startsTurn(item) || (i == 0 && !page.hasMore())) {
          return String.format(
              "Remove the last turn of session %s (%s, beginning with %s)?",
              session.key(), Humanize.count(count, "item"), Transcript.preview(item, 60));
        }
      }
      if (entries.isEmpty()) {
        throw nothingLeft(session);
      }
      range = Range.before(entries.get(0).position(), PAGE);
    }
  }

  private static Failure nothingLeft(StoredSession session) {
    return Failure.notFound("session " + session.key() + " has no items; nothing was removed");
  }
}
