package dev.clew.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.SessionSettings;
import dev.clew.Window;
import dev.clew.agent.Model;
import dev.clew.agent.RunConfig;
import dev.clew.agent.RunResult;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The examples of talking, and of what the model is shown. */
class ChatExamplesTest {
  private static final Item NAME = Item.user("My name is Ada.");
  private static final Item MET = Item.assistant("Nice to meet you, Ada.");
  private static final Item ASKED = Item.user("What is my name?");
  private static final Item KNOWN = Item.assistant("Your name is Ada.");
  private static final Item UNKNOWN =
      Item.assistant("I do not know: you have not told me your name in this conversation.");

  private final MemorySession session = new MemorySession();
  private final List<Item> shown = new ArrayList<>();
  private final Model model =
      request -> {
        shown.clear();
        shown.addAll(request.input());
        return new OfflineModel().respond(request);
      };

  private void addThanks(int times) {
    for (int i = 0; i < times; i++) {
      session.addItems(List.of(Item.user("Thanks!"), Item.assistant("You are welcome.")));
    }
  }

  @Test
  void basicSession_remembersTheFirstTurnInTheSecond() {
    assertThat(BasicSession.talk(session))
        .containsExactly("Nice to meet you, Ada.", "Your name is Ada.");
    assertThat(session.getItems()).containsExactly(NAME, MET, ASKED, KNOWN);
  }

  @Test
  void seededMemory_goesOnWithTheHistoryItWasGiven() {
    Session seeded = SeededMemory.withHistory();
    assertThat(SeededMemory.ask(seeded)).isEqualTo("Your name is Ada.");
    assertThat(seeded.getItems()).containsExactly(NAME, MET, ASKED, KNOWN);
  }

  @Test
  void streaming_showsTheAnswerInPiecesAndStoresItWhole() {
    List<String> pieces = new ArrayList<>();
    String answer = Streaming.stream(Runner.with(new OfflineModel()), session, pieces::add);

    assertThat(pieces).hasSizeGreaterThan(10);
    assertThat(String.join("", pieces)).isEqualTo(answer);
    assertThat(session.getItems())
        .containsExactly(Item.user("What can you do?"), Item.assistant(answer));
  }

  @Test
  void asyncChat_seesWhatWasAddedBefore() {
    assertThat(AsyncChat.remember(session, "My name is Ada.").join()).containsExactly(NAME);
    assertThat(AsyncChat.ask(session, "What is my name?").join()).isEqualTo("Your name is Ada.");
    assertThat(session.getItems()).containsExactly(NAME, ASKED, KNOWN);
  }

  @Test
  void sharedSession_isSharedByAgentsAndNotWithAnotherSession() {
    MemorySession other = new MemorySession();
    SharedSession.talk(session, other);

    assertThat(session.getItems()).containsExactly(NAME, MET, ASKED, KNOWN);
    assertThat(other.getItems()).containsExactly(ASKED, UNKNOWN);
  }

  @Test
  void historyByHand_carriesEverythingOn() {
    RunResult first = HistoryByHand.next(List.of(), "My name is Ada.");
    RunResult second = HistoryByHand.next(first.toInputList(), "What is my name?");
    assertThat(second.toInputList()).containsExactly(NAME, MET, ASKED, KNOWN);
  }

  @Test
  void trimmedInput_showsTheNewestEightAndStoresOnlyWhatIsNew() {
    session.addItems(List.of(NAME, MET));
    addThanks(4);
    List<Item> before = session.getItems();
    TrimmedInput.run(model, session);

    assertThat(shown.subList(0, 8)).isEqualTo(before.subList(2, 10));
    assertThat(shown.subList(8, shown.size())).containsExactly(ASKED);
    assertThat(session.getItems().subList(0, 10)).isEqualTo(before);
    assertThat(session.getItems(2)).containsExactly(ASKED, UNKNOWN);
  }

  @Test
  void shapedInput_hidesSecretsAndSummarisesWhatIsLong() {
    session.addItems(List.of(Item.user("my password is 1234"), Item.user("我的密码是 1234")));
    addThanks(6);
    session.addItems(List.of(NAME));
    assertThat(ShapedInput.ask(model, session, "What is my name?")).isEqualTo("Your name is Ada.");

    assertThat(shown).hasSize(1 + (13 - 5) + 1);
    assertThat(shown.get(0)).isEqualTo(Item.system("[Summary of 5 earlier items]"));
    assertThat(shown.subList(8, 10)).containsExactly(NAME, ASKED);
    assertThat(session.getItems()).hasSize(15 + 2).doesNotContain(shown.get(0));
    assertThat(session.getItems(2)).containsExactly(ASKED, KNOWN);
  }

  @Test
  void shapedInput_hidesSecretsThatPythonWrote() {
    String escaped = "{\"role\":\"user\",\"content\":\"\\u6211\\u7684\\u5bc6\\u7801\"}";
    assertThat(escaped).doesNotContain("密码");
    assertThat(ShapedInput.shape(List.of(Item.parse(escaped), NAME), List.of()))
        .containsExactly(NAME);
  }

  @Test
  void shapedInput_takesTheNewestTwentyOfALongHistory() {
    addThanks(30);
    List<Item> history = session.getItems();
    List<Item> shaped = ShapedInput.shape(history, List.of(ASKED));
    assertThat(shaped).hasSize(1 + 15 + 1);
    assertThat(shaped.subList(1, 16)).isEqualTo(history.subList(45, 60));
  }

  @Test
  void limitedHistory_isAboutWhatTheModelSeesOnly() {
    session.addItems(List.of(NAME, MET));
    addThanks(1);
    RunConfig config = RunConfig.DEFAULT.session(session);

    assertThat(LimitedHistory.ask(config.sessionSettings(SessionSettings.limit(2))))
        .startsWith("I do not know");
    assertThat(LimitedHistory.ask(config.window(Window.lastTurns(2)))).startsWith("I do not know");
    assertThat(LimitedHistory.ask(config)).isEqualTo("Your name is Ada.");
    assertThat(session.getItems()).hasSize(4 + 3 * 2);
  }
}
