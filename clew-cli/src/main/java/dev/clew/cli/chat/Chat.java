package dev.clew.cli.chat;

import dev.clew.Item;
import dev.clew.Role;
import dev.clew.SessionInfo;
import dev.clew.StoredSession;
import dev.clew.View;
import dev.clew.Window;
import dev.clew.cli.command.ErrorReport;
import dev.clew.cli.command.Program;
import dev.clew.cli.model.Models;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.SafeText;
import dev.clew.cli.terminal.Transcript;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A chat from its first line to its last. Used once, by one thread. */
final class Chat {
  private static final int REMEMBERED_TURNS = 50;

  private final ChatConsole console;
  private final Models.Chosen chosen;
  private final Program program;
  private final ChatTurn turn;
  private final ChatCommands commands;
  private StoredSession session;

  Chat(ChatConsole console, Models.Chosen chosen, StoredSession session, Program program) {
    this.console = console;
    this.program = program;
    this.chosen = chosen;
    this.session = session;
    this.turn = new ChatTurn(console, chosen);
    this.commands = new ChatCommands(this);
  }

  ChatConsole console() {
    return console;
  }

  StoredSession session() {
    return session;
  }

  /** Goes on in another session. */
  void open(StoredSession other, int messagesShown) {
    session = other;
    Optional<SessionInfo> info = session.info();
    note(
        "session "
            + session.id()
            + info.map(known -> " · " + Humanize.count(known.itemCount(), "item")).orElse(" · new")
            + info.map(SessionInfo::title)
                .filter(title -> !title.isEmpty())
                .map(title -> " · " + SafeText.line(title))
                .orElse(""));
    showHistory(messagesShown, info.map(SessionInfo::itemCount).orElse(0L));
  }

  void note(String text) {
    console.notes().line(console.paint().dim(text)).flush();
  }

  /** Talks until somebody leaves; one of {@link ExitCode}. */
  int run(int messagesShown) {
    console.completeWith(commands::complete);
    note(chosen.introduction());
    open(session, messagesShown);
    if (console.isInteractive()) {
      note("/help lists the commands, /quit leaves");
    }
    boolean interrupted = false;
    while (true) {
      @Nullable String line;
      try {
        line = console.readLine();
      } catch (ChatConsole.Interrupted e) {
        if (interrupted) {
          return leave(ExitCode.INTERRUPTED);
        }
        interrupted = true;
        note("press Ctrl-C again to leave, or type /quit");
        continue;
      }
      if (line == null) {
        return leave(ExitCode.OK);
      }
      interrupted = false;
      try {
        if (ChatCommands.isCommand(line)) {
          if (!commands.run(line.strip())) {
            return leave(ExitCode.OK);
          }
        } else if (!line.isBlank()) {
          interrupted = !turn.run(session, ChatCommands.message(line));
          if (turn.hasEnded()) {
            return leave(ExitCode.OK);
          }
        }
      } catch (RuntimeException e) {
        report(e);
      }
    }
  }

  /** An error is only shown where somebody can try again; a script gets an exit code. */
  private void report(RuntimeException e) {
    if (!console.isInteractive() || e instanceof Output.ReaderGone) {
      throw e;
    }
    ErrorReport.of(e).print(console.notes(), console.paint(), false);
    console.notes().flush();
  }

  private int leave(int code) {
    if (console.isInteractive() && session.info().isPresent()) {
      note("to continue: " + program.command("chat " + session.id()));
    }
    console.answers().flush();
    return code;
  }

  private void showHistory(int messages, long items) {
    List<Item> known = items == 0 ? List.of() : Window.lastTurns(REMEMBERED_TURNS).read(session);
    console.remember(said(known));
    if (messages == 0 || known.isEmpty()) {
      return;
    }
    List<Item> shown = Window.lastMessages(messages).read(session);
    if (shown.size() < items) {
      note(
          "(earlier items: %s)"
              .formatted(program.command("sessions show " + session.id() + " --all")));
    }
    Transcript transcript =
        new Transcript(console.notes(), console.paint(), console.width(), false, false);
    shown.forEach(transcript::add);
    console.notes().line("").flush();
  }

  private static List<String> said(List<Item> items) {
    List<String> lines = new ArrayList<>();
    for (Item item : items) {
      if (item.view() instanceof View.Message message && message.role() == Role.USER) {
        lines.add(message.text().replace('\n', ' '));
      }
    }
    return lines;
  }
}
