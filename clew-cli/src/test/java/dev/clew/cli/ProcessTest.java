package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a real process shows: pipes, locale, exit code. */
class ProcessTest {
  private static final String CLEW =
      "\""
          + Path.of(System.getProperty("java.home"), "bin", "java")
          + "\" -Xshare:auto"
          + " -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED dev.clew.cli.Main ";

  @TempDir Path folder;
  private String url;

  @BeforeEach
  void nameTheStore() {
    url = "sqlite:" + folder.resolve("clew.db");
  }

  /** Runs a line of shell in a locale that knows only ASCII; its exit code. */
  private int sh(String line) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", line);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.environment().put("CLEW_STORE", url);
    builder.environment().put("LC_ALL", "C");
    Process process =
        builder
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile())
            .start();
    process.getOutputStream().close();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(line).isTrue();
    return process.exitValue();
  }

  private String out() throws IOException {
    return Files.readString(folder.resolve("out"));
  }

  private String err() throws IOException {
    return Files.readString(folder.resolve("err"));
  }

  @Test
  void argumentsAndOutputAreUtf8InEveryLocale() throws Exception {
    // The bytes of 京都, which this file could not pass on if the test itself ran in such a locale.
    String kyoto = "\"$(printf '\\344\\272\\254\\351\\203\\275')\"";
    assertThat(sh(CLEW + "add s " + kyoto)).as(err()).isZero();
    try (SessionStore store = Stores.open(url)) {
      assertThat(store.session("s").getItems()).containsExactly(Item.user("京都"));
    }
    assertThat(sh(CLEW + "sessions show s")).as(err()).isZero();
    assertThat(out()).contains("京都");
  }

  @Test
  void aPipeThatIsClosedEndsTheCommandQuietly() throws Exception {
    List<Item> many = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      many.add(Item.user("a line that fills the pipe, number " + i));
    }
    try (SessionStore store = Stores.open(url)) {
      store.session("s").addItems(many);
    }
    sh("{ " + CLEW + "sessions show s --all; echo \"ended with $?\" >&2; } | head -1");
    assertThat(out()).startsWith("s · 5000 items").hasLineCount(1);
    assertThat(err()).isEqualTo("ended with " + ExitCode.READER_GONE + "\n");
  }

  @Test
  void withoutATerminalADestructiveCommandIsRefused() throws Exception {
    assertThat(sh("echo y | " + CLEW + "sessions delete s")).isEqualTo(ExitCode.REFUSED);
    assertThat(out()).isEmpty();
    assertThat(err()).contains("--yes").doesNotContain("\u001b");
  }
}
