package dev.clew.examples;

import dev.clew.Session;
import dev.clew.SessionStore;
import dev.clew.agent.Agent;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;
import dev.clew.sqlite.SqliteStore;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * A long conversation in a SQLite file with tables of your own names. Run it twice: the second time
 * the session already knows everything. One store serves all sessions of a program; close it once,
 * at the end.
 */
public final class CustomTables {
  private static final List<String> SAID = List.of("我叫什么名字？", "我叫张三", "我叫什么名字？");

  private CustomTables() {}

  static void talk(Path file, Consumer<String> screen) {
    Agent agent =
        Agent.builder()
            .name("PersistentAssistant")
            .instructions("你是一个能记住历史对话的助手，请保持对话的连贯性。")
            .build();
    Runner runner = Runner.with(new OfflineModel());
    try (SessionStore store =
        SqliteStore.builder(file.toString())
            .sessionsTable("chat_sessions")
            .messagesTable("chat_messages")
            .open()) {
      Session session = store.session("user_123_chat");
      for (String text : SAID) {
        screen.accept("用户: " + text);
        screen.accept("助手: " + runner.run(agent, text, session).finalOutput());
      }
      screen.accept("最近的记录: " + session.getItems(5).size());
    }
  }

  /** Runs the example. */
  public static void main(String[] args) {
    talk(Path.of(args.length > 0 ? args[0] : "conversations/agents.db"), System.out::println);
  }
}
