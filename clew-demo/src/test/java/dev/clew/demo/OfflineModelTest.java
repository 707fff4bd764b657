package dev.clew.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Item;
import dev.clew.StoredSession;
import dev.clew.View;
import dev.clew.Window;
import dev.clew.agent.Agent;
import dev.clew.agent.CompactionRequest;
import dev.clew.agent.Compactor;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.RunConfig;
import dev.clew.agent.RunEvent;
import dev.clew.agent.RunInput;
import dev.clew.agent.RunResult;
import dev.clew.agent.RunStream;
import dev.clew.agent.Runner;
import dev.clew.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The model as a model: all it knows is the request. */
class OfflineModelTest {
  private final MemoryStore store = new MemoryStore();
  private final OfflineModel model = new OfflineModel();

  @AfterEach
  void close() {
    store.close();
  }

  private static String text(ModelResponse response) {
    return ((View.Message) response.output().get(0).view()).text();
  }

  private static ModelRequest asked(String instructions, String... said) {
    List<Item> input = new ArrayList<>();
    for (String each : said) {
      input.add(Item.user(each));
    }
    return ModelRequest.of(instructions, input);
  }

  @Test
  void theSameRequestAlwaysGetsTheSameAnswer() {
    ModelRequest request = asked("", "My name is Ada", "what is my name?");
    assertThat(text(model.respond(request))).isEqualTo("Your name is Ada.");
    assertThat(model.respond(request)).isEqualTo(new OfflineModel().respond(request));
  }

  @Test
  void aSummaryOfItsOwnIsWhatWasSaid_cutShort() {
    List<Item> said = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      said.add(Item.user("message " + i + " " + "x".repeat(i)));
    }
    said.add(Item.user("My name is Ada."));
    said.add(Item.assistant("Nice to meet you, Ada."));
    String summary =
        ((View.Compaction)
                Compactor.summary(model)
                    .compact(new CompactionRequest(said, Optional.empty(), true))
                    .items()
                    .get(0)
                    .view())
            .summary()
            .orElseThrow();
    assertThat(summary)
        .endsWith("user: My name is Ada.\nassistant: Nice to meet you, Ada.")
        .contains("user: message 299 xxx")
        .doesNotContain("message 0 ", "x".repeat(250), "I do not understand")
        .hasSizeLessThan(4_100);
  }

  @Test
  void itSaysWhatItIs() {
    assertThat(text(model.respond(asked("", "who are you?"))))
        .contains("offline demonstration model");
    assertThat(text(model.respond(asked("", "你是谁？")))).contains("离线演示模型");
    assertThat(text(model.respond(asked("")))).contains("offline demonstration model");
  }

  @Test
  void itSaysThatItCannotSeeWhatIsAttached_andAnswersTheWords() {
    String image = "{\"type\":\"input_image\",\"image_url\":\"data:image/png;base64,AAAA\"}";
    Item alone = Item.parse("{\"role\":\"user\",\"content\":[" + image + "]}");
    assertThat(text(model.respond(ModelRequest.of("", List.of(alone)))))
        .isEqualTo("I cannot see images or read files: I am an offline demonstration model.");
    Item both =
        Item.parse(
            "{\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"谢谢\"},"
                + image
                + "]}");
    assertThat(text(model.respond(ModelRequest.of("", List.of(both)))))
        .startsWith("我看不到图片")
        .contains("\n\n");
    assertThat(text(model.respond(ModelRequest.of("", List.of(both, Item.user("谢谢"))))))
        .doesNotContain("看不到");
  }

  @Test
  void withoutATool_itSaysWhichIsMissing() {
    assertThat(text(model.respond(asked("It is 2026-03-04T10:00.", "meeting tomorrow at 2pm"))))
        .isEqualTo("I cannot do that here: this agent has no tool create_event.");
  }

  @Test
  void instructionsWithoutATime_leaveItWithoutADate() {
    Agent timeless =
        Agent.builder()
            .name("a")
            .tools(ScheduleAssistant.agent(Assistant.CLOCK, Assistant.ZONE).tools())
            .build();
    Runner runner = Runner.with(model);
    assertThat(runner.run(timeless, "meeting tomorrow at 2pm").finalOutput())
        .contains("do not say what day it is");
    assertThat(runner.run(timeless, "明天下午2点开会").finalOutput()).contains("没有写今天是哪天");
  }

  @Test
  void theNameIsKnownFromTheConversationOnly() {
    Assistant first = new Assistant(store.session("first"));
    StoredSession secondSession = store.session("second");
    Assistant second = new Assistant(secondSession);
    first.says("My name is Ada");
    assertThat(second.says("what is my name?")).contains("have not told me");
    second.says("my name is Bob");
    second.says("thanks");
    assertThat(second.says("what is my name?")).isEqualTo("Your name is Bob.");
    secondSession.undoTurn();
    secondSession.undoTurn();
    secondSession.undoTurn();
    assertThat(second.says("what is my name?")).contains("have not told me");
  }

  @Test
  void anEventThatIsNotInTheConversationIsAskedFor() {
    new Assistant(store.session("first")).says("下周三下午2点开会");
    Assistant second = new Assistant(store.session("second"));
    assertThat(second.says("改成下午3点")).startsWith("你指的是哪个日程？").contains("1. “开会”");
    assertThat(second.says("第一个")).isEqualTo("已修改：“开会”，2026年3月11日（星期三）15:00。");
  }

  @Test
  void whateverIsSaidGetsAnAnswer() {
    List<String> words =
        List.of(
            "meeting",
            "tomorrow",
            "at",
            "3",
            "3pm",
            "25:00",
            "to",
            "move",
            "it",
            "cancel",
            "the",
            "first",
            "for",
            "99999999999999999999",
            "hours",
            "and",
            "half",
            "past",
            "next",
            "Friday",
            "31 April",
            "rename",
            "list",
            "my",
            "name",
            "is",
            "\"",
            "call",
            "in",
            "-",
            "noon",
            "下周",
            "三",
            "两",
            "十十",
            "点",
            "半",
            "小时",
            "后",
            "把",
            "会",
            "改成",
            "取消",
            "第",
            "个",
            "的",
            "我叫",
            "号",
            "月",
            "99",
            "下午",
            "，",
            "?",
            "\uD83D\uDE00",
            "\u0000");
    Random random = new Random(7);
    Agent agent = ScheduleAssistant.agent(Assistant.CLOCK, Assistant.ZONE);
    Runner runner = Runner.with(model);
    StoredSession session = store.session("s");
    for (int i = 0; i < 2000; i++) {
      StringBuilder said = new StringBuilder();
      for (int n = 1 + random.nextInt(9); n > 0; n--) {
        said.append(words.get(random.nextInt(words.size())))
            .append(random.nextInt(4) == 0 ? "" : " ");
      }
      RunConfig config = RunConfig.DEFAULT.session(session).window(Window.lastTurns(4));
      RunResult result = runner.run(agent, RunInput.text(said.toString()), config);
      assertThat(result.finalOutput().isEmpty())
          .as(said.toString())
          .isEqualTo(!result.interruptions().isEmpty());
    }
  }

  @Test
  @Timeout(10)
  void aVeryLongSentenceIsNotUnderstoodQuickly() {
    for (String piece : List.of("move it to ", "a ", "改成", "的", "3 ", "and ", "\"")) {
      String answer = text(model.respond(asked("It is 2026-03-04T10:00.", piece.repeat(50_000))));
      assertThat(answer).containsAnyOf("do not understand", "听不懂");
      String shorter = piece.repeat(500 / piece.length());
      assertThat(text(model.respond(asked("It is 2026-03-04T10:00.", shorter)))).isNotEmpty();
    }
  }

  @Test
  void itStreamsWordByWord() {
    for (String said : List.of("who are you?", "你是谁？")) {
      List<String> words = new ArrayList<>();
      ModelResponse response =
          model.stream(asked("", said), event -> words.add(((ModelEvent.TextDelta) event).text()));
      assertThat(words).hasSizeGreaterThan(20).allMatch(word -> word.length() < 25);
      assertThat(String.join("", words)).isEqualTo(text(response));
    }
  }

  @Test
  void aStreamThatIsStoppedKeepsWhatWasSaid() {
    StoredSession session = store.session("s");
    AtomicReference<RunStream> running = new AtomicReference<>();
    List<String> said = new ArrayList<>();
    RunConfig config =
        RunConfig.DEFAULT
            .session(session)
            .listener(
                event -> {
                  if (event instanceof RunEvent.TextDelta delta) {
                    said.add(delta.text());
                    if (said.size() == 3) {
                      awaited(running).cancel();
                    }
                  }
                });
    Agent agent = ScheduleAssistant.agent(Assistant.CLOCK, Assistant.ZONE);
    RunStream stream = Runner.with(model).runStreamed(agent, RunInput.text("help"), config);
    running.set(stream);
    assertThatThrownBy(stream::result).isInstanceOf(CancellationException.class);
    Item last = session.getItems(1).get(0);
    assertThat(((View.Message) last.view()).text()).isEqualTo(String.join("", said));
    assertThat(last.json()).contains("\"status\":\"incomplete\"");
  }

  private static RunStream awaited(AtomicReference<RunStream> running) {
    while (running.get() == null) {
      Thread.onSpinWait();
    }
    return running.get();
  }
}
