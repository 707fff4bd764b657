package dev.clew.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ErrorReportTest {
  private static String told(String message) {
    return ErrorReport.of(new ClewException.ModelFailed(message, null, true)).message();
  }

  @Test
  void whatAServerSaidOnSeveralLinesIsOneLine() {
    assertThat(told("no:\n  try\r\n\tagain \n")).isEqualTo("no: try again");
  }

  @Test
  @Timeout(60) // far more than it needs; by a regular expression that tries again it takes for ever
  void howeverManyBlanksItSent() {
    String blanks = " ".repeat(2_000_000);
    assertThat(told("a" + blanks + "b\n" + blanks + "c")).isEqualTo("a" + blanks + "b c");
  }
}
