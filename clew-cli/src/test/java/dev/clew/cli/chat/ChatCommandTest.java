package dev.clew.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chat without a terminal: lines in, answers out. */
class ChatCommandTest {
  private final Shell shell = new Shell();

  @TempDir Path folder;

  private Result chat(String... lines) {
    return shell.typing(String.join("\n", lines) + "\n").run("chat", "s");
  }

  private List<Item> items() {
    return shell.store.session("s").getItems();
  }

  private String title() {
    return shell.store.session("s").info().map(SessionInfo::title).orElse("");
  }

  @Test
  void answersGoToStandardOutputAndEverythingElseToStandardError() {
    Result result = chat("my name is Ada", "", "what is my name?", "list my events");
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .isEqualTo(
            "Nice to meet you, Ada.\nYour name is Ada.\nThere is nothing on your schedule.\n");
    assertThat(result.err())
        .startsWith("offline demonstration model: ")
        .contains("session s · new\n", "→ list_events {", "← {\"events\":[]}")
        .doesNotContain("\u001b");
    assertThat(items()).hasSize(8);
  }

  @Test
  void withoutAnIdThereIsANewSession() {
    assertThat(shell.typing("hello\n").run("chat").code()).isZero();
    assertThat(shell.store.list(SessionQuery.of("")).sessions())
        .singleElement()
        .satisfies(info -> assertThat(info.key().id()).matches("chat-[0-9a-f]{8}"));
  }

  @Test
  void withoutAMessageNothingIsMade() {
    assertThat(chat("/help", "/title", "/undo", "/clear", "/sessions").code()).isZero();
    assertThat(shell.store.session("s").info()).isEmpty();
  }

  @Test
  void theNewestMessagesAreShownAtTheStart() {
    for (int i = 1; i <= 4; i++) {
      shell
          .store
          .session("s")
          .addItems(List.of(Item.user("question " + i), Item.assistant("a" + i)));
    }
    Result three = shell.run("chat", "s");
    assertThat(three.err())
        .contains("question 2", "a4", "earlier items")
        .doesNotContain("question 1");
    assertThat(three.out()).isEmpty();
    assertThat(shell.run("chat", "s", "--history", "2").err())
        .contains("question 4", "a4")
        .doesNotContain("question 3", "a3");
    assertThat(shell.run("chat", "s", "--history", "0").err()).doesNotContain("question");
    assertThat(shell.run("chat", "s", "--history", "60").err())
        .contains("question 1")
        .doesNotContain("earlier");
  }

  @Test
  void whatWasSaidBeforeIsKnownInTheNextChat() {
    chat("我叫小明");
    assertThat(chat("我叫什么名字？").out()).isEqualTo("你叫小明。\n");
  }

  @Test
  void otherOwnersHaveSessionsOfTheirOwn() {
    chat("my name is Ada");
    Result other = shell.typing("what is my name?\n").run("chat", "s", "--owner", "bob");
    assertThat(other.out()).contains("not told me");
    assertThat(shell.store.session(new SessionKey("bob", "s")).getItems()).hasSize(2);
  }

  @Test
  void aToolThatNeedsApprovalIsShownWithItsArguments() {
    Result yes = chat("in 2 hours lunch", "cancel it", "what?", "y");
    assertThat(yes.err())
        .contains(
            "Allow cancel_event {\"event_id\":\"evt_1\",\"title\":\"lunch\"}? [y]es, [n]o, [a]lways")
        .contains("please answer y, n or a");
    assertThat(yes.out()).contains("Cancelled: \"lunch\"");
    Result no = chat("in 2 hours dinner", "cancel it", "n");
    assertThat(no.out()).contains("Not cancelled: \"dinner\" stays.");
  }

  @Test
  void onAPipeTheSecondLineThatIsNoAnswerCountsAsNo() {
    Result result = chat("in 2 hours lunch", "cancel it", "what?", "never mind", "my name is Ada");
    assertThat(result.out()).contains("Not cancelled: \"lunch\" stays.", "you, Ada");
    assertThat(result.err()).containsOnlyOnce("please answer y, n or a");
  }

  @Test
  void quitAsTheAnswerToAnApprovalEndsTheChat() {
    Result result = chat("in 2 hours lunch", "cancel it", "/quit", "y", "my name is Ada");
    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("\"lunch\" stays.").doesNotContain("Cancelled", "Ada");
    assertThat(shell.store.session("s").getItems()).noneMatch(Item.user("my name is Ada")::equals);
  }

  @Test
  void alwaysHoldsForTheRestOfTheChat() {
    Result result =
        chat("in 2 hours lunch", "cancel it", "always", "in 3 hours dinner", "cancel it", "thanks");
    assertThat(result.out()).contains("Cancelled: \"lunch\"", "Cancelled: \"dinner\"", "welcome");
    assertThat(result.err()).containsOnlyOnce("Allow cancel_event");
    assertThat(chat("in 4 hours tea", "cancel it", "n").out()).contains("\"tea\" stays");
  }

  @Test
  void nobodyWhoAnswersIsANo() {
    Result result = chat("in 2 hours lunch", "cancel it");
    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("Not cancelled: \"lunch\" stays.");
  }

  @Test
  void undoTakesBackTheLastTurn() {
    Result result =
        chat("my name is Ada", "in 2 hours lunch", "/undo", "/undo", "/undo", "who am I?");
    assertThat(result.err())
        .contains("took back 4 items, beginning with user: in 2 hours lunch")
        .contains("the effects of its tools remain")
        .contains("there is nothing to undo");
    assertThat(result.out()).endsWith("not told me your name in this conversation.\n");
    assertThat(items()).hasSize(2);
  }

  @Test
  void clearAsksAndKeepsTheTitle() {
    assertThat(chat("hello", "/title Work", "/clear", "n").err()).contains("nothing was removed");
    assertThat(items()).hasSize(2);
    assertThat(chat("/clear").err()).contains("nothing was removed");
    assertThat(chat("/clear", "y").err()).contains("session s is empty now");
    assertThat(items()).isEmpty();
    assertThat(title()).isEqualTo("Work");
  }

  @Test
  void forkGoesOnInACopy() {
    Result result = chat("my name is Ada", "/fork t", "who am I?", "/open s", "thanks");
    assertThat(result.out()).contains("Your name is Ada.");
    assertThat(result.err())
        .contains("forked from s", "session t · 2 items", "session s · 2 items");
    assertThat(shell.store.session("t").getItems()).hasSize(4);
    assertThat(items()).hasSize(4);
    assertThat(shell.store.session("t").info().orElseThrow().parent()).isPresent();
    assertThat(chat("/fork t").code()).isEqualTo(ExitCode.CONFLICT);
  }

  @Test
  void sessionsListsTheNewestAndMarksThisOne() {
    shell.store.session("older").addItems(List.of(Item.user("x")));
    assertThat(chat("hello", "/title Work", "/sessions").err())
        .containsPattern("\\* s +2 items, just now +Work\n")
        .containsPattern("  older +1 item, just now\n");
  }

  @Test
  void exportWritesANewFileInTheFormatOfItsName() throws Exception {
    Path jsonl = folder.resolve("a.jsonl");
    Path json = folder.resolve("a.json");
    Path text = folder.resolve("a.txt");
    chat("hello", "/export " + jsonl, "/export " + json, "/export " + text);
    List<Item> items = items();
    assertThat(Files.readAllLines(jsonl)).isEqualTo(items.stream().map(Item::json).toList());
    assertThat(shell.run("import", json.toString(), "--session", "copy").code()).isZero();
    assertThat(shell.store.session("copy").getItems()).isEqualTo(items);
    assertThat(Files.readString(text)).contains("user\n  hello\n", "assistant\n  Hello!");
    assertThat(chat("/export").out()).isEqualTo(Files.readString(text));
    Result again = chat("/export " + text);
    assertThat(again.code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(again.err()).contains("already");
    assertThat(chat("/export " + folder.resolve("none").resolve("a.txt")).code())
        .isEqualTo(ExitCode.FAILED);
  }

  @Test
  void anEmptySessionCanBeExportedToo() throws Exception {
    Path json = folder.resolve("empty.json");
    chat("/export " + json);
    assertThat(Files.readString(json)).contains("\"item_count\": 0");
  }

  @Test
  void helpListsEveryCommand() {
    assertThat(chat("/help").err())
        .contains("/undo", "/clear", "/fork", "/sessions", "/open", "/title", "/export", "/quit");
  }

  @Test
  void quitLeavesTheRestUnread() {
    assertThat(chat("/QUIT", "hello").out()).isEmpty();
    assertThat(chat("/exit", "hello").out()).isEmpty();
  }

  @Test
  void twoSlashesAreAMessage() {
    chat("//help");
    assertThat(items().get(0)).isEqualTo(Item.user("/help"));
  }

  @Test
  void inAScriptAnErrorEndsTheChatWithItsExitCode() {
    Result result = chat("/nonsense", "hello");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("no command /nonsense", "/help");
    assertThat(result.out()).isEmpty();
  }

  @Test
  void inputThatIsNotUtf8IsRefused() {
    Result result = shell.typing(new byte[] {'h', 'i', (byte) 0xC3, 'x', '\n'}).run("chat", "s");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("not valid UTF-8");
  }

  @Test
  void controlCharactersDoNotReachTheTerminal() {
    Result result = shell.typing("my name is X\n").run("chat", "s");
    shell.store.session("s").addItems(List.of(Item.user("a\u001b[2Jb")));
    assertThat(result.code()).isZero();
    assertThat(shell.run("chat", "s").err()).contains("a␛[2Jb").doesNotContain("\u001b");
  }

  @Test
  void whatCannotWorkIsRefusedBeforeTheStoreIsOpened() {
    for (String model : List.of("openai:gpt-5.4", "chat:llama")) {
      Result keyless = shell.run("chat", "--model", model);
      assertThat(keyless.code()).isEqualTo(ExitCode.USAGE);
      assertThat(keyless.err())
          .contains("OPENAI_API_KEY", "OPENAI_BASE_URL", "--model offline")
          .hasLineCount(1);
    }
    assertThat(shell.run("chat", "--model", "hal").err())
        .contains("'hal'", "openai:NAME", "chat:NAME", "offline");
    assertThat(shell.run("chat", "--model", "hal:9000").err())
        .contains("'hal:9000'", "openai:NAME", "chat:NAME", "offline");
    assertThat(shell.run("chat", "--model", "openai:").code()).isEqualTo(ExitCode.USAGE);
    assertThat(shell.run("chat", "--instructions", "be brief").err()).contains("--model openai:");
    shell.env.put("CLEW_MODEL", "hal");
    assertThat(shell.run("chat").err()).contains("'hal'");
    assertThat(shell.run("chat", "--history", "-1").code()).isEqualTo(ExitCode.USAGE);
    assertThat(shell.run("chat", "--json").error()).containsEntry("code", "usage");
    assertThat(shell.opened).isEmpty();
  }

  @Test
  void textIsUtf8BothWays() {
    Result result = shell.typing("你是谁？\n".getBytes(StandardCharsets.UTF_8)).run("chat", "会话");
    assertThat(result.out()).startsWith("我是 Clew 的离线演示模型");
    assertThat(shell.store.session("会话").getItems()).hasSize(2);
  }
}
