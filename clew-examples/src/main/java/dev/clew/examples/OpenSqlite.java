package dev.clew.examples;

import dev.clew.Item;
import dev.clew.Session;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.sqlite.SqliteStore;
import java.nio.file.Path;
import java.util.List;

/**
 * The ways to open SQLite: in memory, as a file that is made with its folder, by URL, and with
 * table names of your own beside another program's tables. A Python program with the OpenAI Agents
 * SDK may use the same file at the same time.
 */
public final class OpenSqlite {
  private OpenSqlite() {}

  static SessionStore inMemory() {
    return SqliteStore.open(":memory:");
  }

  static SessionStore file(Path path) {
    return SqliteStore.open(path);
  }

  static SessionStore byUrl(Path path) {
    return Stores.open("sqlite:" + path + "?ttl=30d&limit=50");
  }

  static SessionStore ownTables(Path path) {
    return SqliteStore.builder(path.toString())
        .sessionsTable("my_sessions")
        .messagesTable("my_messages")
        .open();
  }

  /** Runs the example. */
  public static void main(String[] args) {
    Path path = Path.of(args.length > 0 ? args[0] : "data/conversations.db");
    hello("in memory", inMemory());
    hello("a file", file(path));
    hello("the same file by URL", byUrl(path));
    hello("other tables in it", ownTables(path));
  }

  private static void hello(String what, SessionStore opened) {
    try (SessionStore store = opened) {
      Session session = store.session("user_123");
      session.addItems(List.of(Item.user("Hello")));
      System.out.println(what + " has " + session.getItems().size() + " of our items");
    }
  }
}
