package dev.clew.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.StoredSession;
import dev.clew.Window;
import dev.clew.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is written for a message, what is read back, and what is shown. */
class SessionMemoryTest {
  private static final SessionKey KEY = SessionKey.of("trip");

  private final MemoryStore store = new MemoryStore();
  private final StoredSession session = store.session(KEY);

  @AfterEach
  void close() {
    store.close();
  }

  private Memories.Builder<Note> builder() {
    return Memories.builder(store, new NoteCodec());
  }

  private SessionMemory<Note> list() {
    return builder().build().memory(KEY);
  }

  private SessionMemory<Note> window(Window window) {
    return builder().window(window).build().memory(KEY);
  }

  private List<String> shown() {
    return strings(list().messages());
  }

  private static List<String> strings(List<Note> notes) {
    return notes.stream().map(Note::toString).toList();
  }

  private void note(String text, Map<String, Object> note) {
    Draft draft = new Draft(Item.user(text), Map.of("notes", note));
    session.commit(Commit.appendDrafts(List.of(draft)));
  }

  private List<Entry> entries() {
    return session.entries(Range.latest(1000)).entries();
  }

  @Test
  void aMessageThatOneItemSaysHasNoNote() {
    list().add(List.of(Note.of("user", "hello")));
    assertThat(entries().get(0).item()).isEqualTo(Item.user("hello"));
    assertThat(entries().get(0).notes()).isEmpty();
  }

  @Test
  void theItemsOfAMessageAreOneMessageAgain() {
    Note both = Note.calling("let me see", "a", "b");
    list().add(List.of(Note.of("assistant", "first"), both, Note.result("a", "1")));
    assertThat(entries()).hasSize(5);
    assertThat(shown())
        .containsExactly("assistant: first[]", both.toString(), Note.result("a", "1").toString());
  }

  @Test
  void whatNoItemSaysIsKeptAsTheRest() {
    Note note = new Note("user", "hello", List.of(), Map.of("rest", "of it"));
    list().add(List.of(note));
    assertThat(entries().get(0).notes().toString()).doesNotContain("raw");
    assertThat(list().messages().get(0).extra).isEqualTo(note.extra);
  }

  @Test
  void whatTheCodecForgetsIsKeptAsText() {
    Note note = new Note("user", "hello", List.of(), Map.of("colour", "blue"));
    list().add(List.of(note));
    assertThat(entries().get(0).item()).isEqualTo(Item.user("hello"));
    assertThat(list().messages().get(0).extra).isEqualTo(note.extra);
  }

  @Test
  void aMessageWithoutItemsIsAnItemOfItsOwnType() {
    list().add(List.of(Note.of("odd", "hello")));
    assertThat(entries().get(0).item().type()).isEqualTo("notes_message");
    assertThat(shown()).containsExactly("odd: hello[]");
  }

  @Test
  void itemsOfOthersAreGroupedByTheirTypes() {
    session.addItems(
        List.of(
            Item.user("question"),
            Item.assistant("let me see"),
            Item.functionCall("a", "look", "{}"),
            Item.functionCall("b", "look", "{}"),
            Item.functionCallOutput("a", "1"),
            Item.functionCallOutput("b", "2"),
            Item.parse("{\"type\":\"web_search_call\",\"id\":\"ws\"}"),
            Item.assistant("answer"),
            Item.assistant("and more")));
    assertThat(shown())
        .containsExactly(
            "user: question[]",
            Note.calling("let me see", "a", "b").toString(),
            Note.result("a", "1").toString(),
            Note.result("b", "2").toString(),
            "assistant: answer[]",
            "assistant: and more[]");
  }

  @Test
  void aSummaryIsShownAsAMessageOfTheUser() {
    session.addItems(
        List.of(
            Item.parse("{\"type\":\"compaction\",\"summary\":\"a trip\"}"), Item.user("go on")));
    assertThat(shown())
        .containsExactly("user: Summary of the conversation so far:\n\na trip[]", "user: go on[]");
  }

  @Test
  void aNoteOfANewerVersionIsReadAsFarAsItIsKnown() {
    note("hello", Map.of("n", 1, "rest", "\"r\"", "future", List.of(1)));
    note("unreadable", Map.of("n", 1, "rest", "<new>"));
    note("rewritten", Map.of("n", 1, "raw", "<new>"));
    List<Entry> before = entries();
    List<Note> read = new ArrayList<>(list().messages());
    assertThat(strings(read))
        .containsExactly("user: hello[]", "user: unreadable[]", "user: rewritten[]");
    SessionMemory<Note> memory = list();
    read = new ArrayList<>(memory.messages());
    read.add(Note.of("user", "more"));
    memory.save(read);
    assertThat(entries().subList(0, 3)).isEqualTo(before);
    assertThat(entries()).hasSize(4);
  }

  @Test
  void aViewOfACopyWithOtherPositionsLeavesNothingOut() {
    session.addItems(List.of(Item.user("a"), Item.user("b")));
    note("c", Map.of("n", 1, "view", Map.of("after", 50_000)));
    assertThat(shown()).hasSize(3);
    long first = entries().get(0).position();
    note("d", Map.of("n", 1, "view", Map.of("after", first, "first", "0")));
    assertThat(shown()).hasSize(4);
  }

  @Test
  void callsWithoutAResultAndResultsWithoutACallAreNotShown() {
    list()
        .add(
            List.of(
                Note.result("lost", "?"),
                Note.calling("", "a"),
                Note.calling("both", "b", "c"),
                Note.result("b", "1"),
                Note.of("user", "go on")));
    assertThat(shown())
        .containsExactly(
            Note.calling("both", "b").toString(),
            Note.result("b", "1").toString(),
            "user: go on[]");
    assertThat(strings(builder().repair(false).build().memory(KEY).messages())).hasSize(5);
    assertThat(entries()).hasSize(7);
  }

  @Test
  void callsOfTheTurnThatIsGoingOnAreShown() {
    list().add(List.of(Note.of("user", "go"), Note.calling("", "a", "b"), Note.result("a", "1")));
    assertThat(shown())
        .containsExactly(
            "user: go[]", Note.calling("", "a", "b").toString(), Note.result("a", "1").toString());
  }

  @Test
  void aCallIsShownAgainWhenItsResultHasCome() {
    SessionMemory<Note> memory = list();
    memory.add(List.of(Note.calling("wait", "a"), Note.of("user", "go on")));
    assertThat(strings(memory.messages())).containsExactly("assistant: wait[]", "user: go on[]");
    memory.add(List.of(Note.result("a", "1")));
    assertThat(strings(memory.messages())).contains(Note.calling("wait", "a").toString());
  }

  @Test
  void savingARepairedListKeepsWhatWasNotShown() {
    SessionMemory<Note> memory = list();
    memory.add(List.of(Note.of("user", "go"), Note.calling("", "a"), Note.of("user", "again")));
    List<Note> read = new ArrayList<>(memory.messages());
    read.add(Note.of("assistant", "yes"));
    memory.save(read);
    assertThat(shown()).containsExactly("user: go[]", "user: again[]", "assistant: yes[]");
    assertThat(entries()).hasSize(4);
  }

  @Test
  void aWindowShowsTheNewestTurnsAndTheNewestSystemMessage() {
    SessionMemory<Note> memory = window(Window.lastTurns(2));
    memory.add(List.of(Note.of("system", "old")));
    memory.add(List.of(Note.of("system", "rules")));
    for (int i = 0; i < 100; i++) {
      memory.add(List.of(Note.of("system", "rules"), Note.of("user", "q" + i)));
      memory.add(List.of(Note.of("assistant", "a" + i)));
    }
    List<String> expected =
        List.of(
            "system: rules[]",
            "user: q98[]",
            "assistant: a98[]",
            "user: q99[]",
            "assistant: a99[]");
    assertThat(strings(memory.messages())).isEqualTo(expected);
    assertThat(strings(window(Window.lastTurns(2)).messages())).isEqualTo(expected);
    assertThat(entries()).hasSize(202);
  }

  @Test
  void savingAWindowAppendsToTheWholeHistory() {
    SessionMemory<Note> memory = window(Window.lastTurns(2));
    for (int i = 0; i < 10; i++) {
      memory.add(List.of(Note.of("user", "q" + i)));
    }
    List<Note> read = new ArrayList<>(memory.messages());
    read.add(0, Note.of("system", "rules"));
    read.add(Note.of("user", "q10"));
    memory.save(read);
    assertThat(strings(window(Window.lastTurns(2)).messages()))
        .containsExactly("system: rules[]", "user: q9[]", "user: q10[]");
    assertThat(entries()).hasSize(12);
  }

  @Test
  void aListThatWasReadOnAnotherThreadLosesNothing() throws Exception {
    SessionMemory<Note> memory = list();
    memory.add(List.of(Note.of("user", "a")));
    List<Note> read =
        new ArrayList<>(CompletableFuture.supplyAsync(memory::messagesForAnyThread).get());
    memory.add(List.of(Note.of("user", "b")));
    read.add(Note.of("user", "b"));
    memory.save(read);
    assertThat(shown()).containsExactly("user: a[]", "user: b[]", "user: b[]");
  }

  @Test
  void aLeaseKeepsTurnsApart() throws Exception {
    Memories<Note> memories = builder().turnLease(Duration.ofMinutes(1)).build();
    SessionMemory<Note> memory = memories.memory(KEY);
    memory.add(List.of(Note.of("user", "q1")));
    CompletableFuture<Void> second =
        CompletableFuture.runAsync(() -> memory.add(List.of(Note.of("user", "q2"))));
    memory.add(List.of(Note.calling("", "a")));
    memory.add(List.of(Note.result("a", "1")));
    assertThat(second).isNotDone();
    memory.add(List.of(Note.of("assistant", "a1")));
    second.get(60, TimeUnit.SECONDS);
    assertThat(entries().get(3).item()).isEqualTo(Item.assistant("a1"));
    assertThat(entries().get(4).item()).isEqualTo(Item.user("q2"));
  }

  @Test
  void aTurnWithoutAnAnswerEndsWithItsLease() {
    SessionMemory<Note> memory = builder().turnLease(Duration.ofMillis(20)).build().memory(KEY);
    memory.add(List.of(Note.of("user", "q1")));
    memory.add(List.of(Note.of("user", "q2")));
    assertThat(shown()).containsExactly("user: q1[]", "user: q2[]");
  }

  @Test
  void idsOfManyTypesNameASession() {
    UUID uuid = UUID.randomUUID();
    MemoryKeys keys = MemoryKeys.ofOwner("ann");
    assertThat(keys.key("trip")).isEqualTo(new SessionKey("ann", "trip"));
    assertThat(keys.key(7L)).isEqualTo(new SessionKey("ann", "7"));
    assertThat(keys.key(uuid)).isEqualTo(new SessionKey("ann", uuid.toString()));
    assertThat(keys.key(KEY)).isSameAs(KEY);
  }

  @Test
  void anIdThatCannotNameASessionIsRefusedWithASentence() {
    assertThatThrownBy(() -> MemoryKeys.defaults().key(List.of("trip")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot name a session; use a String");
    assertThatThrownBy(() -> MemoryKeys.defaults().key(null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the memory id is null, and so names no session; use a String");
  }

  /** Reads and adds as frameworks do, and waits for the one before. */
  private List<String> seenInTurn(Memories<Note> memories, String question) {
    SessionMemory<Note> memory = memories.memory(KEY);
    Turn turn = memory.turn();
    try {
      List<String> seen = strings(memory.messagesForAnyThread());
      memory.add(List.of(Note.of("user", question)));
      memory.add(List.of(Note.of("assistant", "answer to " + question)));
      return seen;
    } finally {
      turn.close();
    }
  }

  @Test
  void aTurnThatIsHeldSeesTheAnswerItWaitedFor() throws Exception {
    Memories<Note> memories = builder().turnLease(Duration.ofMinutes(1)).build();
    Memories<Note> elsewhere = builder().turnLease(Duration.ofMinutes(1)).build();
    SessionMemory<Note> memory = memories.memory(KEY);
    Turn first = memory.turn();
    memory.add(List.of(Note.of("user", "q1")));
    var second = CompletableFuture.supplyAsync(() -> seenInTurn(elsewhere, "q2"));
    var third = CompletableFuture.supplyAsync(() -> seenInTurn(memories, "q3"));
    memory.add(List.of(Note.of("assistant", "a1")));
    memory.add(List.of(Note.of("assistant", "and more"))); // the turn goes on until it is closed
    assertThat(session.getItems()).hasSize(3);
    first.close();
    first.close();
    List<String> seen = new ArrayList<>(second.get(60, TimeUnit.SECONDS));
    seen.addAll(third.get(60, TimeUnit.SECONDS));
    assertThat(seen).hasSize(3 + 5);
    assertThat(session.getItems()).hasSize(7);

    memory.turn().close(); // one that failed keeps nobody waiting
    assertThat(seenInTurn(memories, "q4")).hasSize(7);
    assertThatThrownBy(list()::turn)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("turnLease");
  }

  @Test
  void thoseWhoBeginASessionAtTheSameMomentStoreItsSystemMessageOnce() throws Exception {
    int writers = 8;
    CyclicBarrier together = new CyclicBarrier(writers);
    List<CompletableFuture<Void>> all = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    try {
      for (int i = 0; i < writers; i++) {
        SessionMemory<Note> memory = window(Window.lastTurns(5)); // a process of its own
        String question = "q" + i;
        all.add(
            CompletableFuture.runAsync(
                () -> {
                  memory.messagesForAnyThread();
                  await(together);
                  memory.add(List.of(Note.of("system", "rules")));
                  memory.add(List.of(Note.of("user", question)));
                },
                threads));
      }
      for (CompletableFuture<Void> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(session.getItems()).hasSize(1 + writers).contains(Item.system("rules"));
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }
}
