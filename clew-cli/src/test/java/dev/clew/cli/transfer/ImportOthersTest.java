package dev.clew.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.View;
import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.testservers.PostgresServer;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.memory.repository.jdbc.JdbcChatMemoryRepository;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/** {@code clew import} of what LangChain4j and Spring AI themselves have written. */
class ImportOthersTest {
  @TempDir Path folder;
  private final Shell shell = new Shell();

  private List<Item> items(String id) {
    return shell.store.session(id).getItems();
  }

  private static String text(Item item) {
    return ((View.Message) item.view()).text();
  }

  @Test
  void langChain4j_theMessagesOfAMemory() throws IOException {
    String json =
        ChatMessageSerializer.messagesToJson(
            List.of(
                SystemMessage.from("Be brief."),
                dev.langchain4j.data.message.UserMessage.from(
                    TextContent.from("Weather in 京都?"),
                    ImageContent.from("https://example.org/map.png")),
                AiMessage.from(
                    "I look.",
                    List.of(
                        ToolExecutionRequest.builder()
                            .id("c1")
                            .name("weather")
                            .arguments("{\"city\":\"京都\"}")
                            .build())),
                ToolExecutionResultMessage.from("c1", "weather", "18 C"),
                AiMessage.from("18 degrees.")));
    Path file = Files.writeString(folder.resolve("user-7.json"), json);
    Result result = shell.run("import", file.toString());

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out()).contains("imported 1 session with 6 items from langchain4j");
    List<Item> items = items("user-7");
    assertThat(text(items.get(1))).isEqualTo("Weather in 京都?");
    assertThat(items.get(1).json()).contains("\"image_url\":\"https://example.org/map.png\"");
    assertThat(items.get(3)).isEqualTo(Item.functionCall("c1", "weather", "{\"city\":\"京都\"}"));
    assertThat(items.get(4)).isEqualTo(Item.functionCallOutput("c1", "18 C"));
    assertThat(text(items.get(5))).isEqualTo("18 degrees.");
    assertThat(shell.run("import", file.toString(), "--session", "other").code()).isZero();
    assertThat(items("other")).isEqualTo(items);
  }

  /** Cut inside of its first conversation, a file looks like nothing at all. */
  @Test
  void aSourceThatIsCut_isRefusedWithThePlaceAlsoWithoutItsFormat() throws IOException {
    String whole =
        "[\n{\"id\":\"c1\",\"title\":\"Kyoto\",\n\"mapping\":{\"a\":{\"id\":\"a\",\"message\":null}}}]\n";
    String cut = whole.substring(0, whole.indexOf("message"));
    Path file = Files.writeString(folder.resolve("conversations.json"), cut);
    Path zip = folder.resolve("export.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      out.putNextEntry(new ZipEntry("conversations.json"));
      out.write(cut.getBytes(StandardCharsets.UTF_8));
    }
    Path half = folder.resolve("half.zip");
    Files.write(half, Arrays.copyOf(Files.readAllBytes(zip), 60));

    for (Path source : List.of(file, zip)) {
      Result result = shell.run("import", source.toString());
      assertThat(result.code()).isEqualTo(ExitCode.USAGE);
      assertThat(result.err())
          .contains("conversations.json", "cut off or no JSON", "at line 3, column")
          .contains("nothing was written")
          .doesNotContain("found an array");
    }
    assertThat(shell.run("import", half.toString()).err())
        .contains("half.zip' is a zip that is cut off or damaged", "nothing was written");
    assertThat(shell.store.list(SessionQuery.of("")).sessions()).isEmpty();
  }

  @Test
  void springAi_itsTableInSqliteAndPostgres() throws Exception {
    String sqlite = "jdbc:sqlite:" + folder.resolve("memory.db");
    springAiWrites(sqlite, "schema-sqlite.sql");
    Result fromFile = shell.run("import", folder.resolve("memory.db").toString());
    assertThat(fromFile.out()).contains("imported 1 session with 2 items from spring-ai");
    assertThat(items("conv-1")).containsExactly(Item.user("Hello"), Item.assistant("Hi! 你好"));

    String url = PostgresServer.shared().jdbcUrl();
    springAiWrites(url, "schema-postgresql.sql");
    Result fromServer = shell.run("import", "--from", "spring-ai", url, "--owner", "ann", "--json");
    assertThat(fromServer.json())
        .containsEntry("format", "spring-ai")
        .containsEntry("items", 2L)
        .containsEntry("owner", "ann");
    assertThat(fromServer.out()).doesNotContain("password=postgres");
    assertThat(shell.store.session(new SessionKey("ann", "conv-1")).getItems())
        .isEqualTo(items("conv-1"));
  }

  private static void springAiWrites(String url, String schema) throws Exception {
    try (var connection = DriverManager.getConnection(url)) {
      ScriptUtils.executeSqlScript(
          connection,
          new ClassPathResource("org/springframework/ai/chat/memory/repository/jdbc/" + schema));
    }
    JdbcChatMemoryRepository.builder()
        .jdbcTemplate(new JdbcTemplate(new DriverManagerDataSource(url)))
        .build()
        .saveAll("conv-1", List.of(new UserMessage("Hello"), new AssistantMessage("Hi! 你好")));
  }

  @Test
  void theReport_saysWhatWasNotCarriedAndWhere() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("conversations.json"),
            """
            [{"id":"a","current_node":"m","mapping":{"m":{"message":{"author":{"role":"user"},
              "content":{"parts":["Hi",{"content_type":"image_asset_pointer","asset_pointer":"sediment://file_1"}]}}}}},
             {"nothing":1}]
            """);
    shell.store.session("a").addItems(List.of(Item.user("mine")));
    Result refused = shell.run("import", file.toString());
    assertThat(refused.code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(refused.out())
        .contains("refused session 'a': there is another session of that name")
        .contains("imported 0 sessions with 0 items from chatgpt, 1 refused")
        .contains("1 × it is nothing that chatgpt writes")
        .contains("line 3, element 2");

    Result json = shell.run("import", "--owner", "b", "--dry-run", "--json", file.toString());
    assertThat(json.json())
        .containsOnlyKeys(
            "format", "source", "owner", "dry_run", "sessions", "items", "problems", "losses")
        .containsEntry("dry_run", true);
    assertThat(Shell.object(json.json(), "sessions")).containsEntry("imported", 1L);
    Map<String, Object> loss = Shell.objects(json.json(), "losses").get(0);
    assertThat(loss).containsOnlyKeys("reason", "count", "places");
    assertThat(shell.store.session(new SessionKey("b", "a")).info()).isEmpty();
  }

  @Test
  void whatLooksLikeNothing_isAnsweredWithTheFormats() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Result result = shell.run("import", empty.toString());
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("chatgpt, librechat, openwebui", "agents-redis", "--from");
    assertThat(shell.run("import", "--from", "gpt", empty.toString()).err())
        .contains("there is no format 'gpt'", "chatgpt");
    Result other =
        shell.run("import", Files.writeString(folder.resolve("x.json"), "{\"a\":1}").toString());
    assertThat(other.code()).isEqualTo(ExitCode.USAGE);
    assertThat(other.err()).contains("is no export", "--from");
    assertThat(shell.opened).isEmpty();
  }
}
