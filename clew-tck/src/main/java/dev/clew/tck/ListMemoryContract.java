package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Durability;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.Test;

/**
 * What an adapter promises to a framework that reads and saves whole lists of messages, as tests:
 * each message is written once, whatever happens at the same time. One test at a time.
 *
 * @param <M> the framework's type of messages
 */
@DisplayNameGeneration(RuleNames.class)
public abstract class ListMemoryContract<M> {
  private static final String ID = "trip";
  private static final int WINDOW = 20;

  private @Nullable Subject<M> subject;

  /** An adapter over a store, which counts, over the store that was opened. */
  private record Subject<M>(SessionStore opened, CountedWrites store, ListMemory<M> memory) {}

  /**
   * The framework's interface, reduced to what the rules use. As thread-safe as its functions.
   *
   * @param reader reads the list of messages of a conversation
   * @param saver replaces it
   * @param remover deletes the conversation
   */
  public record ListMemory<M>(
      Function<String, List<M>> reader,
      BiConsumer<String, List<M>> saver,
      Consumer<String> remover) {
    List<M> read(String id) {
      return reader.apply(id);
    }

    void save(String id, List<M> messages) {
      saver.accept(id, messages);
    }

    void delete(String id) {
      remover.accept(id);
    }
  }

  /** For JUnit. */
  protected ListMemoryContract() {}

  /** Opens the store of this test; called again after it was closed, with the same data. */
  protected abstract SessionStore open();

  /** A new adapter, which has read nothing yet. */
  protected abstract ListMemory<M> memory(SessionStore store);

  /** A new message of a user. */
  protected abstract M user(String text);

  /** A new message of a model. */
  protected abstract M assistant(String text);

  /** A new system message. */
  protected abstract M system(String text);

  /** The text of a message. */
  protected abstract String text(M message);

  private Subject<M> subject() {
    Subject<M> now = subject;
    return now == null ? start(open()) : now;
  }

  private Subject<M> start(SessionStore opened) {
    CountedWrites store = new CountedWrites(opened);
    Subject<M> started = new Subject<>(opened, store, memory(store));
    subject = started;
    return started;
  }

  private ListMemory<M> memory() {
    return subject().memory();
  }

  private CountedWrites store() {
    return subject().store();
  }

  /** A second process: nothing is in memory but what a volatile store has. */
  private void restart() {
    SessionStore opened = subject().opened();
    if (opened.traits().durability() == Durability.VOLATILE) {
      start(opened);
    } else {
      opened.close();
      start(open());
    }
  }

  /** Closes the store. */
  @AfterEach
  void close() {
    Subject<M> last = subject;
    if (last != null) {
      last.opened().close();
    }
  }

  private StoredSession session() {
    return subject().opened().session(ID);
  }

  /** Reads, adds and saves, as the frameworks do for each message. */
  private void add(M message) {
    add(memory(), message);
  }

  private void add(ListMemory<M> to, M message) {
    List<M> list = new ArrayList<>(to.read(ID));
    list.add(message);
    to.save(ID, window(list));
  }

  /** The newest messages and all system messages. */
  private List<M> window(List<M> list) {
    List<M> window = new ArrayList<>(list);
    for (int i = 0; window.size() > WINDOW; ) {
      if (isSystem(window.get(i))) {
        i++;
      } else {
        window.remove(i);
      }
    }
    return window;
  }

  private boolean isSystem(M message) {
    return text(message).startsWith("system");
  }

  private List<String> texts() {
    return texts(memory().read(ID));
  }

  private List<String> texts(List<M> messages) {
    return messages.stream().map(this::text).toList();
  }

  private String history() {
    return session().getItems(Integer.MAX_VALUE).toString();
  }

  private String compacted() {
    return session().entries(Range.latest(10_000).withCompacted()).entries().stream()
        .filter(Entry::compacted)
        .map(Entry::item)
        .toList()
        .toString();
  }

  private static List<String> numbered(String name, int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> name + i).toList();
  }

  @Test
  void aSavedListIsRead() {
    memory().save(ID, List.of(system("system"), user("hello"), assistant("hi")));
    assertThat(texts()).containsExactly("system", "hello", "hi");
  }

  @Test
  void aConversationThatDoesNotExistIsEmpty() {
    assertThat(memory().read(ID)).isEmpty();
    assertThat(session().info()).isEmpty();
  }

  @Test
  void eachMessageIsWrittenOnce() {
    for (int i = 1; i <= 50; i++) {
      add(i % 2 == 1 ? user("m" + i) : assistant("m" + i));
    }
    assertThat(texts()).isEqualTo(numbered("m", 31, 50));
    assertThat(store().appended()).isEqualTo(50);
    assertThat(store().replaced()).isZero();
  }

  @Test
  void whatAListDropsStaysInTheHistory() {
    numbered("m", 1, 50).forEach(text -> add(user(text)));
    assertThat(session().getItems(Integer.MAX_VALUE)).hasSize(50);
  }

  @Test
  void aSystemMessageThatStaysFirstIsWrittenOnce() {
    add(system("system"));
    numbered("m", 1, 50).forEach(text -> add(user(text)));
    assertThat(texts()).hasSize(WINDOW).startsWith("system", "m32").endsWith("m50");
    assertThat(store().appended()).isEqualTo(51);
    assertThat(store().replaced()).isZero();
  }

  @Test
  void aNewSystemMessageTakesThePlaceOfTheOld() {
    add(system("system 1"));
    add(user("hello"));
    List<M> list = new ArrayList<>(memory().read(ID));
    list.remove(0);
    list.add(system("system 2"));
    memory().save(ID, list);
    assertThat(texts()).containsExactly("hello", "system 2");
    list = new ArrayList<>(memory().read(ID));
    list.add(0, list.remove(1));
    list.add(user("again"));
    memory().save(ID, list);
    assertThat(texts()).containsExactly("system 2", "hello", "again");
    restart();
    assertThat(texts()).containsExactly("system 2", "hello", "again");
    assertThat(history()).contains("system 1");
    assertThat(store().replaced()).isZero();
  }

  @Test
  void aNewSystemMessageCanComeFirst() {
    add(user("hello"));
    List<M> list = new ArrayList<>(memory().read(ID));
    list.add(0, system("system"));
    list.add(assistant("hi"));
    memory().save(ID, list);
    restart();
    assertThat(texts()).containsExactly("system", "hello", "hi");
    add(user("again"));
    assertThat(texts()).containsExactly("system", "hello", "hi", "again");
    assertThat(store().replaced()).isZero();
  }

  @Test
  void equalMessagesAreSeveral() {
    add(user("yes"));
    add(user("yes"));
    M same = user("yes");
    memory().read(ID);
    List<M> list = new ArrayList<>(memory().read(ID));
    list.add(same);
    list.add(same);
    memory().save(ID, list);
    assertThat(texts()).containsExactly("yes", "yes", "yes", "yes");
    restart();
    add(user("yes"));
    assertThat(texts()).hasSize(5);
    assertThat(session().getItems()).hasSize(5);
  }

  @Test
  void savingAnUnchangedListWritesNothing() {
    numbered("m", 1, 5).forEach(text -> add(user(text)));
    memory().save(ID, memory().read(ID));
    memory().save(ID, numbered("m", 1, 5).stream().map(this::user).toList());
    assertThat(store().appended()).isEqualTo(5);
    assertThat(store().replaced()).isZero();
  }

  @Test
  void savingEqualMessagesWritesOnlyTheNewOnes() {
    memory().save(ID, List.of(user("a")));
    memory().save(ID, List.of(user("a"), assistant("b")));
    memory().save(ID, List.of(user("a"), assistant("b"), user("a")));
    assertThat(texts()).containsExactly("a", "b", "a");
    assertThat(store().appended()).isEqualTo(3);
  }

  @Test
  void writersAtTheSameTimeLoseNothing() {
    ListMemory<M> shared = memory();
    Crowd.of(
        8,
        writer -> {
          ListMemory<M> own = writer % 2 == 0 ? shared : memory(store());
          numbered("w" + writer + "-", 1, 50).forEach(text -> add(own, user(text + ".")));
          return writer;
        });
    assertThat(session().getItems(Integer.MAX_VALUE)).hasSize(400);
    for (int writer = 0; writer < 8; writer++) {
      for (String text : numbered("w" + writer + "-", 1, 50)) {
        assertThat(history()).contains("\"" + text + ".\"");
      }
    }
    assertThat(store().appended()).isEqualTo(400);
    assertThat(store().replaced()).isZero();
  }

  @Test
  void twoThatReadTheSameBothKeepWhatTheyAdd() {
    add(user("base"));
    List<M> one = new ArrayList<>(memory().read(ID));
    List<M> other = new ArrayList<>(memory().read(ID));
    one.add(user("one"));
    other.add(user("other"));
    memory().save(ID, one);
    memory().save(ID, other);
    assertThat(texts()).containsExactly("base", "one", "other");
  }

  @Test
  void anEditKeepsTheOldMessageInTheCompactedHistory() {
    numbered("m", 1, 5).forEach(text -> add(user(text)));
    List<M> list = new ArrayList<>(memory().read(ID));
    list.set(2, user("edited"));
    memory().save(ID, list);
    assertThat(texts()).containsExactly("m1", "m2", "edited", "m4", "m5");
    assertThat(compacted()).contains("m3");
    assertThat(store().replaced()).isEqualTo(1);
    add(user("m6"));
    restart();
    assertThat(texts()).containsExactly("m1", "m2", "edited", "m4", "m5", "m6");
  }

  @Test
  void anEditOfTheLastMessageKeepsTheOldOne() {
    numbered("m", 1, 3).forEach(text -> add(user(text)));
    List<M> list = new ArrayList<>(memory().read(ID));
    list.set(2, user("edited"));
    memory().save(ID, list);
    assertThat(texts()).containsExactly("m1", "m2", "edited");
    assertThat(compacted()).contains("m3");
  }

  @Test
  void aRemovedMessageStaysInTheCompactedHistory() {
    numbered("m", 1, 5).forEach(text -> add(user(text)));
    List<M> list = new ArrayList<>(memory().read(ID));
    list.remove(3);
    memory().save(ID, list);
    assertThat(texts()).containsExactly("m1", "m2", "m3", "m5");
    assertThat(compacted()).contains("m4");
  }

  @Test
  void aShorterListLeavesTheHistoryAsItIs() {
    numbered("m", 1, 5).forEach(text -> add(user(text)));
    memory().save(ID, memory().read(ID).subList(3, 5));
    assertThat(texts()).containsExactly("m4", "m5");
    memory().save(ID, List.of());
    assertThat(texts()).isEmpty();
    assertThat(session().getItems()).hasSize(5);
    add(user("m6"));
    assertThat(texts()).containsExactly("m6");
    restart();
    assertThat(texts()).containsExactly("m6");
    assertThat(session().getItems()).hasSize(6);
  }

  @Test
  void aRestartChangesNothing() {
    add(system("system"));
    numbered("m", 1, 40).forEach(text -> add(user(text)));
    List<String> before = texts();
    restart();
    assertThat(texts()).isEqualTo(before);
    add(user("m41"));
    assertThat(texts()).startsWith("system", "m23").endsWith("m41");
    assertThat(store().appended()).isEqualTo(1);
    assertThat(store().replaced()).isZero();
  }

  @Test
  void aSecondAdapterWritesOnlyWhatIsNew() {
    numbered("m", 1, 30).forEach(text -> add(user(text)));
    List<M> list = new ArrayList<>(numbered("m", 11, 30).stream().map(this::user).toList());
    list.add(user("m31"));
    int appended = store().appended();
    memory(store()).save(ID, window(list));
    assertThat(texts()).isEqualTo(numbered("m", 12, 31));
    assertThat(store().appended()).isEqualTo(appended + 1);
    assertThat(store().replaced()).isZero();
  }

  @Test
  void whatOthersAppendIsInTheList() {
    add(user("m1"));
    session().addItems(List.of(Item.assistant("from elsewhere")));
    add(user("m2"));
    assertThat(texts()).containsExactly("m1", "from elsewhere", "m2");
  }

  @Test
  void whatOthersChangeIsInTheList() {
    add(user("m1"));
    add(user("m2"));
    assertThat(texts()).containsExactly("m1", "m2");
    long last = session().entries(Range.latest(1)).entries().get(0).position();
    session().commit(Commit.replaceItem(last, Draft.of(Item.user("changed"))));
    assertThat(texts()).containsExactly("m1", "changed");
  }

  @Test
  void aListThatAnotherAdapterShortenedIsShorter() {
    numbered("m", 1, 5).forEach(text -> add(user(text)));
    assertThat(texts()).hasSize(5);
    ListMemory<M> other = memory(store());
    other.save(ID, other.read(ID).subList(3, 5));
    assertThat(texts()).containsExactly("m4", "m5");
  }

  @Test
  void aListThatWasShortenedIsShorterWhoeverAppendsThen() {
    numbered("m", 1, 5).forEach(text -> add(user(text)));
    assertThat(texts()).hasSize(5);
    ListMemory<M> other = memory(store());
    other.save(ID, other.read(ID).subList(3, 5));
    session().addItems(List.of(Item.assistant("from elsewhere")));
    assertThat(texts()).containsExactly("m4", "m5", "from elsewhere");
  }

  @Test
  void aForkHasTheMessagesOfTheList() {
    numbered("m", 1, 30).forEach(text -> add(user(text)));
    List<Entry> entries = session().entries(Range.latest(1)).entries();
    session().fork("fork", entries.get(0).position());
    assertThat(texts(memory().read("fork"))).endsWith(numbered("m", 11, 30).toArray(String[]::new));
  }

  @Test
  void aStoreThatIsAwaySaysSoAndWritesNothing() {
    add(user("m1"));
    FaultyStore faulty = new FaultyStore(subject().opened());
    ListMemory<M> failing = memory(faulty);
    List<M> list = new ArrayList<>(failing.read(ID));
    list.add(user("m2"));
    list.add(assistant("m3"));
    faulty.failBefore(FaultyStore.every("apply"));
    assertThatThrownBy(() -> failing.save(ID, list))
        .isInstanceOf(ClewException.StoreUnavailable.class);
    faulty.heal();
    assertThat(texts()).containsExactly("m1");
    failing.save(ID, list);
    assertThat(texts()).containsExactly("m1", "m2", "m3");
  }

  @Test
  void aDeletedConversationIsEmpty() {
    add(user("m1"));
    memory().delete(ID);
    assertThat(memory().read(ID)).isEmpty();
    add(user("m2"));
    assertThat(texts()).containsExactly("m2");
  }
}
