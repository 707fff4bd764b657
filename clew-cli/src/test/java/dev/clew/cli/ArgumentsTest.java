package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
  private static String[] typed(String commandLine, String... decoded) {
    byte[] bytes = commandLine.replace(' ', '\0').getBytes(StandardCharsets.UTF_8);
    return Arguments.fromCommandLine(bytes, decoded);
  }

  @Test
  void takesTheLastWordsOfTheCommandLine() {
    assertThat(typed("java -jar clew.jar add s 京都 ", "add", "s", "??????"))
        .containsExactly("add", "s", "京都");
  }

  @Test
  void keepsWhatItHasWhenTheCommandLineIsAnother() {
    assertThat(typed("java @options ", "add", "s", "??")).containsExactly("add", "s", "??");
    assertThat(typed("java -jar clew.jar x y 京 ", "add", "s", "???"))
        .containsExactly("add", "s", "???");
  }

  @Test
  void keepsWhatItHasWhenTheBytesAreNotUtf8() {
    byte[] latin = {'j', 0, (byte) 0xe9, 0};
    assertThat(Arguments.fromCommandLine(latin, new String[] {"?"})).containsExactly("?");
  }
}
