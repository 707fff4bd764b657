package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionStore;
import dev.clew.Stores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a real process shows of a chat: pipes, signals, and what gets loaded. */
class ChatProcessTest {
  @TempDir Path folder;

  private Process clew(String... args) throws IOException {
    List<String> command = new ArrayList<>(hearingInterrupts());
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-Xlog:class+load:file=" + folder.resolve("loaded"),
            "--enable-native-access=ALL-UNNAMED",
            "dev.clew.cli.Main"));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.environment().put("CLEW_STORE", "sqlite:" + folder.resolve("clew.db"));
    builder.environment().put("LC_ALL", "C");
    return builder.redirectError(folder.resolve("err").toFile()).start();
  }

  /** A build in the background of a shell ignores interrupts, and so would what it starts. */
  private static List<String> hearingInterrupts() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (Files.exists(status)) {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith("SigIgn:")
            && (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 0b10) != 0) {
          return List.of("env", "--default-signal=INT");
        }
      }
    }
    return List.of();
  }

  private static void type(Process process, String text) throws IOException {
    OutputStream in = process.getOutputStream();
    in.write(text.getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  private static BufferedReader answers(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  @Test
  void aChatGoesThroughPipesInEveryLocale() throws Exception {
    Process process = clew("chat", "s");
    try (BufferedReader answers = answers(process)) {
      type(process, "两小时后开会\n");
      assertThat(answers.readLine()).startsWith("已记下：“开会”，");
      type(process, "取消那个会\nn\n");
      assertThat(answers.readLine()).isEqualTo("没有取消：“开会”保持不变。");
      process.getOutputStream().close();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(folder.resolve("err"))).isZero();
    }
    try (SessionStore store = Stores.open("sqlite:" + folder.resolve("clew.db"))) {
      assertThat(store.session("s").getItems()).hasSize(8);
    }
  }

  @Test
  void anInterruptBetweenAnswersLeaves() throws Exception {
    Process process = clew("chat", "s");
    try (BufferedReader answers = answers(process)) {
      type(process, "thanks\n");
      assertThat(answers.readLine()).isEqualTo("You are welcome.");
      type(process, "thanks\n");
      assertThat(answers.readLine()).isEqualTo("You are welcome.");
      Process kill = new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start();
      assertThat(kill.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(ExitCode.INTERRUPTED);
    }
  }

  @Test
  void commandsThatDoNotChatLoadNeitherTheAgentNorTheLineEditor() throws Exception {
    for (String[] args :
        new String[][] {{"sessions", "list"}, {"add", "s", "x"}, {"chat", "--help"}}) {
      Process process = clew(args);
      process.getOutputStream().close();
      process.getInputStream().readAllBytes();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(Files.readString(folder.resolve("loaded")))
          .contains("dev.clew.cli.ChatCommand")
          .doesNotContain("org.jline.", "dev.clew.agent.", "com.fasterxml.jackson.databind.");
    }
  }
}
