package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokenWindowTest {
  private static final TokenCounter COUNTER = TokenCounter.forModel("");

  private static Session session(Item... items) {
    return new MemorySession("s", List.of(items));
  }

  private static Item call(String id) {
    return Item.functionCall(id, "find", "{\"name\":\"Oslo\"}");
  }

  private static Item output(String id) {
    return Item.functionCallOutput(id, "sunny in Oslo");
  }

  private static Item reasoning() {
    return Item.parse("{\"type\":\"reasoning\",\"summary\":[]}");
  }

  private static Item compaction() {
    return Item.parse("{\"type\":\"compaction\",\"summary\":\"they said hello\"}");
  }

  private static long tokens(Item... items) {
    return COUNTER.count(List.of(items));
  }

  @Test
  void tokensAreCountedAsTheModelCountsThem() {
    // "hello world" is two tokens in both encodings; this is one in o200k and more in cl100k.
    Item word = Item.user("안녕하세요");
    assertThat(COUNTER.count(Item.user("hello world"))).isEqualTo(2 + TokenCounter.FRAME);
    assertThat(TokenCounter.forModel("gpt-4o").count(word)).isEqualTo(COUNTER.count(word));
    assertThat(TokenCounter.forModel("gpt-3.5-turbo").count(word))
        .isGreaterThan(COUNTER.count(word));
    assertThat(TokenCounter.forModel("somebody's own model")).isSameAs(COUNTER);
  }

  @Test
  void longTextIsCountedAsShortTextIs() {
    String line = "The weather in Oslo,  they say (again), is 12 degrees;\n  not more. ";
    int lines = 3 * TokenCounter.PIECE / line.length();
    // Each line ends with a space, which belongs to the first word of the next.
    int first = COUNTER.count(line.strip());
    int next = COUNTER.count(" " + line.strip());
    assertThat(COUNTER.count(line.repeat(lines).strip())).isEqualTo(first + (lines - 1) * next);
  }

  @Test
  void longTextWithoutSpacesIsCountedToo() {
    assertThat(COUNTER.count("汉".repeat(100_000))).isEqualTo(100_000);
    int face = COUNTER.count("😀");
    for (String before : List.of("", "\n")) { // a cut would be between the halves of one of the two
      assertThat(COUNTER.count(before + "😀".repeat(3 * TokenCounter.PIECE)))
          .isEqualTo(COUNTER.count(before) + 3 * TokenCounter.PIECE * face);
    }
    for (int more = -1; more <= 1; more++) {
      String text = "汉".repeat(2 * TokenCounter.PIECE + more);
      assertThat(COUNTER.count(text)).isEqualTo(text.length());
    }
  }

  @Test
  void whatIsNotTextIsEstimated() {
    String picture = "data:image/png;base64," + "A".repeat(100_000);
    Item image =
        Item.parse(
            "{\"role\":\"user\",\"content\":[{\"type\":\"input_image\",\"image_url\":\""
                + picture
                + "\"}]}");
    assertThat(COUNTER.count(image)).isEqualTo(TokenCounter.IMAGE + TokenCounter.FRAME);
  }

  @Test
  void theNewestTurnsThatFitAreShown() {
    Item[] first = {Item.user("one"), Item.assistant("1")};
    Item[] second = {Item.user("two"), call("a"), output("a"), Item.assistant("2")};
    Item[] third = {Item.user("three"), Item.assistant("3")};
    List<Item> all = new ArrayList<>(List.of(first));
    all.addAll(List.of(second));
    all.addAll(List.of(third));
    Session session = new MemorySession("s", all);
    long two = tokens(second) + tokens(third);

    assertThat(TokenWindow.of(two).read(session)).isEqualTo(all.subList(2, 8));
    assertThat(TokenWindow.of(two - 1).read(session)).containsExactly(third);
    assertThat(TokenWindow.of(two + tokens(first)).read(session)).isEqualTo(all);
    assertThat(TokenWindow.of(two + tokens(first) - 1).read(session)).isEqualTo(all.subList(2, 8));
  }

  @Test
  void aTurnThatIsTooLargeIsCutBetweenItsSteps() {
    Item[] items = {
      Item.user("go"),
      call("a"),
      output("a"),
      reasoning(),
      call("b"),
      call("c"),
      output("b"),
      output("c"),
      Item.assistant("done")
    };
    List<Item> all = List.of(items);
    Session session = session(items);
    long lastStep = COUNTER.count(all.subList(3, 9));

    assertThat(TokenWindow.of(lastStep).read(session)).isEqualTo(all.subList(3, 9));
    assertThat(TokenWindow.of(lastStep - 1).read(session)).isEqualTo(all.subList(8, 9));
    assertThat(TokenWindow.of(COUNTER.count(all) - 1).read(session)).isEqualTo(all.subList(1, 9));
  }

  @Test
  void theNewestStepIsShownHoweverLargeItIs() {
    Item[] items = {Item.user("go"), reasoning(), call("a"), output("a")};
    assertThat(TokenWindow.of(1).read(session(items)))
        .containsExactly(items[1], items[2], items[3]);
    assertThat(TokenWindow.of(1).read(session(Item.user("go")))).hasSize(1);
    assertThat(TokenWindow.of(1).read(session())).isEmpty();
  }

  @Test
  void anOutputWithoutACallDoesNotKeepTheWindowFromBeingCut() {
    Item[] items = {Item.user("a"), Item.assistant("1"), Item.user("b"), output("lost")};
    assertThat(TokenWindow.of(tokens(items[2], items[3])).read(session(items)))
        .containsExactly(items[2], items[3]);
  }

  @Test
  void aCallBeforeTheTurnOfItsOutputIsShownToo() {
    Item[] items = {Item.user("a"), call("late"), Item.user("b"), output("late")};
    assertThat(TokenWindow.of(tokens(items[2], items[3])).read(session(items)))
        .containsExactly(items[1], items[2], items[3]);
  }

  @Test
  void theNewestCompactionItemIsTheStart() {
    Item[] items = {
      Item.user("a"),
      compaction(),
      Item.assistant("1"),
      compaction(),
      Item.user("b"),
      Item.assistant("2")
    };
    assertThat(TokenWindow.of(1000).read(session(items)))
        .containsExactly(items[3], items[4], items[5]);
    assertThat(TokenWindow.of(tokens(items[4], items[5])).read(session(items)))
        .containsExactly(items[4], items[5]);
  }

  @Test
  void messagesThatTheCompactionLeftBelongToItAsFarAsThereIsRoom() {
    Item[] items = {
      Item.assistant("gone"), Item.user("a"), Item.user("b"), compaction(), Item.assistant("2")
    };
    assertThat(TokenWindow.of(1000).read(session(items))).isEqualTo(List.of(items).subList(1, 5));
    assertThat(TokenWindow.of(tokens(items[2], items[3], items[4])).read(session(items)))
        .isEqualTo(List.of(items).subList(2, 5));
    List<Item> many = new ArrayList<>(List.of(Item.assistant("gone")));
    for (int i = 0; i < 200; i++) {
      many.add(Item.user("u" + i));
    }
    many.add(compaction());
    assertThat(TokenWindow.of(100_000).read(new MemorySession("m", many)))
        .isEqualTo(many.subList(1, 202));
  }

  @Test
  void aWindowWithoutTokensIsRefused() {
    assertThatThrownBy(() -> TokenWindow.of(0)).hasMessageContaining("at least 1 token");
  }

  /** Remembers how much was read. */
  private record Counting(List<Item> items, List<Integer> reads) implements Session {
    @Override
    public String id() {
      return "s";
    }

    @Override
    public List<Item> getItems() {
      return getItems(Integer.MAX_VALUE);
    }

    @Override
    public List<Item> getItems(int limit) {
      reads.add(limit);
      return items.subList(Math.max(0, items.size() - limit), items.size());
    }

    @Override
    public void addItems(List<Item> more) {
      items.addAll(more);
    }

    @Override
    public Optional<Item> popItem() {
      return Optional.of(items.remove(items.size() - 1));
    }

    @Override
    public void clearSession() {
      items.clear();
    }
  }

  @Test
  void ofFiftyThousandItemsOnlyTheEndIsRead() {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 12_500; i++) {
      String id = "call_" + i;
      items.add(Item.user("What is the weather in city number " + i + "?"));
      items.add(call(id));
      items.add(output(id));
      items.add(Item.assistant("It is sunny in city number " + i + "."));
    }
    Counting session = new Counting(items, new ArrayList<>());

    List<Item> shown = TokenWindow.of(8000).read(session);

    assertThat(COUNTER.count(shown)).isBetween(7900L, 8000L);
    assertThat(shown.get(0).json()).contains("What is the weather");
    assertThat(session.reads.stream().mapToInt(Integer::intValue).sum())
        .isLessThan(8 * shown.size());
  }
}
