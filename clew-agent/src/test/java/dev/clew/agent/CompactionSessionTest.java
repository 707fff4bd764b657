package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Range;
import dev.clew.Session;
import dev.clew.StoredSession;
import dev.clew.Window;
import dev.clew.memory.MemoryStore;
import dev.clew.sqlite.SqliteStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is compacted of a session, and what is left. */
class CompactionSessionTest extends Compacting {
  @Test
  void aCallThatWasNeverAnsweredIsLeftOutAndHoldsNothingOff() {
    stored.addItems(List.of(Item.user("a"), Item.functionCall("lost", "find", "{}")));
    turn(over(compactor).trigger(always()).build(), "b", "2");
    assertThat(compactor.last().items())
        .containsExactly(Item.user("a"), Item.user("b"), Item.assistant("2"));
  }

  @Test
  void whatAGuardrailStoppedIsNotCompacted() {
    Agent guarded =
        Agent.builder()
            .name("Guarded")
            .inputGuardrail(
                Guardrail.of(
                    "no secrets",
                    (context, items) ->
                        items.get(0).json().contains("secret")
                            ? Optional.of("secret")
                            : Optional.empty()))
            .build();
    for (Session below : List.of(stored, new MemorySession())) {
      Session session = CompactionSession.builder(below, compactor).trigger(always()).build();
      assertThatThrownBy(() -> runner.run(guarded, "secret", session))
          .isInstanceOf(ClewException.GuardrailTripped.class);
      model.says("hello");
      runner.run(guarded, "hi", session);
      assertThat(compactor.last().items())
          .containsExactly(Item.user("hi"), Item.assistant("hello"));
    }
  }

  @Test
  void theWholeHistoryIsCompactedWhateverTheLimitOfTheSession() {
    MemoryStore store = new MemoryStore();
    StoredSession limited =
        store.session(dev.clew.SessionKey.of("l")).with(dev.clew.SessionSettings.limit(2));
    limited.addItems(talk(5));
    CompactionSession.over(limited, compactor).runCompaction(CompactionOptions.FORCE);
    assertThat(compactor.last().items()).hasSize(10);
  }

  @Test
  void replacedItemsStayReadableUnlessTheyShallBeDropped() {
    stored.addItems(talk(2));
    over(compactor).build().runCompaction(CompactionOptions.FORCE);
    assertThat(all(stored)).containsAll(talk(2)).contains(Summarised.item(1)).hasSize(5);

    StoredSession other = new MemoryStore().session("t");
    other.addItems(talk(2));
    CompactionSession.builder(other, compactor)
        .dropOriginals()
        .build()
        .runCompaction(CompactionOptions.FORCE);
    assertThat(all(other)).containsExactly(Summarised.item(2));
  }

  @Test
  void itemsThatAreKeptStayInTheirPlaceWithTheirNotes() {
    Session session = over(Compactor.keepNewest(4)).trigger(always()).build();
    turn(session, "a", "1");
    turn(session, "b", "2");
    List<Entry> before = stored.entries(Range.latest(2)).entries();
    turn(session, "c", "3");

    List<Entry> after = stored.entries(Range.first(10)).entries();
    assertThat(after).hasSize(4);
    assertThat(after.subList(0, 2)).isEqualTo(before);
    assertThat(after.get(1).notes()).containsEntry("agent", "Guide");
  }

  @Test
  void inPlaceEverythingStaysAndTheWindowStartsAtTheCompaction() {
    Session session = over(compactor).inPlace().trigger(CompactionTrigger.turns(2)).build();
    turn(session, "a", "1");
    turn(session, "b", "2");
    assertThat(stored.getItems()).hasSize(5).endsWith(Summarised.item(1));

    turn(session, "c", "3");
    assertThat(model.lastInput()).containsExactly(Summarised.item(1), Item.user("c"));
    turn(session, "d", "4");
    assertThat(compactor.last().items()).hasSize(5).startsWith(Summarised.item(1));
    assertThat(compactor.last().intoOneItem()).isTrue();
    assertThat(stored.getItems()).hasSize(10).endsWith(Summarised.item(2));
    assertThatThrownBy(() -> over(Compactor.keepNewest()).inPlace())
        .hasMessageContaining("no compaction item");
  }

  @Test
  void messagesThatTheProviderLeavesAsTheyWereAreShownWithTheCompaction() {
    List<CompactionRequest> requests = new ArrayList<>();
    Compactor atProvider =
        new Compactor() {
          @Override
          public Compaction compact(CompactionRequest request) {
            requests.add(request);
            List<Item> output =
                new ArrayList<>(request.items().stream().filter(Window::startsTurn).toList());
            output.add(Summarised.item(requests.size()));
            return Compaction.of(output);
          }

          @Override
          public boolean canFollowResponses() {
            return true;
          }
        };
    Session session = over(atProvider).trigger(always()).build();
    turn(session, "a", "1");
    turn(session, "b", "2");

    assertThat(model.lastInput())
        .containsExactly(Item.user("a"), Summarised.item(1), Item.user("b"));
    assertThat(requests.get(1).responseId()).contains("resp_2");
    assertThat(stored.getItems())
        .containsExactly(Item.user("a"), Item.user("b"), Summarised.item(2));
  }

  @Test
  void anotherProcessGoesOnWithTheCompactedHistory(@TempDir Path folder) {
    Path file = folder.resolve("clew.db");
    try (SqliteStore store = SqliteStore.open(file)) {
      Session session =
          CompactionSession.builder(store.session("s"), compactor).trigger(always()).build();
      turn(session, "a", "1");
    }
    try (SqliteStore store = SqliteStore.open(file)) {
      Session session =
          CompactionSession.builder(store.session("s"), compactor).trigger(always()).build();
      turn(session, "b", "2");
      assertThat(model.lastInput()).containsExactly(Summarised.item(1), Item.user("b"));
      assertThat(session.getItems()).containsExactly(Summarised.item(2));
      assertThat(all(store.session("s"))).hasSize(6);
    }
  }

  private static final class Conversation implements ServerManagedSession {
    private final Session session = new MemorySession("conv_1");

    @Override
    public String id() {
      return session.id();
    }

    @Override
    public List<Item> getItems() {
      return session.getItems();
    }

    @Override
    public List<Item> getItems(int limit) {
      return session.getItems(limit);
    }

    @Override
    public void addItems(List<Item> items) {
      session.addItems(items);
    }

    @Override
    public Optional<Item> popItem() {
      return session.popItem();
    }

    @Override
    public void clearSession() {
      session.clearSession();
    }
  }

  @Test
  void aSessionThatTheProviderKeepsIsRefusedWithTheReason() {
    assertThatThrownBy(() -> CompactionSession.over(new Conversation(), compactor))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("conv_1")
        .hasMessageContaining("kept by the provider");
    assertThatThrownBy(() -> CompactionSession.over(over(compactor).build(), compactor))
        .hasMessageContaining("already");
  }
}
