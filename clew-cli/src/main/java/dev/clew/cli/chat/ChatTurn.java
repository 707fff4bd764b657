package dev.clew.cli.chat;

import dev.clew.StoredSession;
import dev.clew.Window;
import dev.clew.agent.Interruption;
import dev.clew.agent.RunConfig;
import dev.clew.agent.RunEvent;
import dev.clew.agent.RunInput;
import dev.clew.agent.RunResult;
import dev.clew.agent.RunState;
import dev.clew.agent.RunStream;
import dev.clew.agent.Runner;
import dev.clew.cli.model.Models;
import dev.clew.cli.terminal.Columns;
import dev.clew.cli.terminal.SafeText;
import dev.clew.kit.Family;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One message and its answer: shown as it comes, with questions where a person has to agree. Used
 * by one thread.
 */
final class ChatTurn {
  /** How much a model is shown, so that no turn reads a chat of years. */
  private static final Window SHOWN = Window.lastTurns(100);

  private static final int LONGEST_NOTE = 200;

  /** On a pipe, so that a question does not swallow the rest of the input. */
  private static final int MOST_QUESTIONS = 2;

  private final ChatConsole console;
  private final Models.Chosen chosen;
  private final Runner runner;
  private final Map<String, String> alwaysApproved = new HashMap<>();
  private boolean inLine;
  private boolean ended;

  ChatTurn(ChatConsole console, Models.Chosen chosen) {
    this.console = console;
    this.chosen = chosen;
    this.runner = Runner.with(chosen.model());
  }

  /** Says something in a session; whether it was answered, not stopped. */
  boolean run(StoredSession session, String text) {
    RunInput input = RunInput.text(text);
    while (true) {
      Optional<RunResult> result = answer(session, input);
      if (result.isEmpty()) {
        return false;
      }
      if (result.get().interruptions().isEmpty()) {
        return true;
      }
      RunState state = result.get().toState();
      result.get().interruptions().forEach(interruption -> decide(state, interruption));
      input = RunInput.state(state);
    }
  }

  /** What came of a run; nothing if it was stopped. */
  private Optional<RunResult> answer(StoredSession session, RunInput input) {
    Family family = new Family(session.store());
    RunConfig config =
        RunConfig.DEFAULT
            .session(session)
            .window(SHOWN)
            .whenTurnBegins(() -> family.makeCurrent(session.key()));
    inLine = false;
    try (RunStream stream = runner.runStreamed(chosen.agent(), input, config)) {
      AtomicBoolean stopping = new AtomicBoolean();
      console.onInterrupt(
          () -> {
            if (stopping.getAndSet(true)) {
              console.leave();
            } else {
              stream.cancel();
            }
          });
      for (RunEvent event : stream) {
        show(event);
      }
      RunResult result = stream.result();
      endLine();
      return Optional.of(result);
    } catch (CancellationException e) {
      endLine();
      note("stopped; the answer so far is kept");
      return Optional.empty();
    } finally {
      console.onInterrupt(null);
    }
  }

  private void show(RunEvent event) {
    if (event instanceof RunEvent.TextDelta delta) {
      console.answers().print(SafeText.text(delta.text())).flush();
      inLine = true;
    } else if (event instanceof RunEvent.ToolStarted tool) {
      endLine();
      note("→ " + tool.tool() + " " + tool.arguments());
    } else if (event instanceof RunEvent.ToolFinished tool) {
      note("← " + tool.output());
    }
  }

  private void endLine() {
    if (inLine) {
      console.answers().line("").flush();
      inLine = false;
    }
  }

  private void note(String text) {
    String line = Columns.cut(SafeText.line(text), LONGEST_NOTE);
    console.notes().line(console.paint().dim(line)).flush();
  }

  /** Whether {@code /quit} was the answer to a question, which ends the chat. */
  boolean hasEnded() {
    return ended;
  }

  private void decide(RunState state, Interruption interruption) {
    String tool = interruption.toolName();
    String definition = chosen.definition(tool);
    if (definition.equals(alwaysApproved.get(tool))) { // not another tool under the same name
      state.approve(interruption);
      return;
    }
    // All of the arguments: what is agreed to is what was shown.
    String what = SafeText.line(tool + " " + interruption.arguments());
    @Nullable String said = ended ? null : asked("Allow " + what + "? [y]es, [n]o, [a]lways");
    if (said == null) {
      state.reject(interruption, "Not approved: nobody answered.");
    } else if (said.startsWith("a")) {
      alwaysApproved.put(tool, definition);
      state.approveAlways(interruption);
    } else if (said.startsWith("y")) {
      state.approve(interruption);
    } else {
      state.reject(interruption);
    }
  }

  /** A word that begins with y, n or a; null if there is nobody or it was interrupted. */
  private @Nullable String asked(String question) {
    for (int asked = 1; true; asked++) {
      @Nullable String answer;
      try {
        answer = console.ask(question);
      } catch (ChatConsole.Interrupted e) {
        return null;
      }
      if (answer == null) {
        return null;
      }
      String word = answer.strip().toLowerCase(Locale.ROOT);
      if (word.matches("y|yes|n|no|a|always")) {
        return word;
      }
      if (ChatCommands.isQuit(answer)) {
        ended = true;
        return null;
      }
      if (asked == MOST_QUESTIONS && !console.isInteractive()) {
        note("no answer; it counts as no");
        return "n";
      }
      note("please answer y, n or a");
    }
  }
}
