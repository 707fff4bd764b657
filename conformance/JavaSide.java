import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import java.nio.charset.StandardCharsets;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Clew's side of the conformance run, one command at a time. Run from source by {@code run.sh}.
 *
 * <pre>
 * write FILE SESSION THREADS TURNS   appends turns of two items from each thread
 * dump FILE SESSION                  prints every item, one a line
 * pop FILE SESSION                   pops until it is empty, and prints what it got
 * compact FILE SESSION               replaces all but the last item by one
 * </pre>
 */
public class JavaSide {
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (SessionStore store = Stores.open("sqlite:" + args[1].replace("%", "%25"))) {
      StoredSession session = store.session(args[2]);
      switch (args[0]) {
        case "write" -> write(session, Integer.parseInt(args[3]), Integer.parseInt(args[4]));
        case "dump" -> session.getItems().forEach(item -> out.println(item.json()));
        case "pop" -> {
          for (Optional<Item> item = session.popItem(); item.isPresent(); ) {
            out.println(item.get().json());
            item = session.popItem();
          }
        }
        case "compact" -> {
          long upTo = session.entries(Range.latest(2)).entries().get(0).position();
          session.commit(Commit.replacePrefix(upTo, List.of(Item.user("in short"))));
        }
        default -> throw new IllegalArgumentException("no such command: " + args[0]);
      }
    }
  }

  private static void write(StoredSession session, int threads, int turns) throws Exception {
    List<Thread> running = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      String writer = "java-" + t;
      Thread thread =
          new Thread(
              () -> {
                for (int turn = 0; turn < turns; turn++) {
                  String text = writer + " " + turn;
                  session.addItems(
                      List.of(Item.user(text + " 你好"), Item.assistant(text + " 😀")));
                }
              });
      thread.setUncaughtExceptionHandler(
          (which, failure) -> {
            synchronized (failures) {
              failures.add(failure);
            }
          });
      thread.start();
      running.add(thread);
    }
    for (Thread thread : running) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      throw new IllegalStateException(failures.size() + " writers failed", failures.get(0));
    }
  }
}
