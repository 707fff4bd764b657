package dev.clew.testservers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a hostile owner does to keep a server from serving others. Tests run it in their own
 * process. The benchmark runs it in another one with the lowest priority: attackers bring their own
 * machines, and take the processor of the server only by what they make it do.
 */
public enum Attack {
  SEARCHES("searches") {
    @Override
    public long run(AttackedServer server, Deadline deadline) throws Exception {
      return crowd(30, deadline, () -> ask(server, "/api/search?q=a&limit=100&tool=none"));
    }
  },
  TEXTS("texts made for regular expressions") {
    @Override
    public long run(AttackedServer server, Deadline deadline) throws Exception {
      return crowd(30, deadline, () -> ask(server, "/api/sessions/images/items?files=links"));
    }
  },
  BODIES("large bodies") {
    @Override
    public long run(AttackedServer server, Deadline deadline) throws Exception {
      byte[] blank = " ".repeat(MIB).getBytes(UTF_8);
      AtomicInteger number = new AtomicInteger();
      return crowd(
          20,
          deadline,
          () -> {
            try (Socket socket = server.connect()) {
              String head =
                  number.getAndIncrement() % 2 == 0
                      ? server.strangersHead("POST", "/api/chat")
                      : server.head("POST", "/api/chat");
              OutputStream out = socket.getOutputStream();
              out.write((head + "Content-Length: " + BODY + "\r\n\r\n").getBytes(UTF_8));
              for (int sent = 0; sent < BODY - MIB && !deadline.over(); sent += MIB) {
                out.write(blank);
              }
              socket.setSoTimeout(1000);
              socket.getInputStream().read();
            }
          });
    }
  },
  UNREAD("answers nobody reads") {
    @Override
    public long run(AttackedServer server, Deadline deadline) throws Exception {
      return crowd(
          80,
          deadline,
          () -> {
            try (Socket socket = server.connect()) {
              String head = server.head("GET", "/api/sessions/large/items");
              socket.getOutputStream().write((head + "\r\n").getBytes(UTF_8));
              socket.getInputStream().read();
              while (!deadline.over() && !closed(socket)) {
                TimeUnit.MILLISECONDS.sleep(200);
              }
            }
          });
    }
  },
  STREAMS("1,000 streams") {
    @Override
    public long run(AttackedServer server, Deadline deadline) throws Exception {
      try (ManySockets sockets = new ManySockets(server.port())) {
        sockets.begin();
        for (int i = 0; i < READERS && !deadline.over(); i++) {
          sockets.connect(() -> server.head("GET", "/api/sessions/words/events") + "\r\n");
        }
        HttpClient client = HttpClient.newHttpClient();
        long said = 0;
        for (; !deadline.over(); said++) {
          server.post(client, "words", "\"to all of them\"");
          TimeUnit.MILLISECONDS.sleep(500);
        }
        return said;
      }
    }
  },
  RECONNECTS("reconnecting streams") {
    @Override
    public long run(AttackedServer server, Deadline deadline) throws Exception {
      return crowd(
          4,
          deadline,
          () -> {
            try (Socket socket = server.connect()) {
              String head = server.head("GET", "/api/sessions/images/events");
              socket.getOutputStream().write((head + "\r\n").getBytes(UTF_8));
              socket.getInputStream().read();
              socket.setSoLinger(true, 0); // a reset
            }
          });
    }
  };

  private static final int MIB = 1 << 20;
  private static final int BODY = 31 * MIB;
  private static final int READERS = 990; // as many as may be open, and a few calls

  /** What it is called in a report. */
  public final String title;

  Attack(String title) {
    this.title = title;
  }

  /** Attacks until the deadline; how often it tried. */
  public abstract long run(AttackedServer server, Deadline deadline) throws Exception;

  /**
   * When it is over.
   *
   * @param nanos as of {@link System#nanoTime}
   */
  public record Deadline(long nanos) {
    /** In some seconds. */
    public static Deadline in(int seconds) {
      return new Deadline(System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
    }

    /** Whether it has passed. */
    public boolean over() {
      return System.nanoTime() - nanos > 0;
    }
  }

  /** {@code ATTACK PORT TOKEN SECONDS}: waits to be let go, then attacks. */
  public static void main(String[] args) throws Exception {
    AttackedServer server = new AttackedServer(Integer.parseInt(args[1]), args[2]);
    System.out.println("ready");
    if (System.in.read() >= 0) {
      long tried = valueOf(args[0]).run(server, Deadline.in(Integer.parseInt(args[3])));
      System.out.println("tried=" + tried);
    }
    System.exit(0); // clients may have threads that wait
  }

  /**
   * Writes what the attacks need: long texts to search, a text for bad expressions, a large item.
   *
   * @param texts how many long texts
   */
  public static void prepare(AttackedServer server, int texts) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    String words = "\"" + "a ".repeat(100_000) + "\"";
    for (int i = 0; i < texts; i++) {
      server.post(client, "words", words);
    }
    server.post(client, "large", "\"" + "x".repeat(9 * MIB) + "\"");
    String image = "{\"type\":\"input_image\",\"image_url\":\"data:" + "a".repeat(20_000) + "\"}";
    server.post(client, "images", "[" + image + "]");
  }

  private static void ask(AttackedServer server, String path) throws IOException {
    try (Socket socket = server.connect()) {
      String head = server.head("GET", path) + "Connection: close\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(UTF_8));
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    }
  }

  /** Whether the other side has gone, found out by sending it something. */
  private static boolean closed(Socket socket) {
    try {
      socket.getOutputStream().write("\r\n".getBytes(UTF_8));
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  /** One step of an attack; that a server ends it is no failure. */
  private interface Step {
    void run() throws Exception;
  }

  private static long crowd(int size, Deadline deadline, Step step) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(size);
    List<Future<Long>> running = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      running.add(
          threads.submit(
              () -> {
                long tried = 0;
                for (; !deadline.over(); tried++) {
                  try {
                    step.run();
                  } catch (IOException e) {
                    // refused or cut off, as it should be
                  }
                }
                return tried;
              }));
    }
    threads.shutdown();
    long tried = 0;
    for (Future<Long> one : running) {
      tried += one.get();
    }
    return tried;
  }
}
