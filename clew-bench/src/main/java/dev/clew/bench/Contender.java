package dev.clew.bench;

import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.kit.Sha256;
import dev.clew.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Clew's entry in a comparison of session stores that was made by others; one workload, one line of
 * JSON. Stateless.
 *
 * <pre>
 * Contender WORKLOAD FOLDER [--cap SECONDS] [--sizes 100,1000]
 * </pre>
 *
 * The workloads and what they report are described with that comparison; {@code docs/benchmarks.md}
 * says how to enter Clew.
 */
public final class Contender {
  private static final int THREADS = 8;
  private static final int WARM_UP_TURNS = 3000;
  private static final double WARM_UP_SECONDS = 4;

  private final Map<String, Object> metrics = new LinkedHashMap<>();
  private final SessionStore store;
  private final double cap;

  private Contender(SessionStore store, double cap) {
    this.store = store;
    this.cap = cap;
  }

  /** Runs one workload. */
  public static void main(String[] args) throws Exception {
    String workload = args[0];
    Path folder = Path.of(args[1]);
    double cap = 60;
    String sizes = "100,1000,10000,50000";
    for (int i = 2; i + 1 < args.length; i += 2) {
      switch (args[i]) {
        case "--cap" -> cap = Double.parseDouble(args[i + 1]);
        case "--sizes" -> sizes = args[i + 1];
        default -> throw new IllegalArgumentException("unknown argument " + args[i]);
      }
    }
    Files.createDirectories(folder);
    if (!List.of("w6", "w6prep", "selftest").contains(workload)) {
      warmUp(folder.resolve("warm"));
    }
    long start = System.nanoTime();
    try (SqliteStore store = SqliteStore.open(folder.resolve("clew.db"))) {
      Contender contender = new Contender(store, cap);
      contender.run(workload, sizes, start);
      System.out.println(line(workload, contender.metrics, store, folder));
    }
  }

  private void run(String workload, String sizes, long start) throws Exception {
    metrics.put("items_per_turn", Turn.ITEMS);
    switch (workload) {
      case "w1" -> oneSession();
      case "w2" -> {
        for (String size : sizes.split(",", -1)) {
          oneSize(Integer.parseInt(size));
        }
      }
      case "w3" -> manySessions();
      case "w4" -> {
        together("own", thread -> "own" + thread);
        together("same", thread -> "same");
      }
      case "w5" -> pops();
      case "w6prep" -> {
        for (int i = 0; i < 2000; i++) {
          prefill(id(i), 100);
        }
        metrics.put("items", 200_000);
      }
      case "w6" -> {
        int items = store.session(id(1234)).getItems(20).size();
        metrics.put("open_read_ms", (System.nanoTime() - start) / 1e6);
        metrics.put("items_read", items);
      }
      case "selftest" -> metrics.put("sha256", digest());
      default -> throw new IllegalArgumentException("there is no workload " + workload);
    }
  }

  private static void warmUp(Path folder) throws Exception {
    Files.createDirectories(folder);
    try (SqliteStore store = SqliteStore.open(folder.resolve("clew.db"))) {
      new Contender(store, WARM_UP_SECONDS)
          .repeat(
              WARM_UP_TURNS,
              i -> {
                StoredSession session = store.session("w" + i / 25);
                session.addItems(items(i % 25));
                if (i % 5 == 0) {
                  session.getItems(20);
                }
                if (i % 50 == 0) {
                  session.getItems();
                  session.popItem();
                }
              });
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private void oneSession() throws Exception {
    StoredSession session = store.session(id(0));
    Timed timed = repeat(2000, i -> session.addItems(items(i)));
    metrics.put("turns", timed.count());
    metrics.put("turns_per_s", timed.perSecond());
    metrics.put("p50_us", timed.micros().median());
    metrics.put("p99_us", timed.micros().percentile(99));
    metrics.put("capped", timed.count() < 2000);
    metrics.put("count_ok", session.getItems().size() == timed.count() * Turn.ITEMS);
  }

  private void oneSize(int size) throws Exception {
    StoredSession session = store.session("g" + size);
    prefill(session.id(), size);
    double share = cap / 12;
    Timed tail = new Contender(store, share).repeat(50, i -> session.getItems(20));
    Timed whole = new Contender(store, share).repeat(10, i -> session.getItems());
    Timed add =
        new Contender(store, share).repeat(50, i -> session.addItems(items(size / Turn.ITEMS + i)));
    metrics.put("add_ms_" + size, add.micros().median() / 1e3);
    metrics.put("get20_ms_" + size, tail.micros().median() / 1e3);
    metrics.put("getall_ms_" + size, whole.micros().median() / 1e3);
  }

  private void manySessions() throws Exception {
    int turns = 10_000;
    Timed written = repeat(turns, i -> store.session(id(i % 2000)).addItems(items(i / 2000)));
    metrics.put("writes", written.count());
    metrics.put("write_turns_per_s", written.perSecond());
    metrics.put("capped", written.count() < turns);
    Random random = new Random(42);
    AtomicInteger bad = new AtomicInteger();
    Timed read =
        repeat(
            2000,
            i -> {
              int found = store.session(id(random.nextInt(2000))).getItems(20).size();
              if (found != 20 && written.count() == turns) {
                bad.incrementAndGet();
              }
            });
    metrics.put("read_ops_per_s", read.perSecond());
    metrics.put("bad_reads", bad.get());
  }

  private interface Sessions {
    String of(int thread);
  }

  private void together(String name, Sessions sessions) throws Exception {
    int each = 250;
    AtomicInteger done = new AtomicInteger();
    AtomicInteger errors = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    long start = System.nanoTime();
    List<Future<?>> running = new ArrayList<>();
    for (int k = 0; k < THREADS; k++) {
      int thread = k;
      running.add(
          threads.submit(
              () -> {
                for (int i = 0; i < each && seconds(start) < cap; i++) {
                  try {
                    store.session(sessions.of(thread)).addItems(items(thread * each + i));
                    done.incrementAndGet();
                  } catch (RuntimeException e) {
                    errors.incrementAndGet();
                  }
                }
              }));
    }
    for (Future<?> future : running) {
      future.get();
    }
    double seconds = seconds(start);
    threads.shutdown();
    long found = 0;
    for (String session :
        Stream.iterate(0, k -> k + 1).limit(THREADS).map(sessions::of).distinct().toList()) {
      found += store.session(session).getItems().size();
    }
    metrics.put(name + "_turns_per_s", done.get() / seconds);
    metrics.put(name + "_turns", done.get());
    metrics.put(name + "_errors", errors.get());
    metrics.put(name + "_lost_items", (long) done.get() * Turn.ITEMS - found);
  }

  private void pops() throws Exception {
    StoredSession session = store.session("pop");
    prefill(session.id(), 10_000);
    Timed timed = repeat(1000, i -> session.popItem());
    metrics.put("pops", timed.count());
    metrics.put("pops_per_s", timed.perSecond());
    metrics.put("p50_us", timed.micros().median());
    metrics.put("capped", timed.count() < 1000);
    metrics.put("count_ok", session.getItems().size() == 10_000 - timed.count());
  }

  private void prefill(String session, int items) {
    int batch = 1000;
    for (int turn = 0; turn < items / Turn.ITEMS; turn += batch) {
      List<Item> added = new ArrayList<>();
      for (int i = turn; i < Math.min(turn + batch, items / Turn.ITEMS); i++) {
        added.addAll(items(i));
      }
      store.session(session).addItems(added);
    }
  }

  private interface Operation {
    void run(int number) throws Exception;
  }

  private record Timed(int count, double seconds, Samples micros) {
    double perSecond() {
      return count / seconds;
    }
  }

  /** Runs an operation so many times, or until the time is over. */
  private Timed repeat(int times, Operation operation) throws Exception {
    List<Double> micros = new ArrayList<>(times);
    long start = System.nanoTime();
    for (int i = 0; i < times && seconds(start) <= cap; i++) {
      long before = System.nanoTime();
      operation.run(i);
      micros.add((System.nanoTime() - before) / 1e3);
    }
    double seconds = seconds(start);
    double[] all = micros.stream().mapToDouble(Double::doubleValue).toArray();
    return new Timed(all.length, seconds, Samples.of(all));
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  private static List<Item> items(int turn) {
    return Item.parseAll(Turn.texts(turn));
  }

  private static String id(int number) {
    return String.format(Locale.ROOT, "s%05d", number);
  }

  private static String digest() throws Exception {
    MessageDigest digest = Sha256.begin();
    for (int turn = 0; turn < 100; turn++) {
      for (String text : Turn.texts(turn)) {
        digest.update((text + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static String line(
      String workload, Map<String, Object> metrics, SessionStore store, Path folder)
      throws IOException {
    List<String> values = new ArrayList<>();
    metrics.forEach(
        (name, value) ->
            values.add(
                "\"" + name + "\":" + (value instanceof String ? "\"" + value + "\"" : value)));
    long bytes = 0;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    }
    return """
        {"contender":"clew","workload":"%s","metrics":{%s},\
        "info":{"durability":"sqlite wal synchronous=2, %s","jdk":"%s"},\
        "rss_kb":%d,"disk_bytes":%d}"""
        .formatted(
            workload,
            String.join(",", values),
            store.traits().durability(),
            System.getProperty("java.version"),
            peakMemory(),
            bytes);
  }

  private static long peakMemory() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmHWM"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }
}
