package dev.clew.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.Stores;
import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.TestStores;
import dev.clew.cli.command.StoreKeys;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.json.Json;
import dev.clew.server.ClewServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.ServerSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted stores in which somebody changed what is stored of two of an owner's sessions. */
class DamagedSessionsTest {
  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> sessionsThatCannotBeRead_areMarked_andTheOthersGoOn() {
    return TestStores.kinds(folder).entrySet().stream()
        .filter(kind -> !kind.getKey().equals("memory"))
        .map(
            kind ->
                DynamicTest.dynamicTest(kind.getKey(), () -> goOn(damaged(kind.getValue().get()))));
  }

  private Shell damaged(String url) throws Exception {
    Shell shell = new Shell().opening(Stores::open);
    Path key = Files.createTempDirectory(folder, "key").resolve("clew.key");
    shell.run("key", "create", "--key", "file:" + key);
    shell.env.put("CLEW_STORE", url);
    shell.env.put("CLEW_KEY", "file:" + key);
    try (SessionStore store = open(shell)) {
      for (String id : List.of("good", "item", "title")) {
        store.session(new SessionKey("ann", id)).addItems(List.of(Item.user("said in " + id)));
        store.session(new SessionKey("ann", id)).update(SessionUpdate.none().title("of " + id));
      }
    }
    try (SessionStore plain = Stores.open(url)) {
      SessionKey item = new SessionKey("ann", "item");
      long position = plain.session(item).entries(Range.latest(1)).entries().get(0).position();
      plain.session(item).commit(Commit.replaceItem(position, Draft.of(Item.user("forged"))));
      plain
          .session(new SessionKey("ann", "title"))
          .update(SessionUpdate.none().metadata(Map.of("title", "forged")));
    }
    return shell;
  }

  private static SessionStore open(Shell shell) {
    return StoreKeys.open(
        () -> Stores.open(String.valueOf(shell.env.get("CLEW_STORE"))),
        Optional.ofNullable(shell.env.get("CLEW_KEY")),
        "--key");
  }

  private void goOn(Shell shell) throws Exception {
    Result list = shell.run("sessions", "list", "--owner", "ann");
    assertThat(list.code()).as(list.err()).isZero();
    assertThat(list.out()).contains("of good", "of item", "damaged").doesNotContain("forged");
    assertThat(shell.run("sessions", "list", "--owner", "ann", "--json").out())
        .containsOnlyOnce("\"damaged\":true");

    Path to = Files.createTempDirectory(folder, "export");
    Result export =
        shell.run("export", "--all", "--owner", "ann", "--format", "md", "--to", to.toString());
    assertThat(export.code()).isEqualTo(ExitCode.FAILED);
    assertThat(export.err()).contains("left out", "'item'", "without title", "'title'");
    assertThat(to.resolve("good.md")).content().contains("said in good");
    assertThat(to.resolve("title.md")).content().contains("said in title");
    assertThat(to.resolve("item.md")).doesNotExist();

    Result stats = shell.run("stats", "--owner", "ann");
    assertThat(stats.code()).as(stats.err()).isZero();
    assertThat(stats.err()).contains("1 session cannot be read");

    Result backup =
        shell.run("backup", "--to", Files.createTempDirectory(folder, "b").resolve("b").toString());
    assertThat(backup.code()).as(backup.out() + backup.err()).isZero();

    shell.run("retention", "set", "old", "--age", "0s");
    Result retention = shell.run("retention", "run", "--dry-run");
    assertThat(retention.code()).as(retention.err()).isZero();
    assertThat(shell.run("retention", "hold", "title", "--owner", "ann", "--reason", "x").code())
        .isZero();
    served(shell);
    assertThat(shell.run("erase", "item", "--owner", "ann", "--yes").code()).isZero();
  }

  private static void served(Shell shell) throws Exception {
    try (SessionStore store = open(shell);
        ClewServer server = ClewServer.start(ServerSettings.of(store).at("127.0.0.1", 0))) {
      String token = server.tokens().create("ann", "test", Scope.OWN, Optional.empty()).secret();
      HttpResponse<String> list = get(server, token, "/api/sessions");
      assertThat(list.statusCode()).as(list.body()).isEqualTo(200);
      assertThat((List<?>) Json.readObject(list.body()).get("data"))
          .hasSize(3)
          .allSatisfy(
              each -> {
                Map<?, ?> session = (Map<?, ?>) each;
                boolean good = "good".equals(session.get("session_id"));
                assertThat(session.get("preview")).isEqualTo(good ? "said in good" : "");
                assertThat(session.get("damaged")).isEqualTo(good ? null : true);
              });
      assertThat(get(server, token, "/api/sessions/good/items").statusCode()).isEqualTo(200);
      HttpResponse<String> refused = get(server, token, "/api/sessions/item/items");
      assertThat(refused.statusCode()).isEqualTo(500);
      assertThat(refused.body()).doesNotContain("forged");
      assertThat(get(server, token, "/api/insight").statusCode()).isEqualTo(200);
    }
  }

  private static HttpResponse<String> get(ClewServer server, String token, String path)
      throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("Authorization", "Bearer " + token)
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }
}
