package dev.clew.cli.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.crypto.EncryptedStore;
import dev.clew.crypto.KeySource;
import dev.clew.crypto.MasterKeys;
import dev.clew.jsonl.JsonlStore;
import dev.clew.manage.SessionManager;
import dev.clew.memory.MemoryStore;
import dev.clew.postgres.PostgresStore;
import dev.clew.redis.RedisStore;
import dev.clew.retention.HoldingStore;
import dev.clew.retention.LegalHolds;
import dev.clew.sqlite.SqliteStore;
import dev.clew.tck.Await;
import dev.clew.tck.TestClock;
import dev.clew.testservers.PostgresServer;
import dev.clew.testservers.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What is on legal hold is neither removed nor does it expire, whatever is called, on every kind of
 * store, in clear and encrypted.
 */
class HoldsOnEveryStoreTest {
  /** Far beyond every time to live in these rules. */
  private static final Duration LATER = Duration.ofDays(400);

  private static Commit withShortLife(Commit commit) {
    return commit
        .timeToLive(Duration.ofSeconds(1))
        .document(
            new Commit.DocumentPut(
                "document", OptionalLong.empty(), Optional.empty(), receipt -> "{}"));
  }

  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path folder;
  private final TestClock clock = new TestClock(Instant.parse("2030-01-01T00:00:00Z"));
  private final ExecutorService writers = Executors.newSingleThreadExecutor();
  private Place place;
  private SessionStore store;

  /** A store that can be opened again. */
  private interface Place {
    SessionStore open(TestClock clock, Optional<Duration> timeToLive);
  }

  /** Every kind of store. */
  enum Kind {
    MEMORY,
    JSONL,
    SQLITE,
    POSTGRES,
    REDIS,
    ENCRYPTED;

    Place in(Path folder) {
      return switch (this) {
        case MEMORY -> HoldsOnEveryStoreTest::memory;
        case JSONL -> (clock, life) -> jsonl(folder.resolve("sessions"), clock, life);
        case SQLITE -> (clock, life) -> sqlite(folder.resolve("clew.db"), clock, life);
        case POSTGRES -> {
          String url = PostgresServer.shared().newUrl();
          yield (clock, life) -> postgres(url, clock, life);
        }
        case REDIS -> {
          String url = RedisServer.shared().newUrl();
          yield (clock, life) -> redis(url, clock, life);
        }
        case ENCRYPTED -> {
          MasterKeys keys = MasterKeys.create(new KeySource.InFile(folder.resolve("clew.key")));
          yield (clock, life) ->
              EncryptedStore.over(sqlite(folder.resolve("clew.db"), clock, life), keys);
        }
      };
    }
  }

  private static SessionStore memory(TestClock clock, Optional<Duration> life) {
    MemoryStore.Builder builder = MemoryStore.builder().clock(clock);
    life.ifPresent(builder::timeToLive);
    return builder.build();
  }

  private static SessionStore jsonl(Path folder, TestClock clock, Optional<Duration> life) {
    JsonlStore.Builder builder = JsonlStore.builder(folder).clock(clock);
    life.ifPresent(builder::timeToLive);
    return builder.open();
  }

  private static SessionStore sqlite(Path file, TestClock clock, Optional<Duration> life) {
    SqliteStore.Builder builder = SqliteStore.builder(file.toString()).clock(clock);
    life.ifPresent(builder::timeToLive);
    return builder.open();
  }

  private static SessionStore postgres(String url, TestClock clock, Optional<Duration> life) {
    PostgresStore.Builder builder = PostgresStore.builder(url).clock(clock);
    life.ifPresent(builder::timeToLive);
    return builder.open();
  }

  private static SessionStore redis(String url, TestClock clock, Optional<Duration> life) {
    RedisStore.Builder builder = RedisStore.builder(url).clock(clock);
    life.ifPresent(builder::timeToLive);
    return builder.open();
  }

  private void open(Kind kind, Optional<Duration> timeToLive) {
    place = kind.in(folder);
    store = place.open(clock, timeToLive);
  }

  @AfterEach
  void close() {
    writers.shutdownNow();
    store.close();
  }

  private static List<Item> items(String... texts) {
    return Stream.of(texts).map(Item::user).toList();
  }

  /** Every call that would take something from a session, now or later. */
  private static Map<String, BiConsumer<SessionStore, StoredSession>> removals() {
    Map<String, BiConsumer<SessionStore, StoredSession>> all = new LinkedHashMap<>();
    all.put("delete", (store, session) -> store.session(session.key()).delete());
    all.put("clear", (store, session) -> session.clearSession());
    all.put("pop", (store, session) -> session.popItem());
    all.put("erase", (store, session) -> store.erase(session.key().owner()));
    all.put("drop", (store, s) -> s.commit(Commit.dropPrefix(newest(s), List.of())));
    all.put("remove", (store, s) -> s.commit(Commit.removeItem(newest(s))));
    all.put(
        "edit",
        (store, s) -> s.commit(Commit.replaceItem(newest(s), Draft.of(Item.user("other")))));
    all.put("undo", (store, s) -> s.commit(Commit.replaceSuffix(s.getItems(1), List.of())));
    all.put(
        "remove async",
        (store, s) -> store.session(s.key()).commitAsync(Commit.removeItem(newest(s))).join());
    all.put(
        "remove with a document",
        (store, s) -> s.commit(withShortLife(Commit.removeItem(newest(s)))));
    all.put(
        "remove with a document, async",
        (store, s) -> s.commitAsync(withShortLife(Commit.removeItem(newest(s)))).join());
    all.put(
        "time to live",
        (store, s) -> s.update(SessionUpdate.none().timeToLive(Duration.ofSeconds(1))));
    all.put(
        "the store's time to live",
        (store, s) -> s.update(SessionUpdate.none().timeToLive(Duration.ZERO)));
    all.put(
        "time to live with a title",
        (store, s) -> s.update(SessionUpdate.none().title("x").timeToLive(Duration.ofDays(300))));
    return all;
  }

  /** Every call that goes on with a session on hold, or makes one. */
  private static Map<String, BiConsumer<SessionStore, StoredSession>> additions() {
    Commit more = Commit.append(items("more"));
    Map<String, BiConsumer<SessionStore, StoredSession>> all = new LinkedHashMap<>();
    all.put("add", (store, session) -> session.addItems(items("more")));
    all.put("add async", (store, session) -> store.session(session.key()).commitAsync(more).join());
    all.put(
        "add once",
        (store, session) -> store.session(session.key()).commit(more.operationId("operation")));
    all.put("add with a document", (store, s) -> s.commit(withShortLife(more)));
    all.put("add with a document, async", (store, s) -> s.commitAsync(withShortLife(more)).join());
    all.put("title", (store, session) -> session.update(SessionUpdate.none().title("x")));
    all.put(
        "bring from elsewhere",
        (store, s) ->
            s.update(
                SessionUpdate.none()
                    .timeToLive(Duration.ofSeconds(1))
                    .times(Instant.EPOCH, Instant.EPOCH)));
    return all;
  }

  private static long newest(StoredSession session) {
    return session.entries(Range.latest(1)).entries().get(0).position();
  }

  private StoredSession held(SessionStore guarded, Optional<String> id, String owner) {
    StoredSession session = guarded.session(new SessionKey(owner, "held"));
    session.addItems(items("one", "two"));
    new LegalHolds(guarded).place(owner, id, "case 17", clock);
    return session;
  }

  @ParameterizedTest
  @EnumSource
  void whatIsOnHold_isNotRemovedByAnyCall(Kind kind) {
    open(kind, Optional.of(HOUR));
    SessionStore guarded = new HoldingStore(store);
    for (Optional<String> id : List.of(Optional.of("held"), Optional.<String>empty())) {
      for (Map.Entry<String, BiConsumer<SessionStore, StoredSession>> each :
          removals().entrySet()) {
        StoredSession session = held(guarded, id, each.getKey() + id);

        assertThatThrownBy(() -> each.getValue().accept(guarded, session))
            .as(each.getKey())
            .satisfies(
                failure ->
                    assertThat(
                            failure instanceof CompletionException ? failure.getCause() : failure)
                        .isInstanceOf(ClewException.OnHold.class)
                        .hasMessageContaining("case 17"));
        assertKept(session, 2, each.getKey());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsOnHold_goesOnAndDoesNotExpire(Kind kind) {
    open(kind, Optional.of(HOUR));
    SessionStore guarded = new HoldingStore(store);
    for (Map.Entry<String, BiConsumer<SessionStore, StoredSession>> each : additions().entrySet()) {
      StoredSession session = held(guarded, Optional.of("held"), each.getKey());
      each.getValue().accept(guarded, session);

      assertKept(session, each.getKey().startsWith("add") ? 3 : 2, each.getKey());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatAnOwnerOnHoldMakesLater_doesNotExpire(Kind kind) {
    open(kind, Optional.of(HOUR));
    SessionStore guarded = new HoldingStore(store);
    StoredSession source = held(guarded, Optional.empty(), "ann");
    Map<String, BiConsumer<SessionStore, StoredSession>> ways = new LinkedHashMap<>(additions());
    ways.put("fork", (store, s) -> store.session(source.key()).forkTo(s.key(), newest(source)));
    ways.put(
        "make with a time to live",
        (store, s) -> s.update(SessionUpdate.none().timeToLive(Duration.ofSeconds(1))));
    ways.forEach(
        (name, way) -> {
          way.accept(guarded, guarded.session(new SessionKey("ann", name)));
          store.session(new SessionKey("bob", name)).addItems(items("one"));
        });
    clock.advance(LATER);
    while (store.sweep(1000) > 0) {
      // until nothing is left
    }

    for (String name : ways.keySet()) {
      assertThat(store.session(new SessionKey("ann", name)).info()).as(name).isPresent();
      assertThat(store.session(new SessionKey("bob", name)).info()).as("not on hold").isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aHoldOnASessionThatIsMadeLater_keepsItFromExpiring(Kind kind) {
    open(kind, Optional.of(HOUR));
    SessionStore guarded = new HoldingStore(store);
    new LegalHolds(guarded).place("ann", Optional.of("later"), "case 17", clock);
    StoredSession session = guarded.session(new SessionKey("ann", "later"));
    session.addItems(items("one"));

    assertKept(session, 1, "later");
  }

  @ParameterizedTest
  @EnumSource
  void aHoldThatIsPlacedWhileSessionsAreMade_missesNone(Kind kind) throws Exception {
    open(kind, Optional.of(HOUR));
    SessionStore guarded = new HoldingStore(store);
    AtomicInteger made = new AtomicInteger();
    Future<?> writer =
        writers.submit(
            () -> {
              while (made.get() < 60) {
                guarded.session(new SessionKey("ann", "s" + made.get())).addItems(items("one"));
                made.incrementAndGet();
              }
            });
    Await.until(() -> "some sessions", () -> made.get() >= 20);
    new LegalHolds(guarded).place("ann", Optional.empty(), "case 17", clock);
    writer.get(60, TimeUnit.SECONDS);
    clock.advance(LATER);
    store.sweep(1000);

    assertThat(store.list(SessionQuery.of("ann").limit(100)).sessions()).hasSize(60);
  }

  @ParameterizedTest
  @EnumSource
  void aHold_countsWhereTheStoreWasOpenedWithAnotherTimeToLive(Kind kind) {
    open(kind, Optional.empty());
    StoredSession session = held(new HoldingStore(store), Optional.empty(), "ann");
    if (kind != Kind.MEMORY) { // which has no other opening
      store.close();
      store = place.open(clock, Optional.of(HOUR));
      assertKept(store.session(session.key()), 2, "ann");
    }
  }

  @ParameterizedTest
  @EnumSource
  void removingOldSessions_leavesThoseOnHold(Kind kind) {
    open(kind, Optional.empty());
    SessionStore guarded = new HoldingStore(store);
    StoredSession session = held(guarded, Optional.of("held"), "ann");
    guarded.session(new SessionKey("ann", "old")).addItems(items("one"));
    clock.advance(LATER);

    SessionManager sessions = new SessionManager(guarded, "ann", 10, clock);
    assertThat(sessions.cleanup(Duration.ofDays(1))).isEqualTo(1);
    assertKept(session, 2, "held");
  }

  private void assertKept(StoredSession session, int items, String how) {
    clock.advance(LATER);
    store.sweep(1000);
    assertThat(store.session(session.key()).getItems()).as(how).hasSize(items);
  }
}
