package dev.clew.bench;

import dev.clew.bench.Figure.Target;
import dev.clew.testservers.ManySockets;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Live updates to very many readers: each has a session of its own, to which something is appended
 * once a second, on SQLite with every commit synced. The server has a process of its own, once with
 * the heap that Java gives it and once with 256 MiB. Stateless.
 */
final class StreamsRow implements Row {
  private static final long MIB = 1 << 20;

  @Override
  public void measure(Lab lab) throws Exception {
    measure(lab, List.of(), "");
    measure(lab, List.of("-Xmx256m"), ", -Xmx256m");
  }

  private static void measure(Lab lab, List<String> options, String with) throws Exception {
    int streams = lab.size(2_000, 50);
    int seconds = lab.size(15, 2);
    lab.clean();
    try (Child server =
        Child.jvm(
            StreamServer.class,
            options,
            lab.file("streams.db").toString(),
            String.valueOf(streams),
            String.valueOf(seconds))) {
      Map<String, Long> begun = server.untilReady();
      List<Reader> readers = new ArrayList<>();
      try (ManySockets sockets = new ManySockets(begun.getOrDefault("port", 0L).intValue())) {
        for (int i = 0; i < streams; i++) {
          Reader reader = new Reader(i);
          readers.add(reader);
          sockets.connect(reader);
        }
        sockets.begin();
        await(readers, 0);
        server.go();
        Map<String, Long> ended = server.untilReady();
        boolean all = await(readers, seconds);
        String what = streams + " live streams, one event a second to each" + with;
        double[] micros =
            readers.stream().flatMapToDouble(r -> r.delays.stream().mapToDouble(d -> d)).toArray();
        lab.report(
            what + ": delivered",
            Samples.of(100.0 * readers.stream().mapToInt(r -> r.next).sum() / streams / seconds),
            " %",
            Target.atLeast(100),
            all ? "in order, " + seconds + " each" : "some are missing");
        lab.report(
            "… p99 from the writer to the reader",
            Samples.of(Samples.of(micros).percentile(99) / 1000),
            " ms",
            Target.atMost(1000),
            "p50 " + Samples.number(Samples.of(micros).median() / 1000) + " ms");
        lab.report(
            "… most memory of the process",
            Samples.of((double) ended.getOrDefault("resident", 0L) / MIB),
            " MiB",
            Target.atMost(1024),
            "");
        lab.report(
            "heap at rest" + with,
            Samples.of((double) begun.getOrDefault("heap", 0L) / MIB),
            " MiB",
            Target.atMost(100),
            "after a collection, " + streams + " sessions in the store");
      }
      server.go();
      server.result();
    }
  }

  /** Waits until all have heard so many events, for a while. */
  private static boolean await(List<Reader> readers, int events) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (System.nanoTime() < deadline) {
      if (readers.stream().allMatch(reader -> reader.begun && reader.next >= events)) {
        return true;
      }
      LockSupport.parkNanos(10_000_000);
    }
    return false;
  }

  /** Counts the events it hears, and takes the time they took. */
  private static final class Reader implements ManySockets.Client {
    private static final String MARK = "event ";

    private final int session;
    private final List<Long> delays = new ArrayList<>();
    private String rest = "";
    volatile boolean begun;
    volatile int next; // written by one thread

    Reader(int session) {
      this.session = session;
    }

    @Override
    public String opening() {
      return "GET /api/sessions/"
          + StreamServer.key(session).id()
          + "/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    @Override
    public void heard(ByteBuffer bytes) {
      long now = StreamServer.micros();
      String text = rest + StandardCharsets.UTF_8.decode(bytes);
      int from = 0;
      int number = next;
      while (true) {
        String expected = MARK + number + " at ";
        int at = text.indexOf(expected, from);
        int end = at < 0 ? -1 : text.indexOf('.', at);
        if (end < 0) {
          break;
        }
        delays.add(now - Long.parseLong(text.substring(at + expected.length(), end)));
        number++;
        from = end;
      }
      next = number;
      rest = text.substring(Math.max(from, text.length() - 200)); // an event may be cut in two
      begun = true;
    }
  }
}
