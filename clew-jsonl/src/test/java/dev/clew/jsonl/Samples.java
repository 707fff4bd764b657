package dev.clew.jsonl;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Sessions to try things on. Stateless. */
final class Samples {
  private Samples() {}

  static List<Item> items(String text, int count) {
    return IntStream.range(0, count).mapToObj(i -> Item.user(text + " " + i)).toList();
  }

  /**
   * Changes of every kind that end up as that many lines; the items after each, by the file's
   * length.
   */
  static NavigableMap<Long, List<Item>> everyKindOfChange(
      StoredSession session, Path file, int lines) throws IOException {
    NavigableMap<Long, List<Item>> states = new TreeMap<>();
    states.put(0L, List.of());
    List<Runnable> changes = new ArrayList<>();
    changes.add(() -> session.addItems(items("first 你好 😀", 3)));
    changes.add(() -> session.addItems(List.of(Item.assistant("one \"quoted\" \n line"))));
    changes.add(
        () ->
            session.addItems(
                List.of(
                    Item.functionCall("c1", "f", "{\"a\":[1,2]}"),
                    Item.functionCallOutput("c1", "out"))));
    changes.add(session::popItem);
    changes.add(() -> session.update(SessionUpdate.none().title("a title").tags(Set.of("t"))));
    changes.add(
        () ->
            session.commit(
                Commit.replaceItem(2, new Draft(Item.user("edited"), Map.of("model", "m")))));
    changes.add(() -> session.addItems(items("more", 2)));
    changes.add(() -> session.commit(Commit.removeItem(3)));
    changes.add(() -> session.commit(Commit.append(items("op", 2)).operationId("o1")));
    changes.add(() -> session.commit(Commit.replacePrefix(2, items("summary", 2))));
    changes.add(
        () -> session.commit(Commit.replaceSuffix(session.getItems(1), items("suffix", 3))));
    changes.add(() -> session.commit(Commit.replacePrefix(-2, items("again", 1))));
    for (int i = 0; i < changes.size(); i++) {
      changes.get(i).run();
      states.put(Files.size(file), session.getItems());
    }
    for (int i = 0; lines(file) < lines; i++) {
      session.addItems(items("turn " + i, Math.min(1 + i % 4, lines - lines(file))));
      states.put(Files.size(file), session.getItems());
    }
    return states;
  }

  /**
   * Puts content in the place of that of a file, without the flush that emptying it first costs.
   */
  static void overwrite(Path file, byte[] bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      channel.write(ByteBuffer.wrap(bytes));
      channel.truncate(bytes.length);
    }
  }

  static int lines(Path file) throws IOException {
    return Files.readAllLines(file).size();
  }

  static List<Finding.Kind> findings(SessionStore store) {
    List<Finding.Kind> kinds = new ArrayList<>();
    store.check(finding -> kinds.add(finding.kind()));
    return kinds;
  }

  static List<Item> everything(StoredSession session) {
    return session.entries(Range.first(Integer.MAX_VALUE).withCompacted()).items();
  }
}
