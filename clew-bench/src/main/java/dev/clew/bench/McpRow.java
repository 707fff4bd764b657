package dev.clew.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.bench.Figure.Target;
import dev.clew.server.ClewServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.ServerSettings;
import dev.clew.sqlite.SqliteStore;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Searches through {@code /mcp} beside those of the chat API, the memory of clients that stay
 * connected, and the start of {@code clew mcp}. Stateless.
 */
final class McpRow implements Row {
  private static final int CLIENTS = 100;
  private static final String SEARCH =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
          + "\"name\":\"search_conversations\",\"arguments\":{\"query\":\"bridge\"}}}";
  private static final String INITIALIZE =
      "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
          + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
          + "\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}";

  @Override
  public void measure(Lab lab) throws Exception {
    Path file = lab.file("mcp.db");
    try (SqliteStore store = SqliteStore.open(file)) {
      for (int i = 0; i < lab.size(1_000, 100); i++) {
        store
            .session(new SessionKey("bench", "s" + i))
            .addItems(
                List.of(
                    Item.user("where is the " + (i % 50 == 0 ? "bridge" : "tower") + " " + i),
                    Item.assistant("at the bay")));
      }
      try (ClewServer server =
          ClewServer.start(
              ServerSettings.of(store).at("127.0.0.1", 0).limits(LimitSettings.NONE))) {
        String token =
            server.tokens().create("bench", "bench", Scope.OWN, Optional.empty()).secret();
        search(lab, server.port(), token);
        clients(lab, server.port(), token);
      }
    }
    start(lab, file);
  }

  private static void search(Lab lab, int port, String token) throws Exception {
    byte[] chat = HttpLoad.request("GET", "/api/search?q=bridge&limit=10", token, "");
    byte[] mcp = HttpLoad.request("POST", "/mcp", token, SEARCH);
    try (HttpLoad byChat = new HttpLoad(port, 1, 20, k -> chat);
        HttpLoad byMcp = new HttpLoad(port, 1, 20, k -> mcp)) {
      Race.Times times =
          new Race().add("chat", byChat).add("mcp", byMcp).run(lab.rounds, 1, lab.warmUpMillis());
      lab.report(
          "search through /mcp, to the same by the chat API",
          times.ratio("mcp", "chat"),
          "×",
          Target.atMost(1.3),
          times.micros("mcp", 20_000) + " ms, " + times.micros("chat", 20_000) + " ms");
    }
  }

  /** Clients and server are one process here, so this is the memory of both ends. */
  private static void clients(Lab lab, int port, String token) throws Exception {
    byte[] hello = HttpLoad.request("POST", "/mcp", token, INITIALIZE);
    byte[] search = HttpLoad.request("POST", "/mcp", token, SEARCH);
    List<Socket> open = new ArrayList<>();
    try {
      for (int i = 0; i < CLIENTS; i++) { // so that what all of them share is there
        connected(port, hello, search).close();
      }
      long before = heap();
      for (int i = 0; i < CLIENTS; i++) {
        open.add(connected(port, hello, search));
      }
      lab.report(
          "a client connected to /mcp holds, of " + CLIENTS,
          Samples.of((heap() - before) / 1024.0 / CLIENTS),
          " KiB",
          Target.atMost(100),
          "both ends of the connection");
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  private static Socket connected(int port, byte[]... requests) throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    byte[] piece = new byte[1 << 16];
    for (byte[] request : requests) {
      socket.getOutputStream().write(request);
      StringBuilder answer = new StringBuilder();
      while (!answer.toString().endsWith("}")) {
        answer.append(new String(piece, 0, socket.getInputStream().read(piece), UTF_8));
      }
    }
    return socket;
  }

  private static long heap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static void start(Lab lab, Path file) throws Exception {
    Path launcher = Path.of("clew").toAbsolutePath();
    if (!Files.exists(Path.of("clew-cli", "target", "run", "clew.jar"))) {
      lab.note("start of clew mcp: not measured; run ./clew --version once to build it");
      return;
    }
    List<String> command =
        List.of(launcher.toString(), "mcp", "--owner", "bench", "--store", "sqlite:" + file);
    Race.Times times =
        new Race()
            .add("mcp", () -> initialized(command))
            .add("java", () -> StartRow.run(List.of(Child.java(), "-XX:+UseSerialGC", "-version")))
            .run(Math.max(9, lab.rounds), 1, 0);
    lab.report(
        "./clew mcp answers initialize after, whole process",
        times.micros("mcp", 1000),
        " ms",
        Target.atMost(400),
        "java -version " + times.micros("java", 1000) + " ms");
  }

  private static long initialized(List<String> command) throws Exception {
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (OutputStream out = process.getOutputStream();
        BufferedReader in =
            new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      out.write((INITIALIZE + "\n").getBytes(UTF_8));
      out.flush();
      String answer = in.readLine();
      long nanos = System.nanoTime() - start;
      if (answer == null || !answer.contains("serverInfo")) {
        throw new IllegalStateException("clew mcp answered " + answer);
      }
      return nanos;
    } finally {
      process.waitFor();
    }
  }
}
