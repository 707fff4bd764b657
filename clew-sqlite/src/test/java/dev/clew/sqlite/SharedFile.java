package dev.clew.sqlite;

import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.SearchQuery;
import dev.clew.SearchResult.Hit;
import dev.clew.StoredSession;
import dev.clew.View;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** A file that Clew and a program with the Agents SDK for Python work on. One test at a time. */
abstract class SharedFile {
  @TempDir Path folder;

  Path file() {
    return folder.resolve("shared.db");
  }

  SqliteStore open() {
    return SqliteStore.open(file());
  }

  PythonProgram python() throws SQLException {
    return PythonProgram.start(file());
  }

  /** As Python's {@code json.dumps} writes a message. */
  static String dumped(String text) {
    return "{\"role\": \"user\", \"content\": \"" + text + "\"}";
  }

  static List<String> texts(StoredSession session) {
    return texts(session.getItems());
  }

  static List<String> texts(List<Item> items) {
    return items.stream().map(item -> ((View.Message) item.view()).text()).toList();
  }

  static List<Item> items(String... texts) {
    return Stream.of(texts).map(Item::user).toList();
  }

  static List<String> jsons(List<Item> items) {
    return items.stream().map(Item::json).toList();
  }

  static List<String> lastOf(List<String> all, int count) {
    return all.subList(Math.max(0, all.size() - count), all.size());
  }

  static List<Finding> findings(SqliteStore store) {
    List<Finding> findings = new ArrayList<>();
    store.check(findings::add);
    return findings;
  }

  static List<Hit> hits(SqliteStore store, String query) {
    return store.search(SearchQuery.of("", query)).hits();
  }
}
