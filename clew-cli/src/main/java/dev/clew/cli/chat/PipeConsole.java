package dev.clew.cli.chat;

import dev.clew.cli.command.Clew;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Paint;
import dev.clew.cli.terminal.Surroundings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/** Lines from standard input and plain text to standard output. Not thread-safe. */
final class PipeConsole extends ChatConsole {
  private final BufferedReader in;
  private @Nullable Object formerSignal;

  PipeConsole(InputStream in, Output out, Output err, Runnable leave) {
    super(out, err, new Paint(false), leave);
    this.in =
        new BufferedReader(
            new InputStreamReader(
                in,
                StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)));
  }

  /** The console of this process, which SIGINT interrupts. */
  static PipeConsole open(Clew clew) {
    Surroundings around = clew.surroundings();
    PipeConsole console =
        new PipeConsole(
            around.in(),
            around.out(),
            around.err(),
            () -> Runtime.getRuntime().exit(ExitCode.INTERRUPTED));
    console.formerSignal = Signals.register("INT", console::interrupt);
    return console;
  }

  @Override
  void interruptedBetweenAnswers() {
    leave();
  }

  @Override
  @Nullable String readLine() {
    answers().flush();
    notes().flush();
    try {
      return in.readLine();
    } catch (CharacterCodingException e) {
      throw Failure.usage("standard input is not valid UTF-8; convert it first");
    } catch (IOException e) {
      throw Failure.failed("cannot read standard input: " + Humanize.reason(e));
    }
  }

  @Override
  @Nullable String ask(String question) {
    notes().line(question);
    return readLine();
  }

  @Override
  OptionalInt width() {
    return OptionalInt.empty();
  }

  @Override
  boolean isInteractive() {
    return false;
  }

  @Override
  public void close() {
    if (formerSignal != null) {
      Signals.unregister("INT", formerSignal);
    }
  }
}
