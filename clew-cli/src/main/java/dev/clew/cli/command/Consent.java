package dev.clew.cli.command;

import dev.clew.SessionInfo;
import dev.clew.StoredSession;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Output;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Asks before something is destroyed: on a terminal a question, elsewhere {@code --yes}. Used once,
 * by one thread.
 */
public final class Consent {
  @Option(names = {"-y", "--yes"})
  boolean yes;

  /** Refuses at once when there is neither a {@code --yes} nor anybody to ask. */
  public void requireYesOrTerminal(Clew clew, String what) {
    requireYes(clew, what + " cannot be undone; confirm with --yes when there is no terminal");
  }

  /** The same for another reason, and with what {@code --yes} does. */
  public void requireYesOrTerminal(Clew clew, String why, String what) {
    requireYes(clew, why + ", and there is no terminal to ask on; add --yes to " + what);
  }

  private void requireYes(Clew clew, String refusal) {
    if (!yes && !clew.surroundings().terminal().isInteractive()) {
      throw Failure.refused(refusal);
    }
  }

  /** Whether the question still has to be asked. */
  public boolean mustAsk() {
    return !yes;
  }

  /** Asks, unless there is a {@code --yes}; anything but a yes ends the command. */
  public void ask(Clew clew, String question) {
    ask(clew, question, "nothing was removed");
  }

  /** The same for something else than a removal, and with what is said after a no. */
  public void ask(Clew clew, String question, String declined) {
    if (yes) {
      return;
    }
    Output err = clew.surroundings().err();
    clew.out().flush();
    err.print(clew.paint().bold(question) + " [y/N] ").flush();
    @Nullable String answer = clew.surroundings().terminal().readLine();
    if (answer == null) {
      err.line("");
    }
    String word = answer == null ? "" : answer.strip().toLowerCase(Locale.ROOT);
    if (!word.equals("y") && !word.equals("yes")) {
      throw Failure.refused(declined);
    }
  }

  /** What was agreed to is what was shown: refuses when the session changed during the question. */
  public static void requireUnchanged(StoredSession session, SessionInfo shown) {
    Optional<SessionInfo> now = session.info();
    if (now.isEmpty() || now.get().version() != shown.version()) {
      throw Failure.conflict(
          "session %s was changed in the meantime; nothing was removed, check it and try again"
              .formatted(session.key()));
    }
  }
}
