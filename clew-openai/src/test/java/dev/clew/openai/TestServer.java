package dev.clew.openai;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A server that speaks the wire of the OpenAI API over real HTTP: conversations are kept in memory,
 * everything else answers what the test has planned, troubles included. Thread-safe. Tests of other
 * modules use it too.
 */
public final class TestServer implements AutoCloseable {
  /** What a client sent. */
  public record Received(
      String method,
      String path,
      String query,
      com.sun.net.httpserver.Headers headers,
      String body) {}

  /** What the server does with a request. */
  public interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  static {
    // Otherwise each answer on a used connection waits 40 ms for the client's acknowledgement.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "test-server");
            thread.setDaemon(true);
            return thread;
          });
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final Deque<Answer> plan = new ConcurrentLinkedDeque<>();
  private final Deque<Answer> modelPlan = new ConcurrentLinkedDeque<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final CountDownLatch clientGone = new CountDownLatch(1);
  public final ConversationsStub conversations = new ConversationsStub();

  /** Starts it, on a port that is free. */
  public TestServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Where it is, as OPENAI_BASE_URL has it. */
  public String baseUrl() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
  }

  public List<Received> received() {
    return received;
  }

  public Received last() {
    return received.get(received.size() - 1);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Received request =
        new Received(
            exchange.getRequestMethod(),
            exchange.getRequestURI().getPath(),
            String.valueOf(exchange.getRequestURI().getQuery()),
            exchange.getRequestHeaders(),
            body);
    received.add(request);
    Answer planned = plan.poll();
    if (planned == null && !request.path().startsWith("/v1/conversations")) {
      planned = modelPlan.poll();
    }
    try (exchange) {
      if (planned != null) {
        planned.to(exchange);
      } else if (request.path().startsWith("/v1/conversations")) {
        ConversationsStub.Reply reply = conversations.handle(request);
        json(reply.status(), reply.body()).to(exchange);
      } else {
        json(418, error("nothing is planned for " + request.path(), "unplanned")).to(exchange);
      }
    }
  }

  /** Adds to what the next requests are answered. */
  public TestServer then(Answer answer) {
    plan.add(answer);
    return this;
  }

  /** Adds to what the next requests to a model are answered. */
  public TestServer thenModel(Answer answer) {
    modelPlan.add(answer);
    return this;
  }

  /** What was sent to models. */
  public List<Received> asked() {
    return received.stream()
        .filter(request -> !request.path().startsWith("/v1/conversations"))
        .toList();
  }

  /** The next request is handled as if nothing had been planned. */
  TestServer thenAsUsual() {
    return then(
        exchange -> {
          ConversationsStub.Reply reply = conversations.handle(last());
          json(reply.status(), reply.body()).to(exchange);
        });
  }

  public static Answer json(int status, String body, String... headers) {
    return exchange -> {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      send(exchange, status, body, headers);
    };
  }

  public static Answer events(String... data) {
    return exchange -> {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
      send(exchange, 200, eventText(data));
    };
  }

  /** Sends a part of what it announced, and breaks off. */
  static Answer cut(String contentType, String part) {
    return exchange -> {
      exchange.getResponseHeaders().set("Content-Type", contentType);
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, bytes.length + 1000L);
      OutputStream out = exchange.getResponseBody();
      out.write(bytes);
      out.flush(); // and the server breaks off what is too short
    };
  }

  /** Sends a part and then nothing more, until the client goes away. */
  Answer hangAfter(String contentType, String part) {
    return exchange -> {
      exchange.getResponseHeaders().set("Content-Type", contentType);
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      out.write(part.getBytes(StandardCharsets.UTF_8));
      out.flush();
      noticeThatTheClientIsGone(out);
    };
  }

  /** Sends nothing at all. */
  Answer hang() {
    return exchange -> awaitClosing();
  }

  /** Does its work and then breaks off without an answer. */
  Answer workAndBreakOff() {
    return exchange -> {
      conversations.handle(last());
      exchange.sendResponseHeaders(200, 1000); // of which none comes
    };
  }

  private void noticeThatTheClientIsGone(OutputStream out) {
    try {
      while (closing.getCount() > 0) {
        // A comment line of an event stream; a client that is gone lets the write fail.
        out.write(": still here\n\n".getBytes(StandardCharsets.UTF_8));
        out.flush();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
    } catch (IOException e) {
      clientGone.countDown();
    }
  }

  /** Whether a client went away from {@link #hangAfter}. */
  boolean awaitClientGone() throws InterruptedException {
    return clientGone.await(10, TimeUnit.SECONDS);
  }

  /** Waits until that many requests have come. */
  void awaitRequests(int count) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (received.size() < count) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("only " + received.size() + " requests came");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  private void awaitClosing() {
    try {
      closing.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(HttpExchange exchange, int status, String body, String... headers)
      throws IOException {
    for (int i = 0; i < headers.length; i += 2) {
      exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  static String eventText(String... data) {
    return Stream.of(data).map(each -> "data: " + each + "\n\n").collect(Collectors.joining());
  }

  public static String error(String message, String code) {
    return "{\"error\":{\"message\":\""
        + message
        + "\",\"type\":\"invalid_request_error\",\"param\":null,\"code\":\""
        + code
        + "\"}}";
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
