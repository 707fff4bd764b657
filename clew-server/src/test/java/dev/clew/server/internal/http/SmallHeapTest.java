package dev.clew.server.internal.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.SearchQuery;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.Stores;
import dev.clew.server.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server with a small heap, from which many want much at once. */
@Tag("hostile")
class SmallHeapTest {
  private static final SessionKey LARGE = new SessionKey("ann", "conv_large");
  private static final int BODY = 31 << 20;
  private static final int CLIENTS = 40;
  private static final int ITEM = 9_900_000;
  private static final int ITEMS = 20; // twice in memory they are more than the heap

  @TempDir Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ExecutorService clients = Executors.newCachedThreadPool();
  private final List<Socket> sockets = new ArrayList<>();
  private @Nullable Process child;
  private String url;
  private String ann;
  private String bob;

  private void start(String heap) throws IOException {
    Path libraries = Files.createDirectories(folder.resolve("native"));
    Process started =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                heap,
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + libraries,
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                SmallHeapProgram.class.getName(),
                store())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    child = started;
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
    url = Eventually.value(CompletableFuture.supplyAsync(() -> line(lines)));
    ann = "Bearer " + line(lines);
    bob = "Bearer " + line(lines);
  }

  private String store() {
    return "sqlite:" + folder.resolve("h.db");
  }

  private static String line(BufferedReader lines) {
    try {
      return Objects.requireNonNull(lines.readLine(), "the server did not start");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void stop() throws Exception {
    clients.shutdownNow();
    for (Socket socket : sockets) {
      socket.close();
    }
    if (child != null) {
      child.destroyForcibly().waitFor();
    }
  }

  private HttpResponse<String> send(String method, String path, String body, String bearer) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(Duration.ofSeconds(50))
            .header("Authorization", bearer)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void assertBobIsServed() {
    HttpRequest health = HttpRequest.newBuilder(URI.create(url + "/healthz")).build();
    try {
      assertThat(http.send(health, HttpResponse.BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("the server does not answer", e);
    }
    HttpResponse<String> said = send("POST", "/api/chat", "{\"message\":\"hello\"}", bob);
    assertThat(said.statusCode()).as(said.body()).isEqualTo(200);
  }

  /** All of a body but its end, as fast as it is taken; what is left of it never comes. */
  private Void sendsMuch(String authorization) throws IOException {
    byte[] block = new byte[1 << 20];
    Arrays.fill(block, (byte) ' ');
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), URI.create(url).getPort())) {
      OutputStream out = socket.getOutputStream();
      String head = "POST /v1/conversations HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: " + BODY;
      out.write((head + authorization + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
      for (int sent = block.length; sent < BODY; sent += block.length) {
        out.write(block);
      }
      out.flush();
      socket.setSoTimeout((int) Eventually.DEADLINE.toMillis());
      socket.getInputStream().readAllBytes(); // until it is cut, or refused
    } catch (java.net.SocketException e) {
      // Refused, or cut because it was too slow: that is what this is about.
    }
    return null;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void largeBodiesOfManyDoNotKeepOthersFromBeingServed(boolean withToken) throws Exception {
    start("-Xmx256m");
    String authorization = withToken ? "\r\nAuthorization: " + ann : "";
    List<Future<Void>> attackers = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      attackers.add(clients.submit(() -> sendsMuch(authorization)));
    }
    int served = 0;
    while (!attackers.stream().allMatch(Future::isDone) || served == 0) {
      assertBobIsServed();
      served++;
    }
    attackers.forEach(Eventually::value);
    assertBobIsServed();
    // There is room again for the largest that is taken.
    HttpResponse<String> large =
        send("POST", "/v1/conversations", " ".repeat(BODY - 2) + "{}", ann);
    assertThat(large.statusCode()).as(large.body()).isEqualTo(200);
  }

  @Test
  void theTokensOfLongWordsAreCounted() throws Exception {
    start("-Xmx256m");
    String word = "x".repeat(4_000_000);
    String said = "{\"role\":\"user\",\"content\":\"" + word + "\"}";
    String body = "{\"model\":\"m\",\"input\":[" + said + "," + said + "]}";
    HttpResponse<String> counted = send("POST", "/v1/responses/input_tokens", body, ann);
    assertThat(counted.statusCode()).as(counted.body()).isEqualTo(200);
    assertThat(counted.body()).contains("\"input_tokens\":1000008"); // eight in a token
    HttpResponse<String> refused = send("POST", "/v1/responses", body, ann);
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
    assertThat(refused.body()).contains("context_length_exceeded");
    assertBobIsServed();
  }

  /** Much that is no text, so that the store has nothing to do by itself. */
  private void fill() {
    String image = "data:image/png;base64," + "A".repeat(ITEM);
    String json =
        "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_image\",\"image_url\":\""
            + image
            + "\"}]}";
    Item item = Item.parse(json, ItemLimits.STORE);
    try (SessionStore store = Stores.open(store())) {
      for (int i = 0; i < ITEMS; i++) {
        store.session(LARGE).addItems(List.of(item));
      }
      for (int i = 0; i < 20; i++) {
        store
            .session(new SessionKey("ann", "s" + i))
            .update(SessionUpdate.none().metadata(Map.of("m", "m".repeat(1_000_000))));
      }
      Eventually.ask(
          "the index has caught up",
          () -> store.search(SearchQuery.of("ann", "nothing")).partial(),
          partial -> !partial);
    }
  }

  @Test
  void largeAnswersToManyAreBounded_andWhoDoesNotReadThemIsCut() throws Exception {
    fill();
    start("-Xmx384m");
    List<String> paths =
        List.of(
            "/api/sessions/conv_large/items?limit=100",
            "/api/sessions/conv_large/messages?limit=1000",
            "/v1/conversations/conv_large/items?limit=100",
            "/v1/conversations/conv_large/items?limit=100&order=asc",
            "/api/sessions/conv_large/export?format=jsonl",
            "/api/sessions?limit=100",
            "/v1/conversations?limit=100");
    Set<Integer> statuses = ConcurrentHashMap.newKeySet();
    List<Future<?>> readers = new ArrayList<>();
    for (int i = 0; i < 14; i++) {
      String path = paths.get(i % paths.size());
      readers.add(
          clients.submit(
              () -> {
                statuses.add(discard(path));
                return null;
              }));
    }
    while (!readers.stream().allMatch(Future::isDone)) {
      assertBobIsServed();
    }
    readers.forEach(Eventually::value);
    assertThat(statuses).isSubsetOf(200, 503).contains(200);
    // One after the other, each of them is answered.
    for (String path : paths) {
      assertThat(discard(path)).as(path).isEqualTo(200);
    }
    assertWhoDoesNotReadIsCut();
  }

  /** However long the items of a session are, a turn reads what it can use. */
  @Test
  void turnsInASessionOfLongItemsAreAnsweredOrRefused_andLeaveItUnlocked() throws Exception {
    fill();
    start("-Xmx384m");
    String chat = "{\"message\":\"hello\",\"session_id\":\"conv_large\"}";
    String response = "{\"model\":\"m\",\"conversation\":\"conv_large\",\"input\":\"hello\"}";
    String said =
        "[{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":\"b\"}"
            + ",{\"role\":\"user\",\"content\":\"c\"}]";
    String completion =
        "{\"model\":\"m\",\"conversation\":\"conv_large\",\"messages\":" + said + "}";
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> responded = send("POST", "/v1/responses", response, ann);
      assertThat(responded.statusCode()).as(responded.body()).isEqualTo(400);
      assertThat(responded.body()).contains("context_length_exceeded");
      HttpResponse<String> chatted = send("POST", "/api/chat", chat, ann);
      assertThat(chatted.statusCode()).as(chatted.body()).isEqualTo(200);
      HttpResponse<String> completed = send("POST", "/v1/chat/completions", completion, ann);
      assertThat(completed.statusCode()).as(completed.body()).isEqualTo(200);
    }
    assertBobIsServed();
  }

  /** More than twice the heap, in both directions. */
  @Test
  void everythingComesInAndGoesOutAsOneFile() throws Exception {
    start("-Xmx80m");
    String text = "y".repeat(60_000);
    Iterable<byte[]> lines =
        () ->
            IntStream.range(0, 2_500)
                .mapToObj(
                    i ->
                        "{\"session_id\":\"s%d\",\"items\":[{\"role\":\"user\",\"content\":\"%s\"}]}\n"
                            .formatted(i, text))
                .map(line -> line.getBytes(UTF_8))
                .iterator();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/api/import"))
            .header("Authorization", ann)
            .POST(HttpRequest.BodyPublishers.ofByteArrays(lines))
            .build();
    Future<HttpResponse<String>> report =
        clients.submit(() -> http.send(request, HttpResponse.BodyHandlers.ofString()));
    assertThat(Eventually.value(report).body()).contains("\"imported\":2500,");
    assertBobIsServed();
    HttpRequest all =
        HttpRequest.newBuilder(URI.create(url + "/api/export"))
            .header("Authorization", ann)
            .build();
    try (InputStream out = http.send(all, HttpResponse.BodyHandlers.ofInputStream()).body()) {
      byte[] buffer = new byte[1 << 16];
      long bytes = 0;
      for (int read = out.read(buffer); read >= 0; read = out.read(buffer)) {
        bytes += read;
      }
      assertThat(bytes).isGreaterThan(2_500L * 60_000);
    }
  }

  private int discard(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + path)).header("Authorization", ann).build();
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  private void assertWhoDoesNotReadIsCut() throws Exception {
    for (int i = 0; i < 60; i++) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), URI.create(url).getPort());
      sockets.add(socket);
      String head =
          "GET /api/sessions/conv_large/items?limit=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
              + "Authorization: "
              + ann
              + "\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
    }
    Eventually.ask(
        "all that was not read is gone",
        () -> {
          assertBobIsServed();
          return send("GET", "/metrics", "", bob).body();
        },
        metrics -> metrics.contains("\nclew_answers_bytes 0"));
    assertThat(discard("/api/sessions/conv_large/items?limit=1")).isEqualTo(200);
  }
}
