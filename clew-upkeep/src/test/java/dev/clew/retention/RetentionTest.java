package dev.clew.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.backup.BackupStore;
import dev.clew.jsonl.JsonlStore;
import dev.clew.memory.MemoryStore;
import dev.clew.migrate.Migration;
import dev.clew.migrate.MigrationListener;
import dev.clew.spi.Compression;
import dev.clew.tck.FaultyStore;
import dev.clew.tck.SampleSessions;
import dev.clew.tck.TestClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Policies and legal holds. */
class RetentionTest {
  private static final Duration DAY = Duration.ofDays(1);

  @TempDir Path folder;
  private final TestClock clock = new TestClock(Instant.parse("2026-01-31T10:00:00Z"));
  private final SessionStore store = MemoryStore.builder().clock(clock).build();
  private final Retention retention = Retention.of(store).clock(clock);

  @AfterEach
  void close() {
    store.close();
  }

  private void add(String owner, String id, String... tags) {
    SessionKey key = new SessionKey(owner, id);
    store.session(key).addItems(List.of(Item.user(id)));
    store.session(key).update(SessionUpdate.none().tags(Set.of(tags)));
  }

  private static RetentionPolicy policy(
      String name, Duration age, Duration idle, Integer count, String tag, String owner) {
    return new RetentionPolicy(
        name,
        Optional.ofNullable(owner),
        Optional.ofNullable(tag),
        Optional.ofNullable(age),
        Optional.ofNullable(idle),
        count == null ? OptionalInt.empty() : OptionalInt.of(count));
  }

  private RetentionReport run() {
    return retention.run(false, Optional.empty(), removal -> {});
  }

  private List<String> left(String owner) {
    return store.list(SessionQuery.of(owner)).sessions().stream()
        .map(info -> info.key().id())
        .sorted()
        .toList();
  }

  @Test
  void idleSessionsGo_andTheOthersStay() {
    add("", "old");
    clock.advance(DAY.multipliedBy(60));
    add("", "new");
    retention.set(policy("idle", null, DAY.multipliedBy(90), null, null, null));
    assertThat(run().removed()).isZero();
    clock.advance(DAY.multipliedBy(31));
    store.session("new").addItems(List.of(Item.user("again")));

    assertThat(run().removed()).isEqualTo(1);
    assertThat(left("")).containsExactly("new");
    assertThat(retention.policies()).hasSize(1);
  }

  @Test
  void ageCountsFromTheBeginning_tagAndOwnerNarrowIt() {
    add("ann", "a", "scratch");
    add("ann", "b");
    add("bob", "c", "scratch");
    clock.advance(DAY.multipliedBy(8));
    store.session(new SessionKey("ann", "a")).addItems(List.of(Item.user("fresh")));
    retention.set(policy("scratch", DAY.multipliedBy(7), null, null, "scratch", "ann"));

    assertThat(run().removed()).isEqualTo(1);
    assertThat(left("ann")).containsExactly("b");
    assertThat(left("bob")).containsExactly("c");
  }

  @Test
  void aCountKeepsTheNewestOfEachOwner() {
    for (int i = 0; i < 5; i++) {
      clock.advance(DAY);
      add("ann", "s" + i);
      add("bob", "t" + i);
    }
    retention.set(policy("two", null, null, 2, null, null));
    List<String> told = new ArrayList<>();
    RetentionReport dryRun =
        retention.run(true, Optional.empty(), removal -> told.add(removal.key().id()));

    assertThat(dryRun.removed()).isEqualTo(6);
    assertThat(told).containsExactlyInAnyOrder("s0", "s1", "s2", "t0", "t1", "t2");
    assertThat(left("ann")).hasSize(5);
    assertThat(run().removed()).isEqualTo(6);
    assertThat(left("ann")).containsExactly("s3", "s4");
    assertThat(left("bob")).containsExactly("t3", "t4");
  }

  @Test
  void whatGoesIsArchivedFirst() {
    SampleSessions.compacted(store.session("big"), 1);
    add("ann", "a");
    List<SampleSessions.Copy> before = List.copyOf(SampleSessions.all(store).values());
    clock.advance(DAY);
    retention.set(policy("all", null, Duration.ofHours(1), null, null, null));
    List<String> heard = new ArrayList<>();
    RetentionReport report = retention.run(false, Optional.of(folder), noting(heard));

    assertThat(report.removed()).isEqualTo(2);
    assertThat(heard)
        .startsWith("examined 1", "examined 2")
        .contains("archived all")
        .endsWith("progressed 1 of 2", "progressed 2 of 2");
    assertThat(SampleSessions.all(store)).isEmpty();
    try (BackupStore archive = BackupStore.open(report.archive().orElseThrow())) {
      archive.verify(bytes -> {});
      assertThat(SampleSessions.all(archive).values()).containsExactlyElementsOf(before);
    }
  }

  /** Notes how far a run is. */
  private static RetentionListener noting(List<String> heard) {
    return new RetentionListener() {
      @Override
      public void removed(Retention.Verdict verdict) {}

      @Override
      public void examined(long sessions) {
        heard.add("examined " + sessions);
      }

      @Override
      public void archived(long items, long total) {
        heard.add(items == total ? "archived all" : "archived some");
      }

      @Override
      public void progressed(long done, long total) {
        heard.add("progressed " + done + " of " + total);
      }
    };
  }

  @Test
  void whoIsInTheMiddleOfATurn_keepsTheSession() {
    add("", "busy");
    clock.advance(DAY);
    retention.set(policy("all", null, Duration.ofHours(1), null, null, null));
    store.leases().tryAcquire(SessionKey.of("busy"), "turn", "me", Duration.ofMinutes(1));
    RetentionReport report = run();

    assertThat(report.removed()).isZero();
    assertThat(report.skipped()).isEqualTo(1);
    assertThat(left("")).containsExactly("busy");
  }

  /** A run that is killed leaves its lease on the session it was about to remove. */
  @Test
  void whatAKilledRunWasAboutToRemove_isRemovedWhenItsLeaseEnds() {
    add("", "s");
    clock.advance(DAY);
    retention.set(policy("all", null, Duration.ofHours(1), null, null, null));
    store
        .leases()
        .tryAcquire(SessionKey.of("s"), "turn", "retention killed", Duration.ofSeconds(5));
    RetentionListener later =
        new RetentionListener() {
          @Override
          public void removed(Retention.Verdict verdict) {}

          @Override
          public void progressed(long done, long total) {
            clock.advance(Duration.ofSeconds(6));
          }
        };

    assertThat(retention.run(false, Optional.empty(), later).removed()).isEqualTo(1);
    assertThat(left("")).isEmpty();
  }

  @Test
  void interruptedAnywhere_theNextRunGoesOn() {
    for (int i = 0; i < 5; i++) {
      add("", "s" + i);
    }
    clock.advance(DAY);
    retention.set(policy("all", null, Duration.ofHours(1), null, null, null));
    FaultyStore dying = new FaultyStore(store);
    dying.failBefore(FaultyStore.nth("delete", 3));

    assertThatThrownBy(
            () -> Retention.of(dying).clock(clock).run(false, Optional.of(folder), removal -> {}))
        .isInstanceOf(ClewException.class);
    assertThat(left("")).hasSize(3);
    clock.advance(Duration.ofHours(1));
    assertThat(run().removed()).isEqualTo(3);
  }

  @Test
  void aPolicyThatSaysNothing_isRefused() {
    assertThatThrownBy(() -> policy("x", null, null, null, "t", null))
        .hasMessageContaining("does nothing");
    assertThatThrownBy(() -> policy("../x", DAY, null, null, null, null))
        .hasMessageContaining("name");
  }

  // Holds

  @Test
  void whatIsOnHold_cannotBeRemovedInAnyWay_andIsReadAndGrowsAsBefore() {
    add("ann", "a");
    add("ann", "b");
    SessionStore guarded = new HoldingStore(store);
    SessionKey held = new SessionKey("ann", "a");
    new LegalHolds(guarded).place("ann", Optional.of("a"), "case 17", clock);
    Commit drop = Commit.dropPrefix(SampleSessions.tail(store.session(held)), List.of());

    assertHeld(() -> guarded.session(held).delete());
    assertHeld(() -> guarded.session(held).clearSession());
    assertHeld(() -> guarded.session(held).popItem());
    assertHeld(() -> guarded.session(held).commit(drop));
    assertHeld(() -> guarded.erase("ann"));
    guarded.session(held).addItems(List.of(Item.user("more")));
    assertThat(guarded.session(held).getItems()).hasSize(2);
    guarded.session(new SessionKey("ann", "b")).delete();
    clock.advance(DAY);
    retention.set(policy("all", null, Duration.ofHours(1), null, null, null));
    assertThat(run().held()).isEqualTo(1);
    assertThat(left("ann")).containsExactly("a");
    assertThat(new LegalHolds(guarded).release("ann", Optional.of("a"))).isTrue();
    assertThat(run().removed()).isEqualTo(1);
  }

  private static void assertHeld(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(ClewException.OnHold.class)
        .hasMessageContainingAll("case 17", "nothing was removed");
  }

  @Test
  void whatIsOnHoldDoesNotExpire() {
    add("ann", "a");
    add("bob", "b");
    for (String owner : List.of("ann", "bob")) {
      SessionKey key = new SessionKey(owner, owner.substring(0, 1));
      store.session(key).update(SessionUpdate.none().timeToLive(DAY));
    }
    retention.holds().place("ann", Optional.empty(), "case 17", clock);
    clock.advance(DAY.multipliedBy(2));
    store.sweep(100);

    assertThat(left("ann")).containsExactly("a");
    assertThat(left("bob")).isEmpty();
    assertThat(store.session(new SessionKey("ann", "a")).info().flatMap(SessionInfo::timeToLive))
        .hasValueSatisfying(life -> assertThat(life).isGreaterThan(DAY.multipliedBy(365)));
  }

  private static RetentionPolicy cold(String name) {
    return policy(name, null, DAY, null, null, null).compressing();
  }

  @Test
  void idleSessionsAreCompressedOnce_heldOnesToo_andNothingIsRemoved() {
    try (SessionStore files = JsonlStore.builder(folder).clock(clock).diskBlock(0).open()) {
      Retention policies = Retention.of(files).clock(clock);
      files.session("old").addItems(SampleSessions.items("old", 5));
      files.session("held").addItems(SampleSessions.items("held", 5));
      policies.holds().place("", Optional.of("held"), "case 17", clock);
      clock.advance(DAY.multipliedBy(2));
      files.session("new").addItems(SampleSessions.items("new", 5));
      Map<String, SampleSessions.Copy> before = SampleSessions.all(files);
      policies.set(cold("cold"));
      List<String> told = new ArrayList<>();
      RetentionListener listener =
          new RetentionListener() {
            @Override
            public void removed(Retention.Verdict verdict) {
              told.add("removed " + verdict.key().id());
            }

            @Override
            public void compressed(Retention.Verdict verdict, Optional<Compression.Saving> saving) {
              told.add(verdict.key().id() + " " + saving.isPresent());
            }

            @Override
            public void compressing(long done, long total) {
              told.add(done + " of " + total);
            }
          };

      RetentionReport dryRun = policies.run(true, Optional.empty(), listener);
      assertThat(dryRun.compressed().sessions()).isEqualTo(2);
      assertThat(told).containsExactlyInAnyOrder("old false", "held false");
      told.clear();
      RetentionReport report = policies.run(false, Optional.empty(), listener);
      assertThat(told).containsExactlyInAnyOrder("old true", "held true", "1 of 2", "2 of 2");
      assertThat(report.compressed().sessions()).isEqualTo(2);
      assertThat(report.compressed().after()).isLessThan(report.compressed().before());
      assertThat(report.removed() + report.held() + report.skipped()).isZero();
      assertThat(SampleSessions.all(files)).isEqualTo(before);
      assertThat(policies.run(false, Optional.empty(), listener).compressed().sessions()).isZero();

      policies.set(policy("all", null, DAY, null, null, null));
      files.session("old").addItems(List.of(Item.user("again")));
      clock.advance(DAY.multipliedBy(2));
      RetentionReport both = policies.run(false, Optional.empty(), RetentionListener.NONE);
      assertThat(both.removed()).isEqualTo(2); // old and new; removing goes before compressing
      assertThat(both.held()).isEqualTo(1);
      assertThat(both.compressed().sessions()).isZero();
    }
  }

  @Test
  void aPolicyThatCompresses_takesTheNameOfOneThatRemoves_andTheOtherWayRound() {
    try (SessionStore files = JsonlStore.open(folder)) {
      Retention policies = Retention.of(files);
      policies.set(policy("a", null, DAY, null, null, null));
      policies.set(cold("a"));
      assertThat(policies.policies()).containsExactly(cold("a"));
      assertThat(files.documents().list(Retention.OWNER, "retention/", Optional.empty(), 10))
          .as("what a program that only removes would find")
          .isEmpty();
      policies.set(policy("a", null, DAY, null, null, null));
      assertThat(policies.policies()).containsExactly(policy("a", null, DAY, null, null, null));
      policies.set(cold("a"));
      assertThat(policies.remove("a")).isTrue();
      assertThat(policies.policies()).isEmpty();
    }
  }

  @Test
  void aStoreThatCannotCompress_refusesSuchAPolicy_andSaysSoOfOneThatCameWithTheRest() {
    assertThatThrownBy(() -> retention.set(cold("cold")))
        .isInstanceOf(ClewException.NotSupported.class)
        .hasMessageContaining("SQLite files and JSONL folders without a key can");
    assertThat(retention.policies()).isEmpty();
    try (SessionStore files = JsonlStore.open(folder)) {
      Retention.of(files).set(cold("cold"));
      Migration.of(files, store).run(MigrationListener.NONE);
    }
    add("", "old");
    clock.advance(DAY.multipliedBy(9));
    retention.set(policy("old", null, DAY, null, null, null));
    RetentionReport report = run();
    assertThat(report.removed()).isEqualTo(1);
    assertThat(report.powerless()).containsExactly("cold");
  }
}
