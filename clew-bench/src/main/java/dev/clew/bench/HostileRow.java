package dev.clew.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clew.bench.Figure.Target;
import dev.clew.testservers.Attack;
import dev.clew.testservers.Attack.Deadline;
import dev.clew.testservers.AttackedServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * What one owner feels while another does the worst she can: lists, turns of a chat and live
 * updates of the first, at the 99th percentile, over what they are when nothing else happens. The
 * server has a process of its own with 512 MiB of heap and its usual limits, and so has each {@link
 * Attack}. The quiet value is measured for as long before all attacks and after them. Stateless.
 */
final class HostileRow implements Row {
  static final String VICTIM = "ann";
  static final String ATTACKER = "bob";

  private static final int MIB = 1 << 20;

  /** What the victim does again and again. */
  private enum Act {
    LIST,
    CHAT,
    LIVE
  }

  /** What the victim felt: milliseconds of each act. */
  private static final class Felt {
    /** How often the attacker tried meanwhile. */
    long tried;

    private final Map<Act, List<Double>> millis = new EnumMap<>(Act.class);

    void add(Act act, double time) {
      millis.computeIfAbsent(act, any -> new ArrayList<>()).add(time);
    }

    Felt and(Felt other) {
      Felt both = new Felt();
      for (Felt each : List.of(this, other)) {
        each.millis.forEach((act, times) -> times.forEach(time -> both.add(act, time)));
      }
      return both;
    }

    Samples of(Act act) {
      return Samples.of(
          millis.getOrDefault(act, List.of()).stream().mapToDouble(time -> time).toArray());
    }

    double worstOver(Felt quiet) {
      double worst = 0;
      for (Act act : Act.values()) {
        worst = Math.max(worst, of(act).percentile(99) / quiet.of(act).percentile(99));
      }
      return worst;
    }

    @Override
    public String toString() {
      List<String> texts = new ArrayList<>();
      for (Act act : Act.values()) {
        String name = act.name().toLowerCase(Locale.ROOT);
        String p50 = Samples.number(of(act).median());
        String p99 = Samples.number(of(act).percentile(99));
        texts.add(name + " p50 " + p50 + ", p99 " + p99 + " ms");
      }
      return String.join("; ", texts);
    }
  }

  @Override
  public void measure(Lab lab) throws Exception {
    int seconds = lab.attackSeconds();
    Path tokens = lab.file("tokens");
    try (Child child =
        Child.jvm(
            HostileServer.class,
            List.of("-Xmx512m"),
            lab.file("hostile.db").toString(),
            tokens.toString())) {
      Map<String, Long> begun = child.untilReady();
      int port = begun.getOrDefault("port", 0L).intValue();
      List<String> secrets = Files.readAllLines(tokens);
      AttackedServer attacked = new AttackedServer(port, secrets.get(1));
      try (Victim victim = new Victim(new AttackedServer(port, secrets.get(0)))) {
        Attack.prepare(attacked, lab.size(200, 10));
        awaitIndexed(lab.file("hostile.db"));
        victim.acts(Deadline.in(lab.size(10, 2))); // warms up
        Felt before = victim.acts(Deadline.in(seconds));
        lab.note("quiet: " + before + load());
        Map<Attack, Felt> felt = new EnumMap<>(Attack.class);
        for (Attack attack : Attack.values()) {
          String load = load();
          felt.put(attack, under(attack, attacked, victim, seconds));
          lab.note(attack.title + ": " + felt.get(attack) + load);
          victim.acts(Deadline.in(1)); // what is left of it ends
        }
        Felt after = victim.acts(Deadline.in(seconds));
        lab.note("quiet again: " + after + load());
        Felt quiet = before.and(after);
        felt.forEach((attack, times) -> report(lab, attack, times, quiet));
        lab.report(
            "errors (5xx) or lost answers of the victim in all of it",
            Samples.of(victim.failures.size()),
            "",
            Target.atMost(0),
            victim.calls + " calls" + (victim.failures.isEmpty() ? "" : ": " + victim.failures));
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

  private static Felt under(Attack attack, AttackedServer server, Victim victim, int seconds)
      throws Exception {
    try (Child attacker =
        Child.nicedJvm(
            Attack.class,
            attack.name(),
            Integer.toString(server.port()),
            server.token(),
            Integer.toString(seconds))) {
      attacker.awaitReady();
      attacker.go();
      Felt felt = victim.acts(Deadline.in(seconds));
      felt.tried = attacker.result().getOrDefault("tried", 0L);
      return felt;
    }
  }

  private static void report(Lab lab, Attack attack, Felt felt, Felt quiet) {
    lab.report(
        attack.title + " of another owner: p99 over its quiet value, worst of three",
        Samples.of(felt.worstOver(quiet)),
        "",
        Target.atMost(5),
        felt + "; tried " + felt.tried + " times");
  }

  /** Waits until the texts are indexed, which happens once, while nobody writes. */
  private static void awaitIndexed(Path file) throws Exception {
    String behind =
        "SELECT 1 FROM agent_messages WHERE id > (SELECT value FROM clew_meta WHERE name = 'indexed')";
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      boolean waiting = true;
      while (waiting) {
        TimeUnit.MILLISECONDS.sleep(200);
        try (ResultSet rows = statement.executeQuery(behind)) {
          waiting = rows.next();
        }
      }
    }
  }

  private static String load() throws IOException {
    return "; load " + Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
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
    final List<String> failures = new ArrayList<>();
    int calls;
    private final AttackedServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final BlockingQueue<Long> heard = new LinkedBlockingQueue<>();
    private final Socket stream;
    private int number;

    Victim(AttackedServer server) throws Exception {
      this.server = server;
      server.post(client, "live", "\"the first\"");
      stream = server.connect();
      stream.setSoTimeout(0);
      String head = server.head("GET", "/api/sessions/live/events");
      stream.getOutputStream().write((head + "\r\n").getBytes(UTF_8));
      Thread listener = new Thread(this::listen, "victim");
      listener.setDaemon(true);
      listener.start();
    }

    private void listen() {
      try (InputStream in = stream.getInputStream();
          BufferedReader lines = new BufferedReader(new InputStreamReader(in, UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.contains("event number ")) {
            heard.add(System.nanoTime());
          }
        }
      } catch (IOException e) {
        // closed
      }
    }

    Felt acts(Deadline deadline) throws Exception {
      Felt felt = new Felt();
      do {
        for (Act act : Act.values()) {
          long begun = System.nanoTime();
          long ended =
              switch (act) {
                case LIST -> call(server.request("/api/sessions").GET());
                case CHAT -> chat();
                case LIVE -> live();
              };
          felt.add(act, (ended - begun) / 1e6);
        }
        TimeUnit.MILLISECONDS.sleep(20);
      } while (!deadline.over());
      return felt;
    }

    private long call(HttpRequest.Builder request) throws InterruptedException {
      calls++;
      try {
        HttpResponse<Void> answer =
            client.send(request.build(), HttpResponse.BodyHandlers.discarding());
        if (answer.statusCode() != 200) {
          failures.add(answer.uri().getPath() + " " + answer.statusCode());
        }
      } catch (IOException e) {
        failures.add(String.valueOf(e.getMessage()));
      }
      return System.nanoTime();
    }

    private long chat() throws InterruptedException {
      String message = "{\"message\":\"hello\",\"session_id\":\"chat-" + number++ / 20 + "\"}";
      return call(server.request("/api/chat").POST(HttpRequest.BodyPublishers.ofString(message)));
    }

    private long live() throws InterruptedException {
      heard.clear();
      String item = "{\"type\":\"message\",\"role\":\"user\",\"content\":\"event number 1\"}";
      call(
          server
              .request("/v1/conversations/live/items")
              .POST(HttpRequest.BodyPublishers.ofString("{\"items\":[" + item + "]}")));
      Long at = heard.poll(AttackedServer.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (at == null) {
        failures.add("no live update");
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
