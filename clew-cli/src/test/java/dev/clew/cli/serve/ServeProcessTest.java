package dev.clew.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.cli.ClewProcess;
import dev.clew.cli.ModelWire;
import dev.clew.cli.Shell;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.openai.TestServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code clew serve} as people start and stop it. */
class ServeProcessTest {
  @TempDir Path folder;

  /** What the server says at its start, by the word before it. */
  private static Map<String, String> greeting(ClewProcess clew) throws Exception {
    Map<String, String> said = new LinkedHashMap<>();
    for (String line = clew.line(); line != null && !line.startsWith("Ctrl-C"); ) {
      String[] words = line.strip().split("  +", 3);
      said.put(words[0], words.length > 1 ? words[1] : "");
      line = clew.line();
    }
    assertThat(said).as(clew.err()).containsKey("at");
    return said;
  }

  private static String get(Map<String, String> said, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(said.get("at") + path))
            .header("Authorization", "Bearer " + said.get("token"))
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private static HttpResponse<String> chat(Map<String, String> said, String message)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(said.get("at") + "/api/chat"))
            .header("Authorization", "Bearer " + said.get("token"))
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"message\":\"" + message + "\",\"session_id\":\"trip\"}"))
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void theFirstStartPrintsAKeyThatWorks_andAStopKeepsEverything() throws Exception {
    Map<String, String> env = Map.of("CLEW_EXPIRE_AFTER", "90d");
    String url = "https://mcp.example.com/mcp";
    try (ClewProcess clew =
        ClewProcess.start(folder, env, "serve", "--port", "0", "--mcp-allow", url)) {
      Map<String, String> said = greeting(clew);
      assertThat(said.get("sign in")).contains("/sign-in?code=");
      assertThat(said.get("MCP")).isEqualTo(url);
      assertThat(said.get("model")).contains("offline demonstration model");
      assertThat(chat(said, "my name is Ada").statusCode()).isEqualTo(200);
      assertThat(chat(said, "what is my name?").body()).contains("Ada");
      assertThat(get(said, "/api/sessions/trip")).contains("\"ttl_seconds\":7776000");
      clew.process.destroy(); // as kill does, so that it can end properly
      assertThat(clew.await()).isEqualTo(143);
    }
    try (SessionStore store = Stores.open(ClewProcess.store(folder))) {
      assertThat(store.session(SessionKey.of("trip")).getItems()).hasSize(4);
    }
    try (ClewProcess again = ClewProcess.start(folder, Map.of(), "serve", "--port", "0")) {
      assertThat(greeting(again).get("token")).startsWith("created earlier");
    }
  }

  @Test
  void itsOptionsAreHeard_andWithoutAnOpenIdProviderNothingOfThatIsLoaded() throws Exception {
    try (ClewProcess clew =
        ClewProcess.start(
            folder,
            Map.of("CLEW_LOG_FORMAT", "json", "CLEW_REQUESTS_PER_MINUTE", "1"),
            "serve",
            "--port",
            "0",
            "--max-messages",
            "2")) {
      Map<String, String> said = greeting(clew);
      assertThat(chat(said, "hello").statusCode()).isEqualTo(200);
      assertThat(chat(said, "hello").statusCode()).isEqualTo(429);
      clew.process.destroy();
      assertThat(clew.await()).isEqualTo(143);
      assertThat(clew.err().lines().filter(line -> line.startsWith("{\"at\":")))
          .hasSize(2)
          .allMatch(line -> line.contains("\"route\":\"/api/chat\""));
      assertThat(clew.loaded())
          .contains("io.micrometer.prometheusmetrics")
          .doesNotContain("com.nimbusds.");
    }
    try (ClewProcess clew =
        ClewProcess.start(
            folder,
            Map.of("CLEW_MAX_MESSAGES", "1", "CLEW_OPENID_ISSUER", "https://id.example.org"),
            "serve",
            "--port",
            "0",
            "--openid-audience",
            "clew",
            "--openid-keys",
            "https://id.example.org/keys",
            "--log-format",
            "none")) {
      Map<String, String> said = greeting(clew);
      assertThat(said.get("token")).startsWith("created earlier");
      assertThat(clew.loaded()).contains("com.nimbusds.");
      assertThat(clew.err()).isEmpty();
    }
  }

  private ClewProcess serving(TestServer model, String... more) throws Exception {
    List<String> args = new ArrayList<>(List.of("serve", "--port", "0", "--titles", "message"));
    args.addAll(List.of(more));
    return ClewProcess.start(
        folder,
        Map.of("OPENAI_BASE_URL", model.baseUrl(), "CLEW_MODEL", "chat:qwen3"),
        args.toArray(String[]::new));
  }

  @Test
  void aRealModelIsAPlainAssistantThatSeesWhatFits_andTheScheduleOnlyIfAskedFor() throws Exception {
    try (TestServer model = new TestServer()) {
      model.then(TestServer.json(200, "{\"data\":[{\"id\":\"q\",\"max_model_len\":40960}]}"));
      try (ClewProcess clew = serving(model)) {
        Map<String, String> said = greeting(clew);
        assertThat(said.get("model")).startsWith("assistant: qwen3 at ");
        assertThat(said.get("context")).startsWith("40,960 tokens");
        for (int i = 0; i < 12; i++) {
          model.thenModel(ModelWire.CHAT.text("yes " + i));
          assertThat(chat(said, "number " + i).statusCode()).isEqualTo(200);
        }
        assertThat(model.last().body())
            .contains("You are a helpful assistant.", "number 0", "yes 0", "number 11")
            .doesNotContain("\"tools\"", "schedule");
        assertThat(get(said, "/api/me")).contains("\"context_tokens\":40960");
      }
      model.then(TestServer.json(404, TestServer.error("no such route", "none")));
      try (ClewProcess clew = serving(model, "--demo", "--history", "1")) {
        Map<String, String> said = greeting(clew);
        assertThat(said.get("model")).startsWith("schedule assistant: qwen3 at ");
        assertThat(said.get("context")).startsWith("128,000 tokens");
      }
      int asked = model.received().size();
      try (ClewProcess clew = serving(model, "--context-tokens", "16000")) {
        assertThat(greeting(clew).get("context")).startsWith("16,000 tokens");
      }
      assertThat(model.received()).hasSize(asked);
    }
  }

  @ParameterizedTest
  @CsvSource({"offline,--model", "chat:qwen3,--demo"})
  @Timeout(60) // a server that starts is stopped, and the test fails
  void instructionsForAnAssistantThatHasItsOwnAreRefused(String model, String reason) {
    Shell shell = new Shell();
    shell.env.put("OPENAI_BASE_URL", "http://127.0.0.1:9/v1");
    Shell.Result result =
        shell.run("serve", "--model", model, "--demo", "--instructions", "be brief");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("--instructions", reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          history             | 0                    | --history is '0'
          context-tokens      | 999                  | --context-tokens is '999'
          max-messages        | many                 | --max-messages is 'many'
          at-limit            | explode              | --at-limit is 'explode'
          expire-after        | soon                 | --expire-after is 'soon'
          titles              | none                 | --titles is 'none'
          requests-per-minute | -1                   | --requests-per-minute is '-1'
          open-calls          | x                    | --open-calls is 'x'
          failed-sign-ins     | x                    | --failed-sign-ins is 'x'
          log-format          | xml                  | --log-format is 'xml'
          audit-days          | 0                    | --audit-days is '0'
          backup-to           | /dev/null/backups    | --backup-to: cannot write
          backup-every        | 0                    | --backup-every is '0'
          backup-every        | 24h                  | --backup-every has no effect without --backup-to
          backup-keep         | 3                    | --backup-keep has no effect without --backup-to
          retention-every     | often                | --retention-every is 'often'
          retention-archive   | old                  | has no effect without --retention-every
          openid-issuer       | https://id.test      | needs all of --openid-issuer
          openid-keys         | https://id.test/keys | needs all of --openid-issuer
          openid-owner-claim  | sub                  | needs all of --openid-issuer
          host                | no-such-host.invalid | there is no such host
          host                | 203.0.113.7          | this machine has no such address
          port                | http                 | --port is 'http'
          model               | gpt                  | there is no model 'gpt'
          """)
  @Timeout(60) // a server that starts is stopped, and the test fails
  void whatCannotBeServedIsRefusedBeforeThereIsAStore(String name, String value, String problem)
      throws Exception {
    assertRefused(shell -> shell.run("serve", "--" + name, value), "clew: ", problem);
    String variable = "CLEW_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    assertRefused(
        shell -> {
          shell.env.put(variable, value);
          return shell.run("serve");
        },
        "clew: " + variable + ": ",
        problem);
    assertRefusedInFile("serve:\n  " + name + ": '" + value + "'\n", problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          auth         | everybody | --auth is 'everybody'
          allow-origin | bogus     | --allow-origin: 'bogus' is not an origin
          """)
  @Timeout(60) // a server that starts is stopped, and the test fails
  void whatHasNoVariableIsRefusedBeforeThereIsAStoreToo(String name, String value, String problem)
      throws Exception {
    assertRefused(shell -> shell.run("serve", "--" + name, value), "clew: ", problem);
    assertRefusedInFile("serve:\n  " + name + ": '" + value + "'\n", problem);
  }

  @Test
  @Timeout(60) // a server that starts is stopped, and the test fails
  void aTakenPortABadKeyAndAShortSecretAreFoundBeforeThereIsAStore() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(taken.getLocalPort());
      assertRefused(shell -> shell.run("serve", "--port", port), "clew: ", "already in use");
      assertRefusedInFile("serve:\n  port: " + port + "\n", "already in use");
    }
    assertRefused(shell -> shell.run("serve", "--key", "bogus"), "clew: --key: ", "file:PATH");
    assertRefused(
        shell -> shell.run("serve", "--auth", "none", "--host", "0.0.0.0"),
        "clew: --auth none works only on this machine: ",
        "remove it, or use --host 127.0.0.1");
    assertRefused(
        shell -> {
          shell.env.put("CLEW_SECRET", "short");
          return shell.run("serve");
        },
        "clew: CLEW_SECRET ",
        "at least");
  }

  private void assertRefusedInFile(String text, String problem) throws Exception {
    Path file = Files.writeString(folder.resolve("clew.yaml"), text);
    assertRefused(
        shell -> shell.run("serve", "--config", file.toString()),
        "clew: " + file + ", line 2: ",
        problem);
  }

  private void assertRefused(Function<Shell, Shell.Result> serve, String place, String problem) {
    Shell shell = new Shell().onRealStores();
    shell.env.put("CLEW_STORE", ClewProcess.store(folder));
    Shell.Result result = serve.apply(shell);
    assertThat(result.code()).isIn(ExitCode.USAGE, ExitCode.FAILED);
    assertThat(result.err()).startsWith(place).contains(problem);
    assertThat(folder.resolve("clew.db")).doesNotExist();
  }

  @Test
  @Timeout(60) // a server that starts is stopped, and the test fails
  void optionsThatMakeNoSenseAreRefused() throws Exception {
    String[][] wrong = {
      {"--history", "0"},
      {"--at-limit", "explode"},
      {"--log-format", "xml"},
      {"--audit-days", "x"},
      {"--expire-after", "soon"},
      {"--openid-issuer", "https://id.example.org"},
      {"--port", "70000"},
      {"--allow-origin", "bogus"},
      {"--allow-origin", "https://chat.example.org/"},
      {"--allow-origin", "https://a.example.org,*"}
    };
    for (String[] args : wrong) {
      Shell.Result result = new Shell().run("serve", args[0], args[1]);
      assertThat(result.code()).as(args[0]).isEqualTo(ExitCode.USAGE);
      assertThat(result.err()).contains(args[0]);
    }
  }

  @Test
  void aPortThatIsTakenIsSaid() throws Exception {
    try (ClewProcess first = ClewProcess.start(folder, Map.of(), "serve", "--port", "0")) {
      String port = greeting(first).get("at").replaceAll(".*:", "");
      try (ClewProcess second = ClewProcess.start(folder, Map.of("CLEW_PORT", port), "serve")) {
        assertThat(second.end()).isEqualTo(ExitCode.FAILED);
        assertThat(second.err()).contains("cannot listen on 127.0.0.1:" + port, "--port");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --host no-such-host.invalid       | there is no such host
          --host 203.0.113.7                | this machine has no such address
          --model gpt                       | there is no model 'gpt'
          --model openai:gpt-5.4            | OPENAI_API_KEY
          --port 99999                      | write a number from 0 to 65535
          --store postgres://127.0.0.1:1/no | 127.0.0.1:1
          --store redis://127.0.0.1:1       | 127.0.0.1:1
          --backup-to /dev/null/backups     | --backup-to: cannot write to the folder /dev/null/backups
          --retention-every 24h --retention-archive /dev/null/old | --retention-archive: cannot write
          """)
  @Timeout(60) // a server that starts is stopped, and the test fails
  void whatKeepsItFromStartingIsSaidInALine(String arguments, String reason) {
    Shell shell = new Shell().onRealStores();
    shell.env.put("CLEW_STORE", ClewProcess.store(folder));
    Shell.Result result = shell.run(("serve " + arguments).split(" ", -1));
    assertThat(result.code()).isNotZero();
    assertThat(result.err()).contains(reason).doesNotContain("\tat ");
    assertThat(result.err().lines()).hasSizeLessThan(4);
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, http://127.0.0.1:18787/v1, openai:x",
    "127.0.0.1, http://localhost:18787, chat:x",
    "127.0.0.1, http://[::1]:18787/v1/, openai:x",
    "0.0.0.0, http://127.0.0.1:18787/v1, openai:x",
    "localhost, http://0.0.0.0:18787/v1, 'offline,chat:x'"
  })
  @Timeout(60) // a server that starts is stopped, and the test fails
  void aServerThatWouldAskItselfDoesNotStart(String host, String base, String models) {
    Shell shell = new Shell().opening(Stores::open);
    shell.env.put("CLEW_STORE", ClewProcess.store(folder));
    shell.env.put("OPENAI_BASE_URL", base);
    Shell.Result result = shell.run("serve", "--host", host, "--port", "18787", "--model", models);
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("OPENAI_BASE_URL", base, "this server", "unset it");
  }

  @Test
  void itMayAskAnotherServerOfThisMachine() {
    assertThat(OwnAddress.is("http://127.0.0.1:11434/v1", "127.0.0.1", 8787)).isFalse();
    assertThat(OwnAddress.is("http://127.0.0.1:8787/v1", "127.0.0.1", 0)).isFalse();
    assertThat(OwnAddress.is("http://192.0.2.7:8787/v1", "127.0.0.1", 8787)).isFalse();
    assertThat(OwnAddress.is("http://192.0.2.7/v1", "0.0.0.0", 80)).isFalse();
    assertThat(OwnAddress.is("http://192.0.2.7:8787/v1", "192.0.2.7", 8787)).isTrue();
    assertThat(OwnAddress.is("http://127.0.0.1", "0.0.0.0", 80)).isTrue();
    assertThat(OwnAddress.is("", "127.0.0.1", 8787)).isFalse();
    assertThat(OwnAddress.is("no url", "127.0.0.1", 8787)).isFalse();
  }

  @Test
  void whatItMakesInAFileOfSomebodyElseIsSaidAtOnce() throws Exception {
    try (Connection raw = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("clew.db"));
        Statement statement = raw.createStatement()) {
      statement.execute("CREATE TABLE customers (name TEXT)");
    }
    try (ClewProcess clew = ClewProcess.start(folder, Map.of(), "serve", "--port", "0")) {
      greeting(clew);
      assertThat(clew.err()).contains("created the tables of Clew in", "clew.db");
    }
  }

  @Test
  void whatItSuggestsIsCalledAsItWasCalled() throws Exception {
    Map<String, String> env = Map.of("CLEW_PROGRAM", "./clew");
    try (ClewProcess clew = ClewProcess.start(folder, env, "serve", "--port", "0")) {
      assertThat(greeting(clew).keySet())
          .anyMatch(line -> line.contains("'./clew serve --help'"))
          .noneMatch(line -> line.contains("'clew "));
    }
  }

  @Test
  void whereItListensEverywhereItsLinkLeadsToThisMachine() throws Exception {
    try (ClewProcess clew =
        ClewProcess.start(folder, Map.of(), "serve", "--port", "0", "--host", "0.0.0.0")) {
      Map<String, String> said = greeting(clew);
      assertThat(said.get("at")).startsWith("http://127.0.0.1:");
      assertThat(said.get("sign in")).startsWith("http://127.0.0.1:");
      assertThat(said.get("SDKs")).startsWith("OPENAI_BASE_URL=http://127.0.0.1:");
      assertThat(String.join(" ", said.values()).split("OPENAI_BASE_URL", -1)).hasSize(2);
      assertThat(get(said, "/api/sessions")).contains("\"data\"");
    }
  }

  @Test
  void withoutSigningInItServesThisMachineOnlyAndSaysSo() throws Exception {
    try (ClewProcess clew =
        ClewProcess.start(folder, Map.of(), "serve", "--port", "0", "--auth", "none")) {
      assertThat(greeting(clew).keySet()).anyMatch(line -> line.startsWith("NO SIGN-IN"));
    }
    try (ClewProcess clew =
        ClewProcess.start(folder, Map.of(), "serve", "--host", "0.0.0.0", "--auth", "none")) {
      assertThat(clew.end()).isEqualTo(ExitCode.USAGE);
      assertThat(clew.err()).contains("--auth none works only on this machine");
    }
  }
}
