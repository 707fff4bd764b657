package dev.clew.cli.session;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Opening;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Window;
import dev.clew.cli.command.Consent;
import dev.clew.cli.command.JsonFields;
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

/** What {@code clew pop} and {@code clew undo} share: they ask, remove, and print what is gone. */
public abstract class RemovalCommand extends StoreAction {
  @Parameters(paramLabel = "ID")
  String id = "";

  @Mixin Consent consent = new Consent();

  private RemovalCommand() {
    super(Opening.WRITE);
  }

  /** What is removed, such as {@code an item}. */
  abstract String what();

  /** What is asked before; fails if nothing is left. */
  abstract String question(StoredSession session);

  /** Removes and prints it; false if nothing is left. */
  abstract boolean remove(StoredSession session);

  @Override
  protected void beforeOpening() {
    consent.requireYesOrTerminal(clew, "removing " + what());
  }

  @Override
  protected int run(SessionStore store) {
    StoredSession session = store.session(clew.key(id));
    SessionInfo info = clew.existing(session);
    if (consent.mustAsk()) {
      consent.ask(clew, question(session));
      Consent.requireUnchanged(session, info);
    }
    boolean removed = remove(session);
    MadeTitles.removeIfEmpty(session);
    if (!removed) {
      throw nothingLeft(session);
    }
    return ExitCode.OK;
  }

  static Failure nothingLeft(StoredSession session) {
    return Failure.notFound("session " + session.key() + " has no items; nothing was removed");
  }

  Transcript transcript(boolean positions) {
    return new Transcript(clew.out(), clew.paint(), clew.width(), positions, false);
  }

  JsonObject answer(StoredSession session) {
    return new JsonObject().put("id", session.id()).put("owner", session.key().owner());
  }

  /** {@code clew pop}: removes the newest item of a session. Used once, by one thread. */
  @Command(name = "pop")
  public static final class Pop extends RemovalCommand {

    @Override
    String what() {
      return "an item";
    }

    @Override
    String question(StoredSession session) {
      Item newest =
          session.entries(Range.latest(1)).entries().stream()
              .findFirst()
              .map(Entry::item)
              .orElseThrow(() -> nothingLeft(session));
      return String.format(
          "Remove the newest item of session %s (%s)?",
          session.key(), Transcript.preview(newest, 60));
    }

    @Override
    boolean remove(StoredSession session) {
      Entry gone = session.removeLast().orElse(null);
      if (gone == null) {
        return false;
      }
      if (clew.json) {
        clew.answer(answer(session).put("removed", JsonFields.entry(gone)));
      } else {
        clew.out().line("removed from session " + session.key() + ":");
        transcript(true).add(gone);
      }
      return true;
    }
  }

  /** {@code clew undo}: removes the last turn of a session. Used once, by one thread. */
  @Command(name = "undo")
  public static final class Undo extends RemovalCommand {
    private static final int PAGE = 64;

    @Override
    String what() {
      return "a turn";
    }

    /** Says how many items go and what the turn begins with. */
    @Override
    String question(StoredSession session) {
      int count = 0;
      Item first = null;
      for (Entry entry : Range.latest(PAGE).walk(session::entries)) {
        first = entry.item();
        count++;
        if (Window.startsTurn(first)) {
          break;
        }
      }
      if (first == null) {
        throw nothingLeft(session);
      }
      return String.format(
          "Remove the last turn of session %s (%s, beginning with %s)?",
          session.key(), Humanize.count(count, "item"), Transcript.preview(first, 60));
    }

    @Override
    boolean remove(StoredSession session) {
      List<Item> turn = session.undoTurn();
      if (turn.isEmpty()) {
        return false;
      }
      if (clew.json) {
        List<String> items = turn.stream().map(Item::json).toList();
        clew.answer(answer(session).raw("removed", items.toString()));
      } else {
        String items = Humanize.count(turn.size(), "item");
        clew.out()
            .line("removed the last turn, " + items + ", from session " + session.key() + ":");
        turn.forEach(transcript(false)::add);
      }
      return true;
    }
  }
}
