package dev.clew.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.kit.Family;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AddCommandTest {
  private final Shell shell = new Shell();
  @TempDir Path folder;

  private List<Item> items() {
    return shell.store.session("s").getItems();
  }

  @Test
  void addsAUserMessageAndSaysWhere() {
    Result result = shell.run("add", "s", "Hello 你好 🎉");
    assertThat(result.code()).isZero();
    assertThat(result.out()).startsWith("added 1 item to session 's' at position ");
    assertThat(items()).containsExactly(Item.user("Hello 你好 🎉"));
  }

  @Test
  void whoAddsToAnOlderBranch_makesItTheOneThatListsShow() {
    shell.run("add", "s", "where do swallows sleep");
    SessionKey fork = new SessionKey("", "t");
    shell.store.session("s").forkTo(fork, Long.MAX_VALUE);
    new Family(shell.store)
        .add(shell.store.session("s").info().orElseThrow(), fork, info -> SessionUpdate.none());
    assertThat(shell.run("sessions", "list").out()).contains("\nt ").doesNotContain("\ns ");
    shell.run("add", "s", "in reeds");
    assertThat(shell.run("sessions", "list").out()).contains("\ns ").doesNotContain("\nt ");
    shell.typing("tell me\n").run("chat", "t");
    assertThat(shell.run("sessions", "list").out()).contains("\nt ").doesNotContain("\ns ");
  }

  @Test
  void joinsWordsThatWereNotQuoted() {
    shell.run("add", "s", "Hello", "there");
    assertThat(items()).containsExactly(Item.user("Hello there"));
  }

  @Test
  void takesTextLiterallyWhateverItLooksLike() {
    shell.run("add", "s", "@alice");
    shell.run("add", "s", "${user.home} %s");
    shell.run("add", "s", "--", "-5 degrees");
    shell.run("add", "s", "\"quoted\"");
    assertThat(items())
        .containsExactly(
            Item.user("@alice"),
            Item.user("${user.home} %s"),
            Item.user("-5 degrees"),
            Item.user("\"quoted\""));
  }

  @Test
  void writesInTheRoleItIsTold() {
    shell.run("add", "s", "--role", "assistant", "a");
    shell.run("add", "s", "--role", "system", "b");
    shell.run("add", "s", "--role", "developer", "c");
    assertThat(items()).containsExactly(Item.assistant("a"), Item.system("b"), Item.developer("c"));
    Result wrong = shell.run("add", "s", "--role", "boss", "d");
    assertThat(wrong.code()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("boss").containsIgnoringCase("assistant");
  }

  @Test
  void readsTextFromStandardInputWithoutItsLastLineEnd() {
    shell.typing("one\ntwo 二\n").run("add", "s", "-");
    assertThat(items()).containsExactly(Item.user("one\ntwo 二"));
  }

  @Test
  void refusesTextThatIsEmptyOrMissing() {
    assertThat(shell.run("add", "s", "").code()).isEqualTo(ExitCode.USAGE);
    assertThat(shell.typing("\n").run("add", "s", "-").code()).isEqualTo(ExitCode.USAGE);
    assertThat(shell.run("add", "s").code()).isEqualTo(ExitCode.USAGE);
    assertThat(shell.run("add").code()).isEqualTo(ExitCode.USAGE);
    assertThat(shell.store.session("s").info()).isEmpty();
    assertThat(shell.opened).isEmpty();
  }

  @Test
  void refusesInputThatIsNotUtf8() {
    Result result = shell.typing(new byte[] {'a', 'b', (byte) 0xff}).run("add", "s", "-");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("UTF-8", "byte 2");
  }

  @Test
  void addsItemsGivenAsJsonInOneBatch() {
    Result result =
        shell.run(
            "add",
            "s",
            "--item",
            "{\"role\":\"user\",\"content\":\"Hello, you\"}",
            "--item",
            "{\"type\":\"new\", \"n\":0.10}",
            "--json");
    assertThat(result.json())
        .containsOnlyKeys(
            "id", "owner", "added", "first_position", "last_position", "version", "repeated")
        .containsEntry("added", 2L)
        .containsEntry("repeated", false);
    assertThat(items().get(1).json()).isEqualTo("{\"type\":\"new\",\"n\":0.10}");
  }

  @Test
  void namesTheBadItemAndAddsNone() {
    Result result = shell.run("add", "s", "--item", "{\"a\":1}", "--item", "{\"a\":1,}");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("--item[1]", "at character");
    assertThat(shell.store.session("s").info()).isEmpty();
  }

  @Test
  void addsAJsonArrayFromAFile() throws IOException {
    Path file = Files.writeString(folder.resolve("a.json"), " [ {\"a\":1},\n {\"b\":[2]} ]\n");
    assertThat(shell.run("add", "s", "--items", file.toString()).code()).isZero();
    assertThat(items()).extracting(Item::json).containsExactly("{\"a\":1}", "{\"b\":[2]}");
  }

  @Test
  void addsLinesFromStandardInput() {
    shell.typing("\uFEFF{\"a\":1}\r\n\n{\"b\":\"二\"}\n").run("add", "s", "--items", "-");
    assertThat(items()).extracting(Item::json).containsExactly("{\"a\":1}", "{\"b\":\"二\"}");
  }

  @Test
  void addsOneObjectOverSeveralLines() {
    shell.typing("{\n  \"a\": 1\n}\n").run("add", "s", "--items", "-");
    assertThat(items()).extracting(Item::json).containsExactly("{\"a\":1}");
  }

  @Test
  void namesThePlaceOfABadItemInAFile() throws IOException {
    Path array = Files.writeString(folder.resolve("a.json"), "[{\"a\":1},7]");
    assertThat(shell.run("add", "s", "--items", array.toString()).err())
        .contains("a.json[1]", "expected a JSON object");
    Path broken = Files.writeString(folder.resolve("b.json"), "[{\"a\":1},\n{\"a\":]");
    assertThat(shell.run("add", "s", "--items", broken.toString()).err())
        .contains("b.json, line 2, column ");
    Path after = Files.writeString(folder.resolve("d.json"), "[{\"a\":1}]\n{\"a\":2}");
    assertThat(shell.run("add", "s", "--items", after.toString()).err())
        .contains("d.json", "after the end");
    Path lines = Files.writeString(folder.resolve("c.jsonl"), "{\"a\":1}\n\n{\"a\":1,\"a\":2}\n");
    Result result = shell.run("add", "s", "--items", lines.toString());
    assertThat(result.err()).contains("c.jsonl, line 3");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(shell.store.session("s").info()).isEmpty();
  }

  @Test
  void refusesAFileThatIsMissingOrEmpty() throws IOException {
    Path missing = folder.resolve("missing.json");
    assertThat(shell.run("add", "s", "--items", missing.toString()).err()).contains("no file");
    assertThat(shell.run("add", "s", "--items", folder.toString()).code())
        .isEqualTo(ExitCode.FAILED);
    for (String nothing : List.of("", "\n\n", "[]")) {
      Path empty = Files.writeString(folder.resolve("empty"), nothing);
      Result result = shell.run("add", "s", "--items", empty.toString());
      assertThat(result.code()).isEqualTo(ExitCode.USAGE);
      assertThat(result.err()).contains("no item");
    }
  }

  @Test
  void refusesTextAndItemsTogether() {
    assertThat(shell.run("add", "s", "text", "--item", "{}").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void anOperationIdMakesRepeatingSafe() {
    assertThat(shell.run("add", "s", "once", "--operation-id", "op").code()).isZero();
    Result again = shell.run("add", "s", "once", "--operation-id", "op");
    assertThat(again.code()).isZero();
    assertThat(again.out()).contains("done before");
    Result json = shell.run("add", "s", "once", "--operation-id", "op", "--json");
    assertThat(json.json()).containsEntry("repeated", true).containsEntry("added", 0L);
    Result other = shell.run("add", "s", "different", "--operation-id", "op");
    assertThat(other.code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(items()).hasSize(1);
  }

  @Test
  void refusesAnIdThatIsNone() {
    Result result = shell.run("add", "a\nb", "text");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("U+000A");
  }
}
