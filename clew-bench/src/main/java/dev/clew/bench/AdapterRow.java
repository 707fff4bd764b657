package dev.clew.bench;

import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import dev.clew.langchain4j.ClewChatMemoryProvider;
import dev.clew.langchain4j.ClewChatMemoryStore;
import dev.clew.springai.ClewChatMemory;
import dev.clew.springai.ClewChatMemoryRepository;
import dev.clew.sqlite.SqliteStore;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.UserMessage;

/**
 * One more message through the memories of Spring AI and LangChain4j, beside the same on a session:
 * read the newest 50 of 50,000, then append one. Stateless.
 */
final class AdapterRow implements Row {
  private static final int HISTORY = 50_000;
  private static final int WINDOW = 50;
  private static final int BLOCK = 50;
  private static final int THREADS = 8;
  private static final int IDLE = 10_000;
  private static final String TEXT = "a message of about the usual length, ".repeat(6);

  private static final String SESSION = "session";
  private static final String SPRING = "Spring AI";
  private static final String SPRINGS_WINDOW = "Spring AI's window";
  private static final String LANGCHAIN = "LangChain4j";
  private static final String LANGCHAINS_WINDOW = "LangChain4j's window";
  private static final String OWN_STORE = " with its own store";
  private static final List<String> NAMES =
      List.of(SESSION, SPRING, SPRINGS_WINDOW, LANGCHAIN, LANGCHAINS_WINDOW);

  /** Reads a window and appends a message. */
  private interface Memory {
    void add(String text);
  }

  @Override
  public void measure(Lab lab) throws Exception {
    oneMore(lab);
    lab.clean();
    ownStores(lab);
    lab.clean();
    together(lab);
    lab.clean();
    idle(lab);
  }

  private static void oneMore(Lab lab) throws Exception {
    Path file = lab.file("adapters.db");
    int history = lab.size(HISTORY, 5_000);
    try (Fixture fixture = new Fixture(file)) {
      for (String id : NAMES) {
        fixture.session(id, history);
      }
    }
    try (SessionStore store = SqliteStore.open(file)) {
      Race race = new Race();
      Map<String, Memory> memories = memories(store);
      memories.forEach((name, memory) -> race.add(name, () -> block(memory)));
      Times times = race.run(lab.rounds, lab.size(10, 2), lab.warmUpMillis());
      for (String name : memories.keySet()) {
        if (!name.equals(SESSION)) {
          lab.report(
              "one more message at 50,000, " + name + ": time over a session",
              times.ratio(name, SESSION),
              "",
              Target.atMost(1.5),
              times.micros(name, BLOCK) + " µs, session " + times.micros(SESSION, BLOCK) + " µs");
        }
      }
    }
  }

  /** The memories of the frameworks over stores of their own, which hold the history as well. */
  private static void ownStores(Lab lab) throws Exception {
    Path file = lab.file("ours.db");
    int history = lab.size(HISTORY, 5_000);
    try (Fixture fixture = new Fixture(file)) {
      for (String id : NAMES) {
        fixture.session(id, history);
      }
    }
    try (SessionStore store = SqliteStore.open(file);
        FrameworkStores theirs =
            new FrameworkStores(lab.file("springs.db"), lab.file("jsons.db"), history, TEXT)) {
      Map<String, Memory> memories = memories(store);
      memories.keySet().retainAll(List.of(SPRING, LANGCHAIN));
      memories.put(SPRING + OWN_STORE, theirs::spring);
      memories.put(LANGCHAIN + OWN_STORE, theirs::langChain);
      Race race = new Race();
      memories.forEach((name, memory) -> race.add(name, () -> block(memory, 1)));
      Times times = race.run(lab.rounds, lab.size(2, 1), 0);
      for (String name : List.of(SPRING, LANGCHAIN)) {
        lab.report(
            "one more message at 50,000, " + name + OWN_STORE + ": time over ClewChatMemory",
            times.ratio(name + OWN_STORE, name),
            "",
            Target.NONE,
            times.micros(name + OWN_STORE, 1)
                + " µs, ClewChatMemory "
                + times.micros(name, 1)
                + " µs");
      }
    }
  }

  /** Each uses the session of its name. */
  private static Map<String, Memory> memories(SessionStore store) {
    Map<String, Memory> memories = new LinkedHashMap<>();
    memories.put(
        SESSION,
        text -> {
          store.session(SESSION).getItems(WINDOW);
          store.session(SESSION).addItems(List.of(Item.user(text)));
        });
    ChatMemory spring = ClewChatMemory.builder(store).items(WINDOW).build();
    memories.put(SPRING, text -> add(spring, SPRING, text));
    ChatMemory springs =
        org.springframework.ai.chat.memory.MessageWindowChatMemory.builder()
            .chatMemoryRepository(ClewChatMemoryRepository.of(store))
            .maxMessages(WINDOW)
            .build();
    memories.put(SPRINGS_WINDOW, text -> springs.add(SPRINGS_WINDOW, new UserMessage(text)));
    var langChain = ClewChatMemoryProvider.builder(store).items(WINDOW).build().get(LANGCHAIN);
    memories.put(
        LANGCHAIN,
        text -> {
          langChain.messages();
          langChain.add(dev.langchain4j.data.message.UserMessage.from(text));
        });
    var langChains =
        MessageWindowChatMemory.builder()
            .id(LANGCHAINS_WINDOW)
            .maxMessages(WINDOW)
            .chatMemoryStore(ClewChatMemoryStore.of(store))
            .build();
    memories.put(
        LANGCHAINS_WINDOW,
        text -> langChains.add(dev.langchain4j.data.message.UserMessage.from(text)));
    return memories;
  }

  private static void add(ChatMemory memory, String id, String text) {
    memory.get(id);
    memory.add(id, new UserMessage(text));
  }

  private static long block(Memory memory) {
    return block(memory, BLOCK);
  }

  private static long block(Memory memory, int messages) {
    long start = System.nanoTime();
    for (int i = 0; i < messages; i++) {
      memory.add(TEXT);
    }
    return System.nanoTime() - start;
  }

  private static void together(Lab lab) throws Exception {
    try (SessionStore store = SqliteStore.open(lab.file("together.db"))) {
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      try {
        Map<String, Memory> memories = memories(store);
        Race race = new Race();
        int[] blocks = new int[1];
        memories.forEach((name, memory) -> race.add(name, () -> crowd(threads, memory)));
        race.add(
            "count",
            () -> {
              blocks[0]++;
              return 1;
            });
        Times times = race.run(lab.rounds, lab.size(5, 1), lab.warmUpMillis());
        for (String name : memories.keySet()) {
          int kept = store.session(name).getItems(Integer.MAX_VALUE).size();
          int lost = blocks[0] * THREADS * BLOCK - kept;
          if (lost != 0) {
            throw new IllegalStateException(name + " lost " + lost + " messages");
          }
          if (!name.equals(SESSION)) {
            lab.report(
                "8 threads, one session, " + name + ": rate over a session",
                times.ratio(SESSION, name),
                "",
                Target.atLeast(0.5),
                times.perSecond(name, THREADS * BLOCK) + " messages/s, nothing lost");
          }
        }
      } finally {
        threads.shutdownNow();
      }
    }
  }

  private static long crowd(ExecutorService threads, Memory memory) throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      running.add(
          threads.submit(
              () -> {
                go.await();
                block(memory);
                return true;
              }));
    }
    long start = System.nanoTime();
    go.countDown();
    for (Future<?> each : running) {
      each.get();
    }
    return System.nanoTime() - start;
  }

  /** What a memory of LangChain4j keeps that was used once, with the caches of the adapter. */
  private static void idle(Lab lab) throws Exception {
    int count = lab.size(IDLE, 1_000);
    try (SessionStore store = SqliteStore.open(lab.file("idle.db"))) {
      for (int i = 0; i < count; i++) {
        store.session("s" + i).addItems(List.of(Item.user(TEXT)));
        store.session("s" + i).getItems(WINDOW);
      }
      long before = used();
      ClewChatMemoryProvider provider = ClewChatMemoryProvider.of(store);
      List<Object> idle = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        var memory = provider.get("s" + i);
        memory.messages();
        memory.add(dev.langchain4j.data.message.UserMessage.from(TEXT));
        idle.add(memory);
      }
      double each = (used() - before) / 1024.0 / idle.size();
      lab.report(
          "an idle ClewChatMemory for each of 10,000 conversations",
          Samples.of(each),
          " KiB",
          Target.atMost(4),
          "with what the adapter remembers of those used last");
    }
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
    }
    return used;
  }
}
