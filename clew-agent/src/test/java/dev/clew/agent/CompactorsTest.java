package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The strategies that need no provider. */
class CompactorsTest {
  private final Script model = new Script();
  private final Compactor summary = Compactor.summary(model);

  private static CompactionRequest request(Item... items) {
    return new CompactionRequest(List.of(items), Optional.empty(), false);
  }

  private static Item call(String id) {
    return Item.functionCall(id, "find", "{}");
  }

  private static Item output(String id) {
    return Item.functionCallOutput(id, "found");
  }

  private static Item reasoning() {
    return Item.parse("{\"type\":\"reasoning\",\"summary\":[]}");
  }

  private static Item compaction(String text) {
    return Item.parse("{\"type\":\"compaction\",\"summary\":\"" + text + "\"}");
  }

  private static List<Item> kept(int count, Item... items) {
    return Compactor.keepNewest(count).compact(request(items)).items();
  }

  @Test
  void theNewestTwentyAreKeptUnlessSaidOtherwise() {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      items.add(i % 2 == 0 ? Item.user("q" + i) : Item.assistant("a" + i));
    }
    Compactor newest = Compactor.keepNewest();
    Item[] all = items.toArray(new Item[0]);
    assertThat(newest.compact(request(all)).items()).isEqualTo(items.subList(10, 30));
    List<Item> few = items.subList(0, 20);
    assertThat(newest.compact(request(few.toArray(new Item[0]))).items()).isEqualTo(few);
  }

  @Test
  void systemMessagesAreKeptAndCount() {
    Item rule = Item.system("rule");
    Item other = Item.developer("other rule");
    assertThat(
            kept(
                4,
                rule,
                Item.user("a"),
                Item.assistant("1"),
                other,
                Item.user("b"),
                Item.assistant("2")))
        .containsExactly(rule, other, Item.user("b"), Item.assistant("2"));
    assertThat(kept(1, rule, other, Item.user("a"), Item.assistant("1")))
        .containsExactly(rule, other, Item.assistant("1"));
    assertThat(kept(1, rule, other)).containsExactly(rule, other);
  }

  @Test
  void systemMessagesGoLikeOthersIfTheyAreNotPreserved() {
    Compactor newest = Compactor.keepNewest(2, false);
    Item rule = Item.system("rule");
    assertThat(
            newest
                .compact(
                    request(
                        rule,
                        Item.user("a"),
                        Item.assistant("1"),
                        Item.user("b"),
                        Item.assistant("2")))
                .items())
        .containsExactly(Item.user("b"), Item.assistant("2"));
    assertThat(newest.compact(request(rule, Item.user("a"))).items()).hasSize(2);
  }

  @Test
  void whatBelongsTogetherIsKeptTogether() {
    Item[] items = {
      Item.user("a"),
      call("1"),
      output("1"),
      reasoning(),
      call("2"),
      output("2"),
      Item.assistant("x")
    };
    assertThat(kept(3, items)).containsExactly(Item.assistant("x"));
    assertThat(kept(4, items)).isEqualTo(List.of(items).subList(3, 7));
    Item[] open = {Item.user("a"), reasoning(), call("1"), output("1")};
    assertThat(kept(1, open)).isEqualTo(List.of(open).subList(1, 4));
  }

  @Test
  void aSummaryStandsForAllButTheLastTurn() {
    model.says("They said hello.");
    Item rule = Item.system("rule");
    Compaction compaction =
        summary.compact(
            request(
                rule,
                Item.user("hello"),
                call("1"),
                output("1"),
                Item.assistant("hi"),
                Item.user("and now?"),
                Item.assistant("now this")));

    assertThat(compaction.items())
        .containsExactly(
            compaction("They said hello."),
            rule,
            Item.user("and now?"),
            Item.assistant("now this"));
    assertThat(compaction.usage().requests()).isEqualTo(1);
    assertThat(RunFixture.text(model.lastInput().get(0)))
        .contains(
            "user: hello", "call of tool find with {}", "output of tool: found", "assistant: hi")
        .doesNotContain("and now?", "rule");
    assertThat(model.requests.get(0).tools()).isEmpty();
  }

  @Test
  void aSummaryCanStandForEverything() {
    model.says("All of it.");
    CompactionRequest request =
        new CompactionRequest(
            List.of(Item.user("a"), Item.assistant("1"), Item.user("b"), Item.assistant("2")),
            Optional.empty(),
            true);
    assertThat(summary.compact(request).items()).containsExactly(compaction("All of it."));
    assertThat(RunFixture.text(model.lastInput().get(0))).contains("user: b", "assistant: 2");
  }

  @Test
  void anEarlierSummaryBecomesPartOfTheNext() {
    model.says("More.");
    summary.compact(
        request(compaction("Before."), Item.user("a"), Item.assistant("1"), Item.user("b")));
    assertThat(RunFixture.text(model.lastInput().get(0)))
        .contains("summary of what was said before: Before.");
  }

  @Test
  void aLongHistoryIsSummarisedInParts() {
    model.says("first half").says("both halves");
    String large = "x".repeat(90_000);
    Compaction compaction =
        summary.compact(
            request(Item.user(large), Item.assistant(large), Item.user(large), Item.user("now")));
    assertThat(compaction.items()).startsWith(compaction("both halves"));
    assertThat(RunFixture.text(model.lastInput().get(0))).contains("summary so far: first half");
    assertThat(compaction.usage().requests()).isEqualTo(2);
  }

  @Test
  void aSummaryThatSaysNothingIsRefused() {
    model.says(" ");
    assertThatThrownBy(() -> summary.compact(request(Item.user("a"), Item.user("b"))))
        .isInstanceOf(ClewException.ModelFailed.class);
  }

  @Test
  void whatOnlyTheProviderCanReadIsNotSummarised() {
    assertThatThrownBy(
            () -> summary.compact(request(Summarised.item(1), Item.user("a"), Item.user("b"))))
        .isInstanceOf(ClewException.NotSupported.class)
        .hasMessageContaining("let the provider compact it");
  }

  @Test
  void aModelIsShownASummaryAsAMessage() {
    Session session = new MemorySession();
    Agent agent = Agent.builder().name("Guide").build();
    CompactionSession compacted =
        CompactionSession.builder(session, Compactor.summary(model))
            .trigger(CompactionTrigger.turns(2))
            .build();
    Runner runner = Runner.with(model);
    model.says("1").says("2").says("They counted.").says("3").says("They counted on.");
    runner.run(agent, "a", compacted);
    RunResult result = runner.run(agent, "b", compacted);
    assertThat(result.requests()).hasSize(2);
    assertThat(session.getItems())
        .containsExactly(compaction("They counted."), Item.user("b"), Item.assistant("2"));

    runner.run(agent, "c", compacted);
    assertThat(model.requests.get(3).input())
        .containsExactly(
            Item.user("Summary of the conversation so far:\n\nThey counted."),
            Item.user("b"),
            Item.assistant("2"),
            Item.user("c"));
  }
}
