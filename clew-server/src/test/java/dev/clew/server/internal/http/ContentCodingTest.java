package dev.clew.server.internal.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import dev.clew.json.Json;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that clients have compressed. */
@Tag("hostile")
class ContentCodingTest {
  private static final String TEXT = "{\"model\":\"m\",\"input\":\"hello\"}";

  private final MemoryStore store = MemoryStore.builder().build();
  private final LiveServer live = new LiveServer(store, settings -> settings.openMetrics(true));
  private final String bearer = "Bearer " + live.token("ann");
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  private static byte[] coded(String coding, byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out =
        coding.equals("zstd")
            ? new ZstdOutputStreamNoFinalizer(bytes)
            : new GZIPOutputStream(bytes)) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  private HttpResponse<String> post(String path, String coding, byte[] body) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(live.server().url() + path))
            .header("Authorization", bearer)
            .header("Content-Encoding", coding)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "x-gzip", "GZIP", "zstd", "identity"})
  void aBodyIsReadAsIfItHadNotBeenCompressed(String coding) throws Exception {
    byte[] body = TEXT.getBytes(UTF_8);
    var answer =
        post("/v1/responses", coding, coding.equals("identity") ? body : coded(coding, body));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(Json.fields(answer.body())).containsEntry("status", "\"completed\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void aLargeOneIsReadWhole(String coding) throws Exception {
    String word = "word ".repeat(1 << 20);
    var made =
        post(
            "/v1/conversations",
            coding,
            coded(
                coding,
                ("{\"items\":[{\"role\":\"user\",\"content\":\"" + word + "\"}]}")
                    .getBytes(UTF_8)));
    assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
    String id = Json.string(Json.fields(made.body()).get("id"));
    assertThat(
            live.send("GET", "/v1/conversations/" + id + "/items", "", "Authorization", bearer)
                .body())
        .contains(word);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void oneThatUnfoldsBeyondTheLimitIsRefused_andItsMemoryIsFreed(String coding) throws Exception {
    byte[] bomb = new byte[33 << 20];
    Arrays.fill(bomb, (byte) ' ');
    var answer = post("/v1/responses", coding, coded(coding, bomb));
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("\"code\":\"body_too_large\"");
    Eventually.ask(
        "the memory is free again",
        () -> live.send("GET", "/metrics", "").body(),
        metrics -> metrics.contains("clew_bodies_bytes 0.0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void oneThatIsDamagedOrCutOffIsRefused(String coding) throws Exception {
    byte[] body = coded(coding, TEXT.getBytes(UTF_8));
    var cut = post("/v1/responses", coding, Arrays.copyOf(body, body.length - 6));
    assertThat(cut.statusCode()).isEqualTo(400);
    assertThat(cut.body()).contains("\"code\":\"invalid_body\"");
    assertThat(post("/v1/responses", coding, TEXT.getBytes(UTF_8)).statusCode()).isEqualTo(400);
  }

  @Test
  void membersAreReadOneAfterTheOther_butNotEndlesslyManyEmptyOnes() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(coded("gzip", TEXT.substring(0, 10).getBytes(UTF_8)));
    bytes.write(coded("gzip", new byte[0]));
    bytes.write(coded("gzip", TEXT.substring(10).getBytes(UTF_8)));
    assertThat(post("/v1/responses", "gzip", bytes.toByteArray()).statusCode()).isEqualTo(200);

    byte[] empty = coded("gzip", new byte[0]);
    for (int i = 0; i < 20_000; i++) {
      bytes.write(empty);
    }
    var answer = post("/v1/responses", "gzip", bytes.toByteArray());
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("\"code\":\"invalid_body\"");
  }

  @Test
  void aWindowThatTakesMuchMemoryIsRefused() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZstdOutputStreamNoFinalizer out = new ZstdOutputStreamNoFinalizer(bytes)) {
      out.setLong(27);
      out.write(TEXT.getBytes(UTF_8));
    }
    var answer = post("/v1/responses", "zstd", bytes.toByteArray());
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("\"code\":\"invalid_body\"").contains("more than 8 MiB");
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "deflate", "gzip, gzip", "zstd, gzip"})
  void anotherCodingIsRefused_namingThoseThatAreRead(String coding) throws Exception {
    var answer = post("/v1/responses", coding, TEXT.getBytes(UTF_8));
    assertThat(answer.statusCode()).isEqualTo(415);
    assertThat(answer.headers().firstValue("accept-encoding")).hasValue("gzip, zstd");
    assertThat(answer.body()).contains("\"code\":\"unsupported_content_encoding\"");
  }
}
