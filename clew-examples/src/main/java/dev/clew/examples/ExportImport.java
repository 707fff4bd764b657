package dev.clew.examples;

import dev.clew.Item;
import dev.clew.Session;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An item is JSON text on one line, so a history is a file of lines, and comes back exactly: parse
 * it with a JSON library and numbers or escapes would change. Importing replaces what was there in
 * one transaction. {@code clew export} and {@code clew import} do the same from the command line.
 */
public final class ExportImport {
  private ExportImport() {}

  static void exportTo(Path file, Session session) throws IOException {
    Files.write(file, session.getItems().stream().map(Item::json).toList());
  }

  static void importFrom(Path file, StoredSession session) throws IOException {
    List<Item> items = Item.parseAll(Files.readAllLines(file)); // refuses what is no item
    session.replaceHistory(items);
  }

  /** Runs the example. */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args.length > 0 ? args[0] : "chat.jsonl");
    try (SessionStore store = Stores.open("memory:")) {
      StoredSession chat = store.session("chat");
      chat.addItems(List.of(Item.user("Hello"), Item.parse("{\"type\":\"new\",\"n\":1e400}")));
      exportTo(file, chat);

      StoredSession copy = store.session("copy");
      importFrom(file, copy);
      copy.getItems().forEach(System.out::println);
      System.out.println("The same: " + copy.getItems().equals(chat.getItems()));
    }
  }
}
