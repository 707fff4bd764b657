package dev.clew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Histories are written as words: {@code u} a user's message, {@code a} a model's, {@code s} a
 * system message, {@code r} reasoning, {@code c1} a call, {@code o1} its output, {@code k}
 * compaction, {@code p1} and {@code q1} a computer call and its output.
 */
class WindowTest {
  private static Item item(String word) {
    String number = word.substring(1);
    return switch (word.charAt(0)) {
      case 'u' -> Item.user(word);
      case 'a' -> Item.assistant(word);
      case 's' -> Item.system(word);
      case 'r' -> Item.parse("{\"type\":\"reasoning\",\"id\":\"" + word + "\",\"summary\":[]}");
      case 'c' -> Item.functionCall(number, word, "{}");
      case 'o' -> Item.functionCallOutput(number, word);
      case 'k' -> Item.parse("{\"type\":\"compaction\",\"encrypted_content\":\"" + word + "\"}");
      case 'p' -> Item.parse("{\"type\":\"computer_call\",\"call_id\":\"" + number + "\"}");
      case 'q' -> Item.parse("{\"type\":\"computer_call_output\",\"call_id\":\"" + number + "\"}");
      default -> throw new IllegalArgumentException(word);
    };
  }

  private static List<Item> items(String words) {
    List<Item> items = new ArrayList<>();
    for (String word : words.split(" ", -1)) {
      if (!word.isEmpty()) {
        items.add(item(word));
      }
    }
    return items;
  }

  private static void check(Window window, String history, String expected) {
    assertThat(window.read(new MemorySession("s", items(history)))).isEqualTo(items(expected));
  }

  @Test
  void allIsEverythingFromTheNewestCompactionOn() {
    check(Window.all(), "", "");
    check(Window.all(), "s u1 a1 u2 a2", "s u1 a1 u2 a2");
    check(Window.all(), "u1 k1 u2 a2 k2 u3 a3", "k2 u3 a3");
    check(Window.all(), "k1 u1", "k1 u1");
  }

  @Test
  void lastItemsStartsWhereATurnBegins() {
    check(Window.lastItems(10), "s u1 a1", "s u1 a1");
    check(Window.lastItems(3), "s u1 a1", "s u1 a1");
    check(Window.lastItems(2), "s u1 a1", "u1 a1");
    check(Window.lastItems(3), "u1 a1 u2 a2", "u2 a2");
    check(Window.lastItems(4), "u1 c1 o1 a1 u2 a2", "u2 a2");
    check(Window.lastItems(Integer.MAX_VALUE), "u1 a1", "u1 a1");
    check(Window.lastItems(1), "", "");
  }

  @Test
  void lastItemsOfATurnThatIsLongerIsCutBetweenItsSteps() {
    check(Window.lastItems(3), "u1 c1 o1 c2 o2 a1", "c2 o2 a1");
    check(Window.lastItems(4), "u1 c1 o1 c2 o2 a1", "c2 o2 a1");
    check(Window.lastItems(2), "u1 c1 o1 c2 o2 a1", "a1");
    check(Window.lastItems(2), "u1 c1 o1 r1 c2 o2", "");
    check(Window.lastItems(3), "u1 c1 o1 r1 c2 o2", "r1 c2 o2");
    check(Window.lastItems(4), "u1 c1 o1 r1 c2 o2", "r1 c2 o2");
    check(Window.lastItems(1), "u1 a1 c1 o1", "");
  }

  @Test
  void parallelCallsStayTogether() {
    check(Window.lastItems(4), "u1 c1 c2 o1 o2 a1", "a1");
    check(Window.lastItems(5), "u1 a0 c1 c2 o1 o2 a1", "c1 c2 o1 o2 a1");
    check(Window.lastItems(6), "u1 a0 c1 c2 o1 o2 a1", "a0 c1 c2 o1 o2 a1");
  }

  @Test
  void callsOfOtherKindsAreNotSeparatedFromTheirOutputs() {
    check(Window.lastItems(2), "u1 a1 p1 q1 a2", "a2");
    check(Window.lastItems(3), "u1 a1 c9 p1 q1 o9 a2", "a2");
  }

  @Test
  void aCompactionInTheWindowIsItsStart() {
    check(Window.lastItems(3), "u1 c1 o1 k1 a1 a2", "k1 a1 a2");
    check(Window.lastItems(4), "u1 a1 k1 u2 a2", "k1 u2 a2");
    check(Window.lastTurns(5), "u1 a1 k1 u2 a2", "k1 u2 a2");
    check(Window.lastTurns(1), "u1 a1 k1 u2 a2", "u2 a2");
    check(Window.lastMessages(9), "u1 a1 k1 u2 a2", "k1 u2 a2");
    check(Window.lastMessages(1), "u1 a1 k1 u2 a2 u3", "u3");
  }

  @Test
  void messagesRightBeforeACompactionWereLeftByItAndAreShownWithIt() {
    check(Window.all(), "u1 a1 s u2 u3 k1 u4 a4", "s u2 u3 k1 u4 a4");
    check(Window.lastTurns(2), "a1 u2 u3 k1 u4 a4", "u2 u3 k1 u4 a4");
    check(Window.lastTurns(1), "a1 u2 u3 k1 u4 a4", "u4 a4");
    check(Window.lastItems(5), "a1 u2 u3 k1 u4 a4", "u2 u3 k1 u4 a4");
    check(Window.lastItems(4), "a1 u2 u3 k1 u4 a4", "u3 k1 u4 a4");
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      many.append("u").append(i).append(' ');
    }
    check(Window.lastTurns(2), "a1 " + many + "k1 a2", many + "k1 a2");
  }

  @Test
  void lastMessagesCountsWhatUserAndAssistantSaid() {
    check(Window.lastMessages(1), "", "");
    check(Window.lastMessages(4), "s u1 a1 u2 a2", "s u1 a1 u2 a2");
    check(Window.lastMessages(4), "u1 c1 o1 a1 s u2 r1 c2 o2 a2", "u1 c1 o1 a1 s u2 r1 c2 o2 a2");
    check(Window.lastMessages(3), "u1 c1 o1 a1 u2 r1 c2 o2 a2", "u2 r1 c2 o2 a2");
    check(Window.lastMessages(2), "u1 c1 o1 a1 u2 r1 c2 o2 a2", "u2 r1 c2 o2 a2");
    check(Window.lastMessages(2), "u1 a1 s u2 a2", "u2 a2");
  }

  @Test
  void lastMessagesOfATurnWithMoreIsCutBetweenItsSteps() {
    check(Window.lastMessages(1), "u1 a0 c1 o1 a1", "c1 o1 a1");
    check(Window.lastMessages(1), "u1 c1 a0 o1 a1", "a1");
    check(Window.lastMessages(2), "u1 a0 r1 c1 o1 a1", "a0 r1 c1 o1 a1");
  }

  @Test
  void lastMessagesFindsTheBeginningOfAVeryLongTurn() {
    StringBuilder turn = new StringBuilder("u2 ");
    for (int i = 0; i < 500; i++) {
      turn.append("c").append(i).append(" o").append(i).append(' ');
    }
    check(Window.lastMessages(2), "u1 a1 " + turn + "a2", turn + "a2");
  }

  @Test
  void lastTurnsCountsUserMessages() {
    check(Window.lastTurns(1), "", "");
    check(Window.lastTurns(1), "s u1 a1 u2 c1 o1 a2", "u2 c1 o1 a2");
    check(Window.lastTurns(2), "s u1 a1 u2 c1 o1 a2", "u1 a1 u2 c1 o1 a2");
    check(Window.lastTurns(3), "s u1 a1 u2 c1 o1 a2", "s u1 a1 u2 c1 o1 a2");
    check(Window.lastTurns(1), "s a1", "s a1");
  }

  @Test
  void lastTurnsFindsTheBeginningOfAVeryLongTurn() {
    List<Item> history = new ArrayList<>(items("u1 a1"));
    List<Item> turn = new ArrayList<>(items("u2"));
    for (int i = 0; i < 500; i++) {
      turn.addAll(items("c" + i + " o" + i));
    }
    history.addAll(turn);

    assertThat(Window.lastTurns(1).read(new MemorySession("s", history))).isEqualTo(turn);
  }

  @Test
  void aWindowHasAtLeastOne() {
    assertThatThrownBy(() -> Window.lastItems(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Window.lastMessages(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Window.lastTurns(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whateverTheHistoryNoWindowSeparatesACallFromItsOutputOrReasoningFromItsCall() {
    for (long seed = 0; seed < 120; seed++) {
      List<Item> history = items(randomHistory(new Random(seed)));
      Session session = new MemorySession("s", history);
      for (int n = 1; n <= history.size() + 1; n++) {
        assertWhole(Window.lastItems(n).read(session), n, seed);
        assertWhole(Window.lastTurns(n).read(session), Integer.MAX_VALUE, seed);
        assertWhole(Window.lastMessages(n).read(session), Integer.MAX_VALUE, seed);
      }
    }
  }

  private static String randomHistory(Random random) {
    StringBuilder words = new StringBuilder();
    int call = 0;
    for (int turn = random.nextInt(4); turn >= 0; turn--) {
      words.append("u").append(turn).append(' ');
      for (int step = random.nextInt(4); step > 0; step--) {
        words.append(random.nextBoolean() ? "r" + call + " " : "");
        int first = call;
        call += 1 + random.nextInt(3);
        for (int i = first; i < call; i++) {
          words.append('c').append(i).append(' ');
        }
        for (int i = first; i < call; i++) {
          words.append('o').append(i).append(' ');
        }
      }
      words.append('a').append(turn).append(' ');
    }
    return words.toString();
  }

  private static void assertWhole(List<Item> window, int limit, long seed) {
    assertThat(window).describedAs("seed %d", seed).hasSizeLessThanOrEqualTo(limit);
    Set<String> calls = new HashSet<>();
    for (Item item : window) {
      if (item.view() instanceof View.FunctionCall call) {
        calls.add(call.callId());
      } else if (item.view() instanceof View.FunctionCallOutput output) {
        assertThat(calls).describedAs("seed %d", seed).contains(output.callId());
      }
    }
    // A call is never first when reasoning stood before it.
    if (!window.isEmpty() && window.get(0).view() instanceof View.FunctionCall call) {
      assertThat(randomHistory(new Random(seed)))
          .describedAs("seed %d", seed)
          .doesNotContain("r" + call.callId() + " c" + call.callId() + " ");
    }
  }
}
