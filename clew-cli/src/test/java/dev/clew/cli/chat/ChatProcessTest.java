package dev.clew.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.cli.ClewProcess;
import dev.clew.cli.terminal.ExitCode;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a real process shows of a chat: pipes, signals, and what gets loaded. */
class ChatProcessTest {
  @TempDir Path folder;

  private ClewProcess clew(String... args) throws Exception {
    return ClewProcess.start(folder, Map.of(), args);
  }

  @Test
  void aChatGoesThroughPipesInEveryLocale() throws Exception {
    try (ClewProcess clew = clew("chat", "s")) {
      clew.type("两小时后开会\n");
      assertThat(clew.line()).startsWith("已记下：“开会”，");
      clew.type("取消那个会\nn\n");
      assertThat(clew.line()).isEqualTo("没有取消：“开会”保持不变。");
      assertThat(clew.end()).as(clew.err()).isZero();
    }
    try (SessionStore store = Stores.open(ClewProcess.store(folder))) {
      assertThat(store.session("s").getItems()).hasSize(8);
    }
  }

  @Test
  void anInterruptBetweenAnswersLeaves() throws Exception {
    try (ClewProcess clew = clew("chat", "s")) {
      clew.type("thanks\n");
      assertThat(clew.line()).isEqualTo("You are welcome.");
      clew.type("thanks\n");
      assertThat(clew.line()).isEqualTo("You are welcome.");
      Process kill = new ProcessBuilder("kill", "-INT", String.valueOf(clew.process.pid())).start();
      assertThat(kill.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(clew.await()).isEqualTo(ExitCode.INTERRUPTED);
    }
  }

  @Test
  void commandsThatDoNotChatLoadNeitherTheAgentNorTheLineEditor() throws Exception {
    for (String[] args :
        new String[][] {{"add", "s", "x"}, {"sessions", "list"}, {"chat", "--help"}}) {
      try (ClewProcess clew = clew(args)) {
        assertThat(clew.end()).isZero();
        assertThat(clew.loaded())
            .contains("dev.clew.cli.CommandTree")
            // The JDK has a copy of the line editor under another name.
            .doesNotContain(
                "] org.jline.",
                "dev.clew.agent.",
                "com.fasterxml.jackson.databind.",
                "dev.clew.server.")
            .doesNotContain(RemoteChatTest.CLIENT);
      }
    }
  }

  @Test
  void anOfflineChatLoadsNothingOfTheClientOfOpenAi() throws Exception {
    try (ClewProcess clew = clew("chat", "s")) {
      clew.type("lunch in two hours\ncancel it\ny\n");
      assertThat(clew.end()).as(clew.err()).isZero();
      assertThat(clew.loaded())
          .contains("dev.clew.demo.OfflineModel")
          .doesNotContain(RemoteChatTest.CLIENT);
    }
  }
}
