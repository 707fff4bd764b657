package dev.clew.cli.session;

import dev.clew.ClewException;
import dev.clew.Opening;
import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.JsonFields;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.json.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code clew sessions rename}: gives a session a title. Used once, by one thread. */
@Command(
    name = "rename",
    description = {"Changes the title of a session.", "An empty title removes it. The id stays."},
    footer = {
      "",
      "Examples:",
      "  clew sessions rename trip \"Trip to Kyoto\"",
      "  clew sessions rename trip \"\""
    })
final class SessionsRenameCommand extends StoreAction {
  private static final int ATTEMPTS = 20;

  @Parameters(index = "0", paramLabel = "ID", description = "The session.")
  String id = "";

  @Parameters(index = "1", paramLabel = "TITLE", description = "The new title.")
  String title = "";

  SessionsRenameCommand(Clew clew) {
    super(clew, Opening.WRITE);
  }

  @Override
  protected int run(SessionStore store) {
    SessionInfo info = rename(store.session(clew().key(id)), SessionUpdate.none().title(title));
    if (clew().json) {
      clew().out().line(new JsonObject().put("session", JsonFields.session(info)).toString());
    } else {
      String now = title.isEmpty() ? "has no title now" : "is now '" + title + "'";
      clew().out().line(info.key() + " " + now);
    }
    return ExitCode.OK;
  }

  /**
   * An update would create a session that is not there; the expected version keeps it from that.
   */
  private SessionInfo rename(StoredSession session, SessionUpdate update) {
    for (int attempt = 1; ; attempt++) {
      SessionInfo before = clew().existing(session);
      try {
        return session.update(update.expectVersion(before.version()));
      } catch (ClewException.VersionConflict e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }
}
