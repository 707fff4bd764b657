package dev.clew.cli.chat;

import dev.clew.cli.command.Clew;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Paint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/** A terminal with line editing, history and completion. Not thread-safe. */
final class JLineConsole extends ChatConsole {
  private final Terminal terminal;
  private final LineReader reader;
  private Function<String, List<String>> completions = line -> List.of();

  JLineConsole(Terminal terminal, Paint paint, Runnable leave) {
    this(terminal, new Output(terminal.output()), paint, leave);
  }

  private JLineConsole(Terminal terminal, Output out, Paint paint, Runnable leave) {
    super(out, out, paint, leave);
    this.terminal = terminal;
    // People write "it's" and "!": quotes, backslashes and exclamation marks are text.
    DefaultParser parser = new DefaultParser();
    parser.setQuoteChars(new char[0]);
    parser.setEscapeChars(new char[0]);
    this.reader =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("clew")
            .parser(parser)
            .completer(
                (self, line, candidates) -> {
                  String typed = line.line().substring(0, line.cursor());
                  completions.apply(typed).forEach(word -> candidates.add(new Candidate(word)));
                })
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .option(LineReader.Option.HISTORY_BEEP, false)
            .build();
    terminal.handle(Terminal.Signal.INT, signal -> interrupt());
  }

  /** The terminal this process was started from. */
  static JLineConsole open(Clew clew) {
    try {
      Terminal terminal =
          TerminalBuilder.builder()
              .system(true)
              .dumb(true)
              .encoding(StandardCharsets.UTF_8)
              .build();
      return new JLineConsole(
          terminal, clew.paint(), () -> Runtime.getRuntime().exit(ExitCode.INTERRUPTED));
    } catch (IOException e) {
      throw Failure.failed("cannot use the terminal: " + Humanize.reason(e));
    }
  }

  @Override
  @Nullable String readLine() throws Interrupted {
    return read(paint().green("› "));
  }

  @Override
  @Nullable String ask(String question) throws Interrupted {
    reader.setVariable(LineReader.DISABLE_HISTORY, true);
    try {
      return read(paint().bold(question) + " ");
    } finally {
      reader.setVariable(LineReader.DISABLE_HISTORY, false);
    }
  }

  private @Nullable String read(String prompt) throws Interrupted {
    answers().flush();
    try {
      return reader.readLine(prompt);
    } catch (UserInterruptException e) {
      throw new Interrupted();
    } catch (EndOfFileException e) {
      return null;
    }
  }

  @Override
  OptionalInt width() {
    return terminal.getWidth() > 0 ? OptionalInt.of(terminal.getWidth()) : OptionalInt.empty();
  }

  @Override
  boolean isInteractive() {
    return true;
  }

  @Override
  void completeWith(Function<String, List<String>> next) {
    completions = next;
  }

  @Override
  void remember(List<String> lines) {
    lines.forEach(line -> reader.getHistory().add(line));
  }

  @Override
  public void close() {
    try {
      answers().flush();
      terminal.close();
    } catch (IOException e) {
      throw Failure.failed("cannot restore the terminal: " + Humanize.reason(e));
    }
  }
}
