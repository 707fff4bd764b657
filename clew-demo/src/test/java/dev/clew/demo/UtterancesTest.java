package dev.clew.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.StoredSession;
import dev.clew.agent.RunResult;
import dev.clew.memory.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each conversation of utterances.txt, through the whole run loop. */
class UtterancesTest {
  /** What is said, the tools that get called, the answer. */
  private record Exchange(String said, List<String> tools, String answer) {}

  private record Talk(boolean week, List<Exchange> exchanges) {}

  private static List<Talk> talks() throws IOException {
    List<Talk> talks = new ArrayList<>();
    for (String part : text().split("(?m)^## ", -1)) {
      List<Exchange> exchanges = new ArrayList<>();
      for (String exchange : part.split("(?m)^> ", -1)) {
        if (exchange.contains("\n= ")) {
          exchanges.add(exchange(exchange));
        }
      }
      talks.add(new Talk(part.startsWith("week"), exchanges));
    }
    return talks.subList(1, talks.size()); // before the first is the explanation
  }

  private static Exchange exchange(String text) {
    List<String> tools = new ArrayList<>();
    List<String> answer = new ArrayList<>();
    String[] lines = text.split("\n", -1);
    for (String line : lines) {
      if (line.startsWith("! ")) {
        tools.addAll(List.of(line.substring(2).split(" ", -1)));
      } else if (line.startsWith("= ")) {
        answer.add(line.substring(2));
      }
    }
    return new Exchange(lines[0], tools, String.join("\n", answer));
  }

  private static String text() throws IOException {
    return text("utterances.txt");
  }

  private static String text(String resource) throws IOException {
    try (InputStream file = UtterancesTest.class.getResourceAsStream(resource)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @TestFactory
  Stream<DynamicTest> everyConversationGoesAsWritten() throws IOException {
    return talks().stream()
        .map(
            talk ->
                DynamicTest.dynamicTest(talk.exchanges().get(0).said(), () -> goesAsWritten(talk)));
  }

  private static void goesAsWritten(Talk talk) {
    try (MemoryStore store = new MemoryStore()) {
      StoredSession session = store.session("s");
      Assistant assistant = new Assistant(session);
      if (talk.week()) {
        assistant.says("team meeting on Thursday at 2pm for 1 hour");
        assistant.says("dentist on Friday at 9:30am");
        assistant.says("看电影 周五晚上8点");
        assistant.says("client meeting next Wednesday at 10am");
        session.clearSession();
      }
      for (Exchange exchange : talk.exchanges()) {
        RunResult result = assistant.run(exchange.said());
        assertThat(Assistant.tools(result)).as(exchange.said()).isEqualTo(exchange.tools());
        assertThat(result.finalOutput()).as(exchange.said()).isEqualTo(answer(exchange));
      }
    }
  }

  private static String answer(Exchange exchange) {
    Voice voice = Language.of(exchange.said()).voice();
    return exchange.answer().equals("(not understood)") ? voice.say("unknown") : exchange.answer();
  }

  @Test
  void bothLanguagesHaveAtLeastEightyUtterancesBetweenThem() throws IOException {
    List<String> said =
        talks().stream().flatMap(talk -> talk.exchanges().stream()).map(Exchange::said).toList();
    assertThat(said).hasSizeGreaterThan(150);
    assertThat(
            said.stream()
                .filter(text -> Language.of(text).equals(Language.CHINESE))
                .distinct()
                .count())
        .isGreaterThan(60);
    assertThat(
            said.stream()
                .filter(text -> Language.of(text).equals(Language.ENGLISH))
                .distinct()
                .count())
        .isGreaterThan(80);
  }

  @Test
  void allLanguagesHaveTheSameSentences() throws IOException {
    for (String other : List.of("chinese.txt", "german.txt", "spanish.txt")) {
      assertThat(sentences(other)).isEqualTo(sentences("english.txt")).hasSizeGreaterThan(40);
    }
  }

  private static List<String> sentences(String table) throws IOException {
    return text(table)
        .lines()
        .dropWhile(line -> !line.equals("[sentences]"))
        .skip(1)
        .map(line -> line.split(" = ", -1)[0])
        .toList();
  }
}
