package dev.clew.cli.session;

import dev.clew.Entry;
import dev.clew.Opening;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.JsonFields;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew sessions fork}: a new session from an old one. Used once, by one thread. */
@Command(
    name = "fork",
    description = "Creates a session with the history of another, in full or up to a position.",
    footer = {
      "",
      "Examples:",
      "  clew sessions fork trip trip-by-train",
      "  clew sessions fork trip trip-by-train --at 4",
      "",
      "'clew sessions show ID --positions' shows the positions."
    })
final class SessionsForkCommand extends StoreAction {
  @Parameters(index = "0", paramLabel = "ID", description = "The session to copy from.")
  String id = "";

  @Parameters(index = "1", paramLabel = "NEW_ID", description = "The session to create.")
  String newId = "";

  @Option(
      names = "--at",
      paramLabel = "POSITION",
      description = "The last position to copy. Default: all.")
  @Nullable Long at;

  SessionsForkCommand(Clew clew) {
    super(clew, Opening.WRITE);
  }

  @Override
  protected int run(SessionStore store) {
    StoredSession session = store.session(clew().key(id));
    clew().existing(session);
    SessionInfo made = store.session(session.key()).forkTo(clew().key(newId), upTo(session));
    if (clew().json) {
      clew().out().line(new JsonObject().put("session", JsonFields.session(made)).toString());
    } else {
      clew()
          .out()
          .line(
              "created session "
                  + made.key()
                  + " with "
                  + Humanize.count(made.itemCount(), "item")
                  + " of "
                  + session.key());
    }
    return ExitCode.OK;
  }

  /** The newest position, so that the fork records where it was made rather than "everything". */
  private long upTo(StoredSession session) {
    if (at != null) {
      List<Entry> there = session.entries(Range.after(at - 1, 1)).entries();
      if (there.isEmpty() || there.get(0).position() != at) {
        throw Failure.notFound(
            "session "
                + session.key()
                + " has no item at position "
                + at
                + "; 'clew sessions show "
                + id
                + " --positions' shows the positions");
      }
      return at;
    }
    List<Entry> newest = session.entries(Range.latest(1)).entries();
    return newest.isEmpty() ? 0 : newest.get(0).position();
  }
}
