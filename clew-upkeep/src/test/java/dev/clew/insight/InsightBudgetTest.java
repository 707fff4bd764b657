package dev.clew.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is said when there is more than can be counted. */
class InsightBudgetTest {
  private static final SessionKey KEY = new SessionKey("ann", "s");

  private final SessionStore store = Stores.open("memory:");

  @AfterEach
  void stop() {
    store.close();
  }

  private void fill(String id, int items) {
    store
        .session(new SessionKey("ann", id))
        .addItems(IntStream.range(0, items).mapToObj(i -> Item.user("m" + i)).toList());
  }

  @Test
  void aSessionIsReadFromItsEnd_asFarAsTheBudgetGoes() {
    fill("s", 2500);
    Facts enough = new Facts(store, 2500);
    Facts.Read all = enough.of(store.session(KEY).info().orElseThrow(), Instant.MIN);
    assertThat(all.facts()).hasSize(2500);
    assertThat(all.complete()).isTrue();
    Facts less = new Facts(store, 2499);
    Facts.Read some = less.of(store.session(KEY).info().orElseThrow(), Instant.MIN);
    assertThat(some.facts()).hasSize(2499);
    assertThat(some.complete()).isFalse();
    assertThat(less.isUsedUp()).isTrue();
    assertThat(less.items()).isEqualTo(2499);
  }

  @Test
  void whatIsOlderThanAskedForIsNotReadToItsEnd() {
    fill("s", 2500);
    Facts facts = new Facts(store, 10_000);
    Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
    assertThat(facts.of(store.session(KEY).info().orElseThrow(), tomorrow).complete()).isTrue();
    assertThat(facts.items()).isEqualTo(1000); // one page, to see that
  }

  @Test
  void theStoreSaysThatItIsPartial_andOnlyThen() {
    List.of("a", "b", "c").forEach(id -> fill(id, 10));
    Instant yesterday = Instant.now().minus(Duration.ofDays(1));
    StoreInsight all = new StoreInsight(store, new Facts(store, 31), yesterday);
    all.count("ann");
    assertThat(all.json().json())
        .contains("\"messages\":30")
        .contains("\"counted\":{\"sessions\":3,\"items\":30,\"partial\":false}");
    StoreInsight some = new StoreInsight(store, new Facts(store, 15), yesterday);
    some.count("ann");
    assertThat(some.json().json())
        .contains("\"sessions\":3,\"messages\":15")
        .contains("\"counted\":{\"sessions\":3,\"items\":15,\"partial\":true}");
  }

  @Test
  void whatWasImportedCountsOnTheDayItWasSaid() {
    store
        .session(KEY)
        .commit(
            Commit.appendDrafts(
                List.of(
                    Draft.of(Item.assistant("older")).at(Instant.parse("2023-01-01T10:00:00Z")),
                    Draft.of(Item.user("old")).at(Instant.parse("2024-05-01T10:00:00Z")),
                    Draft.of(Item.user("new")))));
    StoreInsight insight =
        StoreInsight.unlimited(store, Instant.parse("2024-01-01T00:00:00Z"), day -> day);
    insight.count("ann");

    assertThat(insight.days().keySet()).contains(LocalDate.parse("2024-05-01")).hasSize(2);
    assertThat(insight.days().get(LocalDate.parse("2024-05-01")).sessions()).isZero();
    assertThat(insight.days().get(LocalDate.parse("2024-05-01")).messages()).isEqualTo(1);
  }
}
