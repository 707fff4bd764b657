package dev.clew.mcp;

import dev.clew.kit.Daemons;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries messages over standard input and output, one per line, until the input ends. Requests run
 * side by side, a few at a time, so that a slow search does not delay a ping. Used once.
 */
public final class McpStdio {
  private static final int AT_ONCE = 4;
  private static final int WAITING = 64;
  private static final long LAST_WORDS_SECONDS = 5;

  private final McpServer server;
  private final McpCaller caller;
  private final Consumer<String> out;
  private final Semaphore room = new Semaphore(WAITING);
  private final Map<String, AtomicBoolean> running = new ConcurrentHashMap<>();
  private volatile @Nullable RuntimeException broken;

  private McpStdio(McpServer server, McpCaller caller, Consumer<String> out) {
    this.server = server;
    this.caller = caller;
    this.out = out;
  }

  /**
   * Serves one client, and returns when its input ends.
   *
   * @param out sends an answer, which has no line ends; called by one thread at a time
   * @throws IOException if the input breaks
   */
  public static void serve(McpServer server, McpCaller caller, InputStream in, Consumer<String> out)
      throws IOException {
    new McpStdio(server, caller, out).serve(in);
  }

  private void serve(InputStream in) throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE, Daemons.named("clew-mcp"));
    try {
      String line;
      while (broken == null && (line = readLine(in)) != null) {
        if (!line.isBlank()) {
          begin(pool, line);
        }
      }
    } finally {
      pool.shutdown();
      awaitEnd(pool);
    }
    RuntimeException failure = broken;
    if (failure != null) {
      throw failure;
    }
  }

  private void begin(ExecutorService pool, String line) {
    Rpc rpc;
    try {
      rpc = Rpc.read(line);
    } catch (RpcError e) {
      answer(caller, line);
      return;
    }
    if (rpc.method().equals("notifications/cancelled")) {
      AtomicBoolean wanted = running.get(rpc.params().getOrDefault("requestId", ""));
      if (wanted != null) {
        wanted.set(false);
      }
    }
    String id = rpc.id();
    if (id == null) {
      return;
    }
    AtomicBoolean wanted = new AtomicBoolean(true);
    room.acquireUninterruptibly();
    running.put(id, wanted);
    pool.execute(
        () -> {
          try {
            answer(caller.wanted(wanted::get), line);
          } finally {
            running.remove(id, wanted);
            room.release();
          }
        });
  }

  private void answer(McpCaller who, String line) {
    McpReply reply = server.answer(who, McpMessage.of(line));
    if (who.wanted().getAsBoolean()) {
      reply.json().ifPresent(this::write);
    }
  }

  private synchronized void write(String json) {
    try {
      out.accept(json);
    } catch (RuntimeException e) { // nobody reads any more
      broken = e;
    }
  }

  /** The next line, of which no more than a message may have is kept; null at the end. */
  private static @Nullable String readLine(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = in.read();
    if (next < 0) {
      return null;
    }
    while (next >= 0 && next != '\n') {
      if (line.size() <= McpServer.MOST_BYTES) {
        line.write(next);
      }
      next = in.read();
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  private static void awaitEnd(ExecutorService pool) {
    try {
      if (!pool.awaitTermination(LAST_WORDS_SECONDS, TimeUnit.SECONDS)) {
        pool.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
