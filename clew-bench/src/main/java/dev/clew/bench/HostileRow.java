package dev.clew.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clew.bench.Figure.Target;
import dev.clew.testservers.ManySockets;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What one owner feels while another does the worst she can: lists, turns of a chat and live
 * updates of the first, at the 99th percentile, over what they are when nothing else happens. The
 * server has a process of its own with 512 MiB of heap and its usual limits. Stateless.
 */
final class HostileRow implements Row {
  static final String VICTIM = "ann";
  static final String ATTACKER = "bob";

  private static final int MIB = 1 << 20;
  private static final int BODY = 31 * MIB;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** What the victim does again and again. */
  private enum Act {
    LIST,
    CHAT,
    LIVE
  }

  /** Something the attacker does until it is over. */
  private interface Attack {
    void run(Server server, Deadline deadline) throws Exception;
  }

  private record Deadline(long nanos) {
    static Deadline in(int seconds) {
      return new Deadline(System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
    }

    boolean over() {
      return System.nanoTime() - nanos > 0;
    }
  }

  private record Server(int port, String victim, String attacker) {
    URI uri(String path) {
      return URI.create("http://127.0.0.1:" + port + path);
    }

    HttpRequest.Builder request(String token, String path) {
      return HttpRequest.newBuilder(uri(path))
          .timeout(PATIENCE)
          .header("Authorization", "Bearer " + token);
    }

    String head(String method, String path, String token) {
      return method
          + " "
          + path
          + " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
          + (token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n");
    }

    Socket connect() throws IOException {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout((int) PATIENCE.toMillis());
      return socket;
    }
  }

  @Override
  public void measure(Lab lab) throws Exception {
    int seconds = lab.size(60, 3);
    Path tokens = lab.file("tokens");
    try (Child child =
        Child.jvm(
            HostileServer.class,
            List.of("-Xmx512m"),
            lab.file("hostile.db").toString(),
            tokens.toString())) {
      Map<String, Long> begun = child.untilReady();
      List<String> secrets = Files.readAllLines(tokens);
      Server server =
          new Server(begun.getOrDefault("port", 0L).intValue(), secrets.get(0), secrets.get(1));
      try (Victim victim = new Victim(server)) {
        prepare(server, lab);
        victim.acts(Deadline.in(lab.size(10, 2))); // warms up
        Map<Act, Samples> quiet = victim.acts(Deadline.in(seconds));
        lab.note("quiet: " + percentiles(quiet));
        attack(lab, victim, quiet, "searches", seconds, HostileRow::searches);
        attack(
            lab, victim, quiet, "texts made for regular expressions", seconds, HostileRow::texts);
        attack(lab, victim, quiet, "large bodies", seconds, HostileRow::bodies);
        attack(lab, victim, quiet, "answers nobody reads", seconds, HostileRow::unread);
        attack(lab, victim, quiet, "1,000 streams", seconds, HostileRow::streams);
        attack(lab, victim, quiet, "reconnecting streams", seconds, HostileRow::reconnects);
        lab.report(
            "errors (5xx) or lost answers of the victim in all of it",
            Samples.of(victim.failures.get()),
            "",
            Target.atMost(0),
            victim.calls.get() + " calls");
      }
      lab.report(
          "most memory of the attacked process, -Xmx512m",
          Samples.of((double) peak(begun.getOrDefault("pid", 0L)) / MIB),
          " MiB",
          Target.atMost(1024),
          "");
      child.go();
    }
  }

  private static void attack(
      Lab lab, Victim victim, Map<Act, Samples> quiet, String name, int seconds, Attack attack)
      throws Exception {
    Deadline deadline = Deadline.in(seconds);
    ExecutorService attacker = Executors.newSingleThreadExecutor();
    try {
      Future<?> running =
          attacker.submit(
              () -> {
                attack.run(victim.server, deadline);
                return null;
              });
      Map<Act, Samples> felt = victim.acts(deadline);
      running.get();
      double worst = 0;
      for (Map.Entry<Act, Samples> each : felt.entrySet()) {
        Samples before = Objects.requireNonNull(quiet.get(each.getKey()));
        worst = Math.max(worst, each.getValue().percentile(99) / before.percentile(99));
      }
      lab.report(
          name + " of another owner: p99 over its quiet value, worst of three",
          Samples.of(worst),
          "",
          Target.atMost(5),
          percentiles(felt));
    } finally {
      attacker.shutdownNow();
    }
  }

  private static String percentiles(Map<Act, Samples> times) {
    List<String> texts = new ArrayList<>();
    times.forEach(
        (act, millis) ->
            texts.add(
                act.name().toLowerCase(Locale.ROOT)
                    + " p50 "
                    + Samples.number(millis.median())
                    + ", p99 "
                    + Samples.number(millis.percentile(99))
                    + " ms"));
    return String.join("; ", texts);
  }

  /** What the attacker needs: long texts to search, a text for bad expressions, large items. */
  private static void prepare(Server server, Lab lab) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    String words = "a ".repeat(100_000);
    for (int i = 0; i < lab.size(200, 10); i++) {
      post(client, server, server.attacker, "words", words);
    }
    post(client, server, server.attacker, "large", "x".repeat(9 * MIB));
    String image = "{\"type\":\"input_image\",\"image_url\":\"data:" + "a".repeat(20_000) + "\"}";
    send(client, server, server.attacker, "images", "[" + image + "]");
  }

  private static void post(HttpClient client, Server server, String token, String id, String text)
      throws Exception {
    send(client, server, token, id, "\"" + text + "\"");
  }

  private static void send(
      HttpClient client, Server server, String token, String id, String content) throws Exception {
    String conversation = "/v1/conversations/" + id;
    String items =
        "{\"items\":[{\"type\":\"message\",\"role\":\"user\",\"content\":" + content + "}]}";
    HttpRequest.Builder request = server.request(token, conversation + "/items");
    HttpResponse<String> answer =
        client.send(
            request.POST(HttpRequest.BodyPublishers.ofString(items)).build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() == 404) {
      HttpRequest.Builder chat = server.request(token, "/api/chat");
      String message = "{\"message\":\"hello\",\"session_id\":\"" + id + "\"}";
      client.send(
          chat.POST(HttpRequest.BodyPublishers.ofString(message)).build(),
          HttpResponse.BodyHandlers.discarding());
      send(client, server, token, id, content);
    } else if (answer.statusCode() != 200) {
      throw new IllegalStateException(answer.statusCode() + " " + answer.body());
    }
  }

  private static void searches(Server server, Deadline deadline) throws Exception {
    crowd(30, deadline, () -> ask(server, "/api/search?q=a&limit=100&tool=none"));
  }

  private static void texts(Server server, Deadline deadline) throws Exception {
    crowd(30, deadline, () -> ask(server, "/api/sessions/images/items?files=links"));
  }

  private static void ask(Server server, String path) throws IOException {
    try (Socket socket = server.connect()) {
      String head = server.head("GET", path, server.attacker);
      socket.getOutputStream().write((head + "Connection: close\r\n\r\n").getBytes(UTF_8));
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    }
  }

  private static void bodies(Server server, Deadline deadline) throws Exception {
    byte[] blank = " ".repeat(MIB).getBytes(UTF_8);
    AtomicInteger number = new AtomicInteger();
    crowd(
        20,
        deadline,
        () -> {
          String token = number.getAndIncrement() % 2 == 0 ? "" : server.attacker;
          try (Socket socket = server.connect()) {
            String head = server.head("POST", "/api/chat", token);
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

  private static void unread(Server server, Deadline deadline) throws Exception {
    crowd(
        80,
        deadline,
        () -> {
          try (Socket socket = server.connect()) {
            String head = server.head("GET", "/api/sessions/large/items", server.attacker);
            socket.getOutputStream().write((head + "\r\n").getBytes(UTF_8));
            socket.getInputStream().read();
            while (!deadline.over() && !closed(socket)) {
              TimeUnit.MILLISECONDS.sleep(200);
            }
          }
        });
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

  private static void streams(Server server, Deadline deadline) throws Exception {
    try (ManySockets sockets = new ManySockets(server.port)) {
      sockets.begin();
      for (int i = 0; i < 1000 && !deadline.over(); i++) {
        sockets.connect(
            () -> server.head("GET", "/api/sessions/words/events", server.attacker) + "\r\n");
      }
      HttpClient client = HttpClient.newHttpClient();
      while (!deadline.over()) {
        post(client, server, server.attacker, "words", "to all of them");
        TimeUnit.MILLISECONDS.sleep(500);
      }
    }
  }

  private static void reconnects(Server server, Deadline deadline) throws Exception {
    crowd(
        4,
        deadline,
        () -> {
          try (Socket socket = server.connect()) {
            String head = server.head("GET", "/api/sessions/images/events", server.attacker);
            socket.getOutputStream().write((head + "\r\n").getBytes(UTF_8));
            socket.getInputStream().read();
            socket.setSoLinger(true, 0); // a reset
          }
        });
  }

  /** One step of an attack; that a server ends it is no failure. */
  private interface Step {
    void run() throws Exception;
  }

  private static void crowd(int size, Deadline deadline, Step step) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(size);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      running.add(
          threads.submit(
              () -> {
                while (!deadline.over()) {
                  try {
                    step.run();
                  } catch (IOException e) {
                    // refused or cut off, as it should be
                  }
                }
                return null;
              }));
    }
    threads.shutdown();
    for (Future<?> one : running) {
      one.get();
    }
  }

  private static long peak(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith("VmHWM:")) {
        return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    return 0;
  }

  /** Lists, chats and listens, one after the other, and takes the time of each. */
  private static final class Victim implements AutoCloseable {
    final AtomicInteger failures = new AtomicInteger();
    final AtomicInteger calls = new AtomicInteger();
    private final Server server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final BlockingQueue<Long> heard = new LinkedBlockingQueue<>();
    private final Socket stream;
    private int number;

    Victim(Server server) throws Exception {
      this.server = server;
      post(client, server, server.victim, "live", "the first");
      stream = server.connect();
      stream.setSoTimeout(0);
      String head = server.head("GET", "/api/sessions/live/events", server.victim);
      stream.getOutputStream().write((head + "\r\n").getBytes(UTF_8));
      Thread listener = new Thread(this::listen, "victim");
      listener.setDaemon(true);
      listener.start();
    }

    private void listen() {
      try (InputStream in = stream.getInputStream();
          BufferedReader lines = new BufferedReader(new InputStreamReader(in, UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          int at = line.indexOf("event number ");
          if (at >= 0) {
            heard.add(System.nanoTime());
          }
        }
      } catch (IOException e) {
        // closed
      }
    }

    Map<Act, Samples> acts(Deadline deadline) throws Exception {
      Map<Act, List<Double>> millis = new EnumMap<>(Act.class);
      do {
        for (Act act : Act.values()) {
          long begun = System.nanoTime();
          long ended =
              switch (act) {
                case LIST -> call(server.request(server.victim, "/api/sessions").GET());
                case CHAT -> chat();
                case LIVE -> live();
              };
          millis.computeIfAbsent(act, any -> new ArrayList<>()).add((ended - begun) / 1e6);
        }
        TimeUnit.MILLISECONDS.sleep(20);
      } while (!deadline.over());
      Map<Act, Samples> times = new EnumMap<>(Act.class);
      millis.forEach(
          (act, all) ->
              times.put(act, Samples.of(all.stream().mapToDouble(each -> each).toArray())));
      return times;
    }

    private long call(HttpRequest.Builder request) throws InterruptedException {
      calls.incrementAndGet();
      try {
        HttpResponse<Void> answer =
            client.send(request.build(), HttpResponse.BodyHandlers.discarding());
        if (answer.statusCode() != 200) {
          failures.incrementAndGet();
        }
      } catch (IOException e) {
        failures.incrementAndGet();
      }
      return System.nanoTime();
    }

    private long chat() throws InterruptedException {
      String message = "{\"message\":\"hello\",\"session_id\":\"chat-" + number++ / 20 + "\"}";
      return call(
          server
              .request(server.victim, "/api/chat")
              .POST(HttpRequest.BodyPublishers.ofString(message)));
    }

    private long live() throws InterruptedException {
      heard.clear();
      String item = "{\"type\":\"message\",\"role\":\"user\",\"content\":\"event number 1\"}";
      call(
          server
              .request(server.victim, "/v1/conversations/live/items")
              .POST(HttpRequest.BodyPublishers.ofString("{\"items\":[" + item + "]}")));
      Long at = heard.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (at == null) {
        failures.incrementAndGet();
        return System.nanoTime();
      }
      return at;
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
