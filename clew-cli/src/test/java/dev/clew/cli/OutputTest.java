package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.SystemTerminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutputTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** A stream on which every write fails. */
  private static OutputStream failing(String reason) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(reason);
      }
    };
  }

  private int version(OutputStream out) {
    SessionStore store = Stores.open("memory:");
    return Main.run(
        new String[] {"--version"},
        InputStream.nullInputStream(),
        out,
        err,
        Map.of(),
        SystemTerminal.of(Map.of()),
        (url, opening) -> store);
  }

  @Test
  void aReaderThatWentAwayEndsTheCommandQuietly() {
    assertThat(version(failing("Broken pipe"))).isEqualTo(ExitCode.READER_GONE);
    assertThat(err.size()).isZero();
  }

  @Test
  void anAnswerThatCannotBeWrittenIsAnError() {
    assertThat(version(failing("No space left on device"))).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("clew: cannot write the output: No space left on device\n");
  }
}
