package dev.clew.cli.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Documents.Document;
import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.TestStores;
import dev.clew.cli.command.StoreKeys;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.json.Json;
import dev.clew.kit.Sha256;
import dev.clew.server.ClewServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.ServerSettings;
import dev.clew.tck.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** {@code clew erase} in stores that servers write to. */
class ErasedFromServersTest {
  private static final String MARK = "ERASEMARK77";

  @TempDir Path folder;
  private final HttpClient http = HttpClient.newHttpClient();

  private interface OnStore {
    void run(String kind, Shell shell) throws Exception;
  }

  /** On a store of each kind that outlives being closed, in clear and encrypted. */
  private Stream<DynamicTest> onEachKind(OnStore test) {
    return TestStores.kinds(folder).entrySet().stream()
        .filter(kind -> !kind.getKey().equals("memory"))
        .flatMap(
            kind ->
                Stream.of(false, true)
                    .map(
                        safe ->
                            DynamicTest.dynamicTest(
                                kind.getKey() + (safe ? " encrypted" : ""),
                                () ->
                                    test.run(kind.getKey(), shell(kind.getValue().get(), safe)))));
  }

  private Shell shell(String url, boolean safe) throws Exception {
    Shell shell = new Shell().opening(Stores::open);
    shell.env.put("CLEW_STORE", url);
    if (safe) {
      Path key = Files.createTempDirectory(folder, "key").resolve("clew.key");
      shell.run("key", "create", "--key", "file:" + key);
      shell.env.put("CLEW_KEY", "file:" + key);
    }
    return shell;
  }

  private static SessionStore open(Shell shell) {
    return StoreKeys.open(
        () -> Stores.open(String.valueOf(shell.env.get("CLEW_STORE"))),
        Optional.ofNullable(shell.env.get("CLEW_KEY")),
        "--key");
  }

  /** A server and the token of a caller. */
  private final class Caller implements AutoCloseable {
    private final SessionStore store;
    private final ClewServer server;
    private final String owner;
    private final String token;

    Caller(Shell shell, String owner) throws Exception {
      this.owner = owner;
      store = open(shell);
      server = ClewServer.start(ServerSettings.of(store).at("127.0.0.1", 0));
      token = server.tokens().create(owner, "test", Scope.OWN, Optional.empty()).secret();
    }

    HttpResponse<String> send(String method, String path, String body, String... headers)
        throws Exception {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(server.url() + path))
              .header("Authorization", "Bearer " + token)
              .method(method, HttpRequest.BodyPublishers.ofString(body));
      for (int i = 0; i < headers.length; i += 2) {
        request.header(headers[i], headers[i + 1]);
      }
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    Map<String, Object> call(String method, String path, String body, String... headers)
        throws Exception {
      HttpResponse<String> answer = send(method, path, body, headers);
      assertThat(answer.statusCode()).as(method + " " + path + ": " + answer.body()).isEqualTo(200);
      return Json.readObject(answer.body());
    }

    /** Does with a session whatever makes a server keep something about it; its public link. */
    String use(String id) throws Exception {
      String text = id.equals("e") ? MARK : "another";
      chat(id, text + " <is> my secret");
      call(
          "POST",
          "/v1/responses",
          "{\"model\":\"m\",\"input\":\"" + text + "\",\"conversation\":\"" + id + "\"}",
          "Idempotency-Key",
          "key of " + id);
      String items = "/v1/conversations/" + id + "/items";
      call(
          "POST",
          items,
          "{\"items\":[{\"type\":\"message\",\"id\":\"msg_1\",\"role\":\"user\",\"content\":\"x\"}]}");
      call("DELETE", items + "/msg_1", "");
      keepWaiting(id, text);
      return String.valueOf(call("POST", "/api/sessions/" + id + "/shares", "{}").get("path"));
    }

    /** A message that waited for a turn when its server died. */
    private void keepWaiting(String id, String text) throws Exception {
      String session = Sha256.hex(id);
      String place = "{\"turn_id\":\"turn_1\",\"at\":\"2026-01-31T10:00:00Z\",\"state\":\"waits\"}";
      keep("queue/" + session + "/000000000000001-turn_1", place);
      keep("queued/" + session + "/turn_1", Item.user(text + " waits").json());
      String queue = send("GET", "/api/sessions/" + id + "/queue", "").body();
      assertThat(queue).contains(text + " waits");
    }

    private void keep(String name, String json) {
      store.documents().put(owner, name, json, OptionalLong.empty(), Optional.empty());
    }

    void chat(String id, String text) throws Exception {
      call("POST", "/api/chat", "{\"session_id\":\"" + id + "\",\"message\":\"" + text + "\"}");
    }

    @Override
    public void close() {
      server.close();
      store.close();
    }
  }

  private static List<String> names(SessionStore store, String owner) {
    List<String> names = new ArrayList<>();
    store.documents().walk(owner, "").forEach(record -> names.add(record.name()));
    return names;
  }

  private static long saying(SessionStore store, String owner, String text) {
    List<Document> found = new ArrayList<>();
    for (Document record : store.documents().walk(owner, "")) {
      if (record.json().contains(text)) {
        found.add(record);
      }
    }
    return found.size();
  }

  @TestFactory
  Stream<DynamicTest> anErasedSession_leavesNothingThatAServerKeptAboutIt() {
    return onEachKind(this::eraseSession);
  }

  private void eraseSession(String kind, Shell shell) throws Exception {
    String link;
    String other;
    List<String> before;
    try (Caller ann = new Caller(shell, "ann")) {
      other = ann.use("keep");
    }
    try (SessionStore store = open(shell)) {
      before = names(store, "ann");
    }
    try (Caller ann = new Caller(shell, "ann")) {
      link = ann.use("e");
      assertThat(saying(ann.store, "ann", MARK)).as("what there is to erase").isPositive();
    }
    Result result = shell.run("erase", "e", "--owner", "ann", "--yes");

    assertThat(result.code()).as(result.out() + result.err()).isZero();
    assertThat((Long) Shell.object(Json.readObject(result.out()), "erased").get("records"))
        .isGreaterThanOrEqualTo(7);
    for (Path file : StoreFiles.of(String.valueOf(shell.env.get("CLEW_STORE")))) {
      assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
          .as(file.toString())
          .doesNotContain(MARK);
    }
    try (Caller ann = new Caller(shell, "ann")) {
      assertThat(names(ann.store, "ann")).isEqualTo(before);
      assertThat(names(ann.store, "@clew"))
          .filteredOn(name -> name.startsWith("share/"))
          .hasSize(1);
      ann.chat("e", "new");
      assertThat(ann.send("GET", link, "").statusCode()).as("the link").isEqualTo(404);
      assertThat(ann.send("GET", other, "").statusCode()).as("another link").isEqualTo(200);
    }
  }

  @TestFactory
  Stream<DynamicTest> whatIsKeptAboutADeletedSession_canBeErased() {
    return onEachKind(
        (kind, shell) -> {
          try (Caller ann = new Caller(shell, "ann")) {
            ann.use("e");
          }
          shell.run("sessions", "delete", "e", "--owner", "ann", "--yes");
          Result result = shell.run("erase", "e", "--owner", "ann", "--yes");

          assertThat(result.code()).as(result.out() + result.err()).isZero();
          try (SessionStore store = open(shell)) {
            assertThat(saying(store, "ann", MARK)).isZero();
          }
          assertThat(shell.run("erase", "e", "--owner", "ann", "--yes").code())
              .isEqualTo(ExitCode.NOT_FOUND);
        });
  }

  @TestFactory
  Stream<DynamicTest> anErasedOwner_isNamedNowhere_andHerTokenOpensNothing() {
    return onEachKind(this::eraseOwner);
  }

  private void eraseOwner(String kind, Shell shell) throws Exception {
    String token;
    try (Caller erika = new Caller(shell, "erika")) {
      erika.use("e");
      token = erika.token;
    }
    shell.run("retention", "set", "hers", "--owner", "erika", "--age", "7d");
    shell.run("retention", "set", "all", "--age", "700d");
    if (kind.equals("jsonl")) { // which one process has at a time
      erase(shell);
    } else {
      try (Caller bob = new Caller(shell, "bob")) {
        assertThat(status(bob, token)).isEqualTo(200);
        erase(shell);
        Await.until(() -> "the end of the token", () -> status(bob, token) == 401);
      }
    }
    try (SessionStore store = open(shell)) {
      assertThat(saying(store, "@clew", "erika")).isZero();
      assertThat(store.owners(Optional.empty(), 100)).noneMatch(name -> name.contains("erika"));
      assertThat(names(store, "@clew")).contains("retention/all");
    }
    for (Path file : StoreFiles.of(String.valueOf(shell.env.get("CLEW_STORE")))) {
      assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
          .as(file.toString())
          .doesNotContain("erika");
    }
    try (Caller bob = new Caller(shell, "bob")) {
      assertThat(status(bob, bob.token)).isEqualTo(200);
      assertThat(status(bob, token)).isEqualTo(401);
    }
  }

  private static void erase(Shell shell) {
    Result result = shell.run("erase", "--owner", "erika", "--yes");
    assertThat(result.code()).as(result.out() + result.err()).isZero();
  }

  private int status(Caller server, String token) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.server.url() + "/api/me"))
            .header("Authorization", "Bearer " + token)
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
