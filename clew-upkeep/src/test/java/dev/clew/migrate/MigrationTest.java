package dev.clew.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionInfo.Parent;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ForwardingBackend;
import dev.clew.memory.MemoryStore;
import dev.clew.migrate.SessionOutcome.Kind;
import dev.clew.tck.FaultyStore;
import dev.clew.tck.SampleSessions;
import dev.clew.tck.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is moved, what is refused, and what a kill at any moment leaves. */
class MigrationTest {
  private final TestClock clock = new TestClock(Instant.parse("2030-01-01T00:00:00Z"));
  private final SessionStore from = MemoryStore.builder().clock(clock).build();
  private SessionStore to = MemoryStore.builder().clock(clock).build();

  @AfterEach
  void close() {
    from.close();
    to.close();
  }

  private MigrationReport migrate() {
    clock.advance(Duration.ofDays(1)); // what is moved is from yesterday
    return Migration.of(from, to).run(MigrationListener.NONE);
  }

  private List<SessionOutcome> outcomes(Migration migration) {
    List<SessionOutcome> outcomes = new ArrayList<>();
    migration.run(
        new MigrationListener() {
          @Override
          public void finished(SessionOutcome outcome) {
            outcomes.add(outcome);
          }
        });
    return outcomes;
  }

  private SessionInfo info(String id) {
    return to.session(SessionKey.of(id)).info().orElseThrow();
  }

  @Test
  void everySession_isThereItemForItem() {
    SampleSessions.fill(from);
    MigrationReport report = migrate();

    assertThat(SampleSessions.all(to)).isEqualTo(SampleSessions.all(from)).hasSize(8);
    assertThat(report.count(Kind.MOVED)).isEqualTo(8);
    assertThat(report.isComplete()).isTrue();
    assertThat(report.records()).isEqualTo(2);
    assertThat(to.documents().get("ann:b%_", "token/1").orElseThrow().json())
        .isEqualTo("{\"a\":1}");
    assertThat(to.documents().get("only records", "r").orElseThrow().expiresAt()).isPresent();
  }

  @Test
  void aSecondRun_findsEverythingThereAndChangesNothing() {
    SampleSessions.fill(from);
    migrate();
    Map<String, SampleSessions.Copy> before = SampleSessions.all(to);
    long version = info("compacted").version();
    MigrationReport again = migrate();

    assertThat(again.count(Kind.ALREADY_THERE)).isEqualTo(8);
    assertThat(again.count(Kind.MOVED)).isZero();
    assertThat(again.records()).isZero();
    assertThat(SampleSessions.all(to)).isEqualTo(before);
    assertThat(info("compacted").version()).isEqualTo(version);
  }

  @Test
  void killedAtAnyCall_nothingIsHalfUnlessItIsMarkedAndTheNextRunCompletesIt() {
    SampleSessions.large(from.session("large"));
    SampleSessions.compacted(from.session("compacted"), 2);
    from.session("small").addItems(SampleSessions.items("small", 3));
    from.session("small").update(SessionUpdate.none().title("small"));
    Map<String, SampleSessions.Copy> whole = SampleSessions.all(from);
    for (boolean after : new boolean[] {false, true}) {
      int calls = 0;
      boolean killed = true;
      for (int n = 1; killed; n++) {
        to.close();
        to = MemoryStore.builder().clock(clock).build();
        FaultyStore dying = new FaultyStore(to);
        AtomicInteger count = new AtomicInteger();
        int last = n;
        if (after) {
          dying.failAfter(call -> count.incrementAndGet() == last);
          dying.failBefore(call -> count.get() > last);
        } else {
          dying.failBefore(call -> count.incrementAndGet() >= last);
        }
        killed = killed(dying);
        assertWholeOrMarked(whole, n);
        assertThat(migrate().isComplete()).isTrue();
        assertThat(SampleSessions.all(to)).as("killed at call " + n).isEqualTo(whole);
        calls = n;
      }
      assertThat(calls).isGreaterThan(20);
    }
  }

  private boolean killed(SessionStore dying) {
    try {
      Migration.of(from, dying).run(MigrationListener.NONE);
      return false;
    } catch (ClewException.StoreUnavailable | ClewException.OutcomeUnknown e) {
      return true;
    }
  }

  private void assertWholeOrMarked(Map<String, SampleSessions.Copy> whole, int call) {
    for (String id : List.of("small", "large", "compacted")) {
      Optional<SessionInfo> info = to.session(SessionKey.of(id)).info();
      if (info.isPresent() && !Migration.isUnfinished(info.get())) {
        assertThat(to.session(id).getItems())
            .as("session %s after a kill at call %d", id, call)
            .isEqualTo(whole.get("'" + id + "'").items());
      } else {
        assertThat(info.map(SessionInfo::archived).orElse(true)).isTrue();
      }
    }
  }

  @Test
  void anUnfinishedCopy_isContinuedNotBegunAgain() {
    SampleSessions.large(from.session("large"));
    FaultyStore dying = new FaultyStore(to);
    dying.failBefore(FaultyStore.nth("apply", 3));
    assertThat(killed(dying)).isTrue();
    int there = to.session("large").getItems().size();
    assertThat(there).isBetween(1, SampleSessions.LARGE - 1);

    assertThat(info("large").title()).startsWith("unfinished migration: large");
    AtomicInteger written = new AtomicInteger();
    SessionStore counting =
        BackendStore.decorate(
            to,
            backend ->
                new ForwardingBackend(backend) {
                  @Override
                  public Receipt commit(SessionKey key, Commit transaction) {
                    written.addAndGet(transaction.items().size());
                    return super.commit(key, transaction);
                  }
                });
    Migration.of(from, counting).run(MigrationListener.NONE);
    assertThat(written.get()).isEqualTo(SampleSessions.LARGE - there);
    assertThat(SampleSessions.all(to)).isEqualTo(SampleSessions.all(from));
  }

  @Test
  void anUnfinishedCopyOfASourceThatHasChangedSince_isBegunAgain() {
    SampleSessions.large(from.session("large"));
    FaultyStore dying = new FaultyStore(to);
    dying.failBefore(FaultyStore.nth("apply", 3));
    assertThat(killed(dying)).isTrue();
    long first = from.session("large").entries(Range.first(1)).entries().get(0).position();
    from.session("large").commit(Commit.removeItem(first));

    assertThat(migrate().isComplete()).isTrue();
    assertThat(SampleSessions.all(to)).isEqualTo(SampleSessions.all(from));
  }

  @Test
  void aTargetSessionWithOtherContent_isRefusedAndTheOthersGoOn() {
    SampleSessions.fill(from);
    to.session("small").addItems(List.of(Item.user("mine")));
    List<SessionOutcome> outcomes = outcomes(Migration.of(from, to));

    assertThat(outcomes).filteredOn(o -> o.kind() == Kind.REFUSED).hasSize(1);
    SessionOutcome refused =
        outcomes.stream().filter(o -> o.kind() == Kind.REFUSED).findFirst().orElseThrow();
    assertThat(refused.key()).isEqualTo(SessionKey.of("small"));
    assertThat(refused.message()).contains("another session");
    assertThat(outcomes).filteredOn(o -> o.kind() == Kind.MOVED).hasSize(7);
    assertThat(to.session("small").getItems()).containsExactly(Item.user("mine"));
    assertThat(info("small").title()).isEmpty();
  }

  @Test
  void aTargetSessionWithTheSameItemsReplacedOtherwise_isRefused() {
    from.session("s").addItems(SampleSessions.items("a", 4));
    to.session("s").addItems(SampleSessions.items("a", 2));
    long upTo = SampleSessions.tail(to.session("s"));
    to.session("s").commit(Commit.replacePrefix(upTo, List.of(Item.user("a 2"))));

    assertThat(outcomes(Migration.of(from, to)).get(0).kind()).isEqualTo(Kind.REFUSED);
    assertThat(to.session("s").getItems()).containsExactly(Item.user("a 2"));
  }

  @Test
  void aSessionThatGrewSinceItWasMoved_isContinued() {
    StoredSession session = from.session("s");
    session.addItems(SampleSessions.items("a", 3));
    migrate();
    session.addItems(SampleSessions.items("b", 2));
    session.commit(Commit.replacePrefix(SampleSessions.tail(session), List.of(Item.user("sum"))));
    session.addItems(SampleSessions.items("c", 2));
    assertThat(migrate().count(Kind.MOVED)).isEqualTo(1);

    assertThat(SampleSessions.all(to)).isEqualTo(SampleSessions.all(from));
  }

  @Test
  void aSessionThatIsWrittenToWhileItIsMoved_isThereAsItIsInTheEnd() {
    SampleSessions.large(from.session("s"));
    AtomicInteger reads = new AtomicInteger();
    SessionStore busy =
        BackendStore.decorate(
            from,
            backend ->
                new ForwardingBackend(backend) {
                  @Override
                  public EntryPage read(SessionKey key, Range range) {
                    int read = reads.incrementAndGet();
                    if (read == 2) {
                      from.session("s").addItems(SampleSessions.items("meanwhile", 2));
                    } else if (read == 4) {
                      from.session("s").popItem();
                    }
                    return super.read(key, range);
                  }
                });
    MigrationReport report = Migration.of(busy, to).run(MigrationListener.NONE);

    assertThat(report.count(Kind.MOVED)).isEqualTo(1);
    assertThat(SampleSessions.all(to)).isEqualTo(SampleSessions.all(from));
  }

  @Test
  void aSessionThatNeverComesToRest_failsAndStaysMarkedOrWhole() {
    SampleSessions.large(from.session("s"));
    SessionStore restless =
        BackendStore.decorate(
            from,
            backend ->
                new ForwardingBackend(backend) {
                  @Override
                  public EntryPage read(SessionKey key, Range range) {
                    from.session("s").addItems(List.of(Item.user("more")));
                    return super.read(key, range);
                  }
                });
    List<SessionOutcome> outcomes = outcomes(Migration.of(restless, to));

    assertThat(outcomes.get(0).kind()).isEqualTo(Kind.FAILED);
    assertThat(outcomes.get(0).message()).contains("stop its writers");
  }

  @Test
  void aDryRun_tellsWhatWouldHappenAndChangesNothing() {
    SampleSessions.fill(from);
    to.session("small").addItems(List.of(Item.user("mine")));
    to.session("plain").addItems(SampleSessions.items("plain", 1));
    MigrationReport report = Migration.of(from, to).dryRun().run(MigrationListener.NONE);

    assertThat(report.count(Kind.WOULD_MOVE)).isEqualTo(7);
    assertThat(report.count(Kind.REFUSED)).isEqualTo(1);
    assertThat(report.records()).isEqualTo(2);
    assertThat(report.items()).isPositive();
    assertThat(SampleSessions.all(to)).hasSize(2);
    assertThat(to.documents().get("ann:b%_", "token/1")).isEmpty();
  }

  @Test
  void owner_movesThatOwnerOnly() {
    SampleSessions.fill(from);
    Migration.of(from, to).owner("ann:b%_").run(MigrationListener.NONE);

    assertThat(SampleSessions.all(to)).hasSize(1);
    assertThat(to.owners(Optional.empty(), 10)).containsExactly("ann:b%_");
  }

  @Test
  void since_movesWhatWasUpdatedAtThatTimeOrLater() {
    from.session("old").addItems(SampleSessions.items("old", 1));
    clock.advance(Duration.ofHours(1));
    Instant time = clock.instant();
    from.session("new").addItems(SampleSessions.items("new", 1));

    Migration.of(from, to).since(time).run(MigrationListener.NONE);
    assertThat(SampleSessions.order(to, "")).containsExactly("new");
  }

  @Test
  void sessions_keepTheOrderOfTheirLastUpdate() {
    for (int i = 0; i < 1100; i++) {
      from.session("s" + i * 7 % 1100).addItems(SampleSessions.items("x", 1));
      clock.advance(Duration.ofSeconds(1));
    }
    migrate();

    assertThat(SampleSessions.order(to, "")).isEqualTo(SampleSessions.order(from, ""));
  }

  @Test
  void itemsAndSessions_keepTheirTimes() {
    SessionKey key = SessionKey.of("s");
    from.session(key).update(SessionUpdate.none().title("made first"));
    for (int i = 0; i < 4; i++) {
      clock.advance(Duration.ofMinutes(7));
      from.session("s").addItems(SampleSessions.items("x", 2));
    }
    clock.advance(Duration.ofMinutes(7));
    from.session("s").popItem();
    migrate();

    assertThat(SampleSessions.all(to)).isEqualTo(SampleSessions.all(from));
    assertThat(info("s").createdAt()).isEqualTo(from.session(key).info().orElseThrow().createdAt());
    assertThat(info("s").updatedAt()).isEqualTo(clock.instant().minus(Duration.ofDays(1)));
  }

  @Test
  void aFork_namesItsParentByThePositionThatTheItemHasInTheTarget() {
    to.session("before").addItems(SampleSessions.items("moves the positions", 5));
    StoredSession main = from.session("main");
    main.addItems(SampleSessions.items("x", 6));
    List<Long> at = positions(main);
    from.session(main.key()).forkTo(SessionKey.of("a fork"), at.get(3));
    from.session(main.key()).forkTo(SessionKey.of("z fork"), at.get(1));
    from.session(SessionKey.of("a fork")).forkTo(SessionKey.of("fork of a fork"), Long.MAX_VALUE);
    main.commit(Commit.removeItem(at.get(1)));
    from.session("gone").addItems(SampleSessions.items("y", 2));
    from.session(SessionKey.of("gone")).forkTo(SessionKey.of("orphan"), Long.MAX_VALUE);
    from.session(SessionKey.of("gone")).delete();
    from.session(main.key()).forkTo(SessionKey.of("another there"), Long.MAX_VALUE);
    to.session("another there").addItems(SampleSessions.items("own", 1));
    migrate();
    long version = info("a fork").version();
    migrate();

    List<Long> there = positions(to.session("main"));
    assertThat(info("a fork").parent()).contains(new Parent(main.key(), there.get(2)));
    assertThat(info("z fork").parent()).contains(new Parent(main.key(), there.get(0)));
    assertThat(info("fork of a fork").parent())
        .contains(new Parent(SessionKey.of("a fork"), positions(to.session("a fork")).get(3)));
    assertThat(info("orphan").parent()).isEmpty();
    assertThat(info("another there").parent()).isEmpty();
    assertThat(info("a fork").version()).isEqualTo(version);
  }

  @Test
  void aForkFromWhatWasCompactedSince_namesItWhereItIs() {
    StoredSession main = from.session("main");
    main.addItems(SampleSessions.items("x", 6));
    from.session(main.key()).forkTo(SessionKey.of("fork"), positions(main).get(2));
    main.commit(Commit.replacePrefix(positions(main).get(4), List.of(Item.user("sum"))));
    migrate();

    Range all = Range.first(9).withCompacted();
    assertThat(info("fork").parent())
        .contains(
            new Parent(
                main.key(), to.session(main.key()).entries(all).entries().get(2).position()));
  }

  /** Or it would be gone in the moment in which it is there. */
  @Test
  void aSessionThatOutlivedTheTimeToLiveOfTheTarget_countsAsUpdatedWhenItWasMoved() {
    to.close();
    to = MemoryStore.builder().clock(clock).timeToLive(Duration.ofHours(1)).build();
    SampleSessions.large(from.session("large"));
    from.session("small").addItems(SampleSessions.items("small", 3));
    Instant then = clock.instant();

    assertThat(migrate().isComplete()).isTrue();
    for (String id : List.of("large", "small")) {
      assertThat(info(id).updatedAt()).isEqualTo(clock.instant());
      assertThat(info(id).createdAt()).isEqualTo(then);
      assertThat(to.session(id).entries(Range.latest(1)).entries().get(0).addedAt())
          .isEqualTo(then);
    }
  }

  @Test
  void anItemTheTargetRefuses_failsItsSessionAndNamesThePosition() {
    to.close();
    to = MemoryStore.builder().limits(new ItemLimits(1000, 200)).build();
    from.session("bad")
        .addItems(List.of(Item.user("fine"), Item.user("x".repeat(2000)), Item.user("fine")));
    from.session("good").addItems(SampleSessions.items("good", 2));
    long position = from.session("bad").entries(Range.first(2)).entries().get(1).position();
    List<SessionOutcome> outcomes = outcomes(Migration.of(from, to));

    assertThat(outcomes).extracting(SessionOutcome::kind).contains(Kind.FAILED, Kind.MOVED);
    assertThat(outcomes)
        .anyMatch(outcome -> outcome.message().contains("position " + position + " "));
    assertThat(to.session(SessionKey.of("bad")).info()).isEmpty();
  }

  @Test
  void aRecordOfTheTargetWithOtherContent_isKept() {
    from.documents().put("", "r", "1", OptionalLong.empty(), Optional.empty());
    to.documents().put("", "r", "2", OptionalLong.empty(), Optional.empty());
    List<String> refused = new ArrayList<>();
    MigrationReport report =
        Migration.of(from, to)
            .run(
                new MigrationListener() {
                  @Override
                  public void recordRefused(String owner, String name) {
                    refused.add(owner + "/" + name);
                  }
                });

    assertThat(report.refusedRecords()).isEqualTo(1);
    assertThat(report.isComplete()).isFalse();
    assertThat(refused).containsExactly("/r");
    assertThat(to.documents().get("", "r").orElseThrow().json()).isEqualTo("2");
  }

  @Test
  void anUnfinishedCopy_isNotMovedOn() {
    SampleSessions.large(from.session("large"));
    FaultyStore dying = new FaultyStore(to);
    dying.failBefore(FaultyStore.nth("apply", 3));
    assertThat(killed(dying)).isTrue();

    try (SessionStore third = new MemoryStore()) {
      List<SessionOutcome> outcomes = outcomes(Migration.of(to, third));
      assertThat(outcomes.get(0).kind()).isEqualTo(Kind.REFUSED);
      assertThat(third.owners(Optional.empty(), 5)).isEmpty();
    }
  }

  @Test
  void aStoreThatCannotBeUsed_endsTheMigration() {
    SampleSessions.fill(from);
    FaultyStore dead = new FaultyStore(to);
    dead.failBefore(call -> true);

    assertThatThrownBy(() -> Migration.of(from, dead).run(MigrationListener.NONE))
        .isInstanceOf(ClewException.StoreUnavailable.class);
  }

  @Test
  void progress_addsUpToThePlan() {
    SampleSessions.fill(from);
    long[] planned = new long[2];
    long[] seen = new long[2];
    Migration.of(from, to)
        .run(
            new MigrationListener() {
              @Override
              public void planned(long sessions, long items) {
                planned[0] = sessions;
                planned[1] = items;
              }

              @Override
              public void progressed(long items) {
                seen[1] += items;
              }

              @Override
              public void finished(SessionOutcome outcome) {
                seen[0]++;
              }
            });

    assertThat(seen[0]).isEqualTo(planned[0]).isEqualTo(8);
    assertThat(seen[1]).isGreaterThanOrEqualTo(planned[1]);
  }

  private static List<Long> positions(StoredSession session) {
    return session.entries(Range.latest(Integer.MAX_VALUE)).entries().stream()
        .map(Entry::position)
        .toList();
  }
}
