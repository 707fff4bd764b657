package dev.clew.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.memory.MemoryStore;
import dev.clew.migrate.Migration;
import dev.clew.migrate.MigrationListener;
import dev.clew.migrate.MigrationReport;
import dev.clew.tck.FaultyStore;
import dev.clew.tck.SampleSessions;
import dev.clew.tck.TestClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups as files; what differs between stores is tested where all stores are. */
class BackupTest {
  @TempDir Path folder;
  private final SessionStore store = Stores.open("memory:");
  private final SessionStore target = Stores.open("memory:");

  @AfterEach
  void close() {
    store.close();
    target.close();
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  private BackupReport write(String name) {
    return Backup.of(store).writeTo(file(name), MigrationListener.NONE);
  }

  private MigrationReport restore(Path file) {
    try (BackupStore backup = BackupStore.open(file)) {
      backup.verify(bytes -> {});
      return Migration.of(backup, target).run(MigrationListener.NONE);
    }
  }

  @Test
  void everythingComesBackItemForItem_andRecordsToo() {
    SampleSessions.fill(store);
    BackupReport report = write("a.backup");

    assertThat(report.isComplete()).isTrue();
    assertThat(report.totals().sessions()).isEqualTo(8);
    assertThat(report.totals().records()).isEqualTo(2);
    assertThat(restore(report.file()).isComplete()).isTrue();
    assertThat(SampleSessions.all(target)).isEqualTo(SampleSessions.all(store)).hasSize(8);
    assertThat(target.documents().get("ann:b%_", "token/1").orElseThrow().json())
        .isEqualTo("{\"a\":1}");
  }

  @Test
  void restoredYearsLater_everythingIsAsOldAsItWas_andWhatOutlivedItsTimeLivesAgain() {
    TestClock clock = new TestClock(Instant.parse("2021-03-04T05:06:07.089Z"));
    SessionKey small = SessionKey.of("small"); // which lives for 900 days
    try (SessionStore old = MemoryStore.builder().clock(clock).build()) {
      SampleSessions.fill(old);
      clock.advance(Duration.ofHours(5));
      old.session("plain").addItems(List.of(Item.user("later")));
      Instant before = Instant.now().truncatedTo(ChronoUnit.MILLIS);
      restore(Backup.of(old).writeTo(file("old.backup"), MigrationListener.NONE).file());

      Entry first = target.session(small).entries(Range.first(1)).entries().get(0);
      assertThat(first.addedAt()).isEqualTo(old.session(small).info().orElseThrow().updatedAt());
      assertThat(target.session(small).info().orElseThrow().updatedAt()).isAfterOrEqualTo(before);
      old.session(small).delete();
      target.session(small).delete();
      assertThat(SampleSessions.all(target)).isEqualTo(SampleSessions.all(old)).hasSize(7);
      assertThat(target.list(SessionQuery.of("").limit(2)).sessions())
          .extracting(info -> info.key().id())
          .containsExactly("emptied", "plain");
    }
  }

  @Test
  void aBackupReadsAsTheStoreDid_withPositionsTimesAndWhereAForkCameFrom() {
    SampleSessions.fill(store);
    SessionKey fork = SessionKey.of("fork");
    long at = SampleSessions.tail(store.session("small"));
    store.session(SessionKey.of("small")).forkTo(fork, at);
    try (BackupStore backup = BackupStore.open(write("a.backup").file())) {
      assertThat(backup.owners(Optional.empty(), 10)).isEqualTo(store.owners(Optional.empty(), 10));
      for (String id : List.of("small", "with notes", "compacted", "emptied", "fork")) {
        SessionKey key = SessionKey.of(id);
        assertThat(backup.session(key).info()).isEqualTo(store.session(key).info());
        for (Range range : ranges(store, key)) {
          assertThat(backup.session(key).entries(range))
              .as("%s %s", id, range)
              .isEqualTo(store.session(key).entries(range));
        }
      }
      assertThat(backup.session(fork).info().flatMap(SessionInfo::parent)).isPresent();
      assertThat(backup.session(SessionKey.of("none")).info()).isEmpty();
      assertThat(backup.documents().get("only records", "r"))
          .isEqualTo(store.documents().get("only records", "r"));
      assertThatThrownBy(() -> backup.session("x").addItems(List.of(Item.user("x"))))
          .isInstanceOf(ClewException.NotSupported.class);
    }
  }

  private static List<Range> ranges(SessionStore store, SessionKey key) {
    List<Range> ranges = new ArrayList<>();
    List<Entry> all = store.session(key).entries(Range.first(1000).withCompacted()).entries();
    long middle = all.get(all.size() / 2).position();
    for (int limit : new int[] {1, 3, 1000}) {
      for (Range range :
          List.of(
              Range.first(limit),
              Range.latest(limit),
              Range.after(middle, limit),
              Range.before(middle, limit))) {
        ranges.add(range);
        ranges.add(range.withCompacted());
      }
    }
    return ranges;
  }

  @Test
  void theFileIsForItsUserAlone_andNoPartOfItIsLeftBehind() throws IOException {
    store.session("s").addItems(List.of(Item.user("x")));
    Path file = write("a.backup").file();

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void anIncrementHoldsWhatChanged_andTheChainRestoresToTheStoreAsItIs() {
    SampleSessions.fill(store);
    BackupReport full = write("1.backup");
    store.session("plain").addItems(List.of(Item.user("more")));
    store.session("small").update(SessionUpdate.none().title("another"));
    store.session("new").addItems(List.of(Item.user("new")));
    store.session(SessionKey.of("large")).delete();
    store.documents().delete("only records", "r");
    BackupReport second =
        Backup.of(store).since(full.file()).writeTo(file("2.backup"), MigrationListener.NONE);
    store.session("new").addItems(List.of(Item.user("newer")));
    BackupReport third =
        Backup.of(store).since(second.file()).writeTo(file("3.backup"), MigrationListener.NONE);

    assertThat(second.written()).isEqualTo(3);
    assertThat(second.totals().sessions()).isEqualTo(8);
    assertThat(second.bytes()).isLessThan(full.bytes());
    assertThat(third.written()).isEqualTo(1);
    restore(third.file());
    assertThat(SampleSessions.all(target)).isEqualTo(SampleSessions.all(store)).hasSize(8);
    assertThat(target.owners(Optional.empty(), 10)).doesNotContain("only records");
  }

  /** Each time something else happens to it; what can be taken from the files before is. */
  @Test
  void anIncrementOfOneSession_holdsWhatFollowsTheFirstChange() {
    StoredSession session = store.session("s");
    session.addItems(random(24, 100_000));
    long whole = write("0.backup").bytes();
    List<Runnable> changes =
        List.of(
            () -> session.addItems(random(2, 1000)),
            () -> session.addItems(random(3, 1000)),
            () -> session.update(SessionUpdate.none().title("titled")),
            () -> session.popItem(),
            () -> session.addItems(random(1, 1000)),
            () -> replace(session, 22),
            () -> session.commit(Commit.replacePrefix(position(session, 12), random(1, 1000))),
            () -> session.addItems(random(2, 1000)),
            () -> replace(session, 0));
    List<Integer> percents = new ArrayList<>();
    for (int i = 1; i <= changes.size(); i++) {
      changes.get(i - 1).run();
      Backup increment = Backup.of(store).since(file(i - 1 + ".backup"));
      BackupReport report = increment.writeTo(file(i + ".backup"), MigrationListener.NONE);
      percents.add((int) Math.round(100.0 * report.bytes() / whole));
      try (BackupStore backup = BackupStore.open(report.file())) {
        Range all = Range.first(1000).withCompacted();
        assertThat(backup.session(session.key()).entries(all))
            .isEqualTo(store.session(session.key()).entries(all));
        assertThat(backup.session(session.key()).info()).isEqualTo(session.info());
      }
    }
    // The first block has 21 of the large items, the second three; a compaction moves all of them.
    assertThat(percents.subList(0, 5)).containsExactly(0, 0, 0, 0, 0);
    assertThat(percents.get(5)).isBetween(5, 20);
    assertThat(percents.get(6)).isBetween(90, 110);
    assertThat(percents.get(7)).isZero();
    restore(file(changes.size() + ".backup"));
    assertThat(SampleSessions.all(target)).isEqualTo(SampleSessions.all(store));
  }

  private static List<Item> random(int count, int chars) {
    Random random = new Random(count);
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[chars / 2];
      random.nextBytes(bytes);
      items.add(Item.user(HexFormat.of().formatHex(bytes)));
    }
    return items;
  }

  private static long position(StoredSession session, int index) {
    return session.entries(Range.first(index + 1)).entries().get(index).position();
  }

  private static void replace(StoredSession session, int index) {
    Draft other = new Draft(Item.user("other"), Map.of("rating", 1));
    session.commit(Commit.replaceItem(position(session, index), other));
  }

  @Test
  void anIncrementWithoutItsBase_isRefusedByName() throws IOException {
    store.session("s").addItems(List.of(Item.user("x")));
    BackupReport full = write("1.backup");
    BackupReport second =
        Backup.of(store).since(full.file()).writeTo(file("2.backup"), MigrationListener.NONE);
    Files.move(full.file(), file("elsewhere"));

    assertThatThrownBy(() -> BackupStore.open(second.file()))
        .isInstanceOf(ClewException.StoreUnavailable.class)
        .hasMessageContainingAll("2.backup", "1.backup", "does not exist");
    write("1.backup");
    assertThatThrownBy(() -> BackupStore.open(second.file()))
        .isInstanceOf(ClewException.StoreUnavailable.class)
        .hasMessageContaining("a different one of that name");
  }

  @Test
  void oneOwnerAndOneSession_canBeRestoredAlone() {
    SampleSessions.fill(store);
    Path file = write("a.backup").file();
    try (BackupStore backup = BackupStore.open(file)) {
      Migration.of(backup, target).session(SessionKey.of("compacted")).run(MigrationListener.NONE);
      assertThat(SampleSessions.all(target)).containsOnlyKeys("'compacted'");
      Migration.of(backup, target).owner("ann:b%_").run(MigrationListener.NONE);
      assertThat(SampleSessions.all(target)).hasSize(2);
      assertThat(target.documents().get("ann:b%_", "token/1")).isPresent();
    }
  }

  @Test
  void onlyOneOwnersThings_canBeBackedUp() {
    SampleSessions.fill(store);
    BackupReport report =
        Backup.of(store).owner("ann:b%_").writeTo(file("a.backup"), MigrationListener.NONE);

    assertThat(report.totals().sessions()).isEqualTo(1);
    assertThat(report.totals().records()).isEqualTo(1);
  }

  // Files that are not what they should be

  @Test
  void everyByteThatIsFlipped_isFoundBeforeAnythingIsRestored() throws IOException {
    store.session("s").addItems(SampleSessions.items("x", 3));
    store.documents().put("", "r", "{}");
    Path base = write("a.backup").file();
    store.session("s").addItems(SampleSessions.items("y", 1));
    Path increment = file("b.backup");
    Backup.of(store).since(base).writeTo(increment, MigrationListener.NONE);
    for (Path damaged : List.of(base, increment)) {
      byte[] bytes = Files.readAllBytes(damaged);
      for (int i = 0; i < bytes.length; i++) {
        byte[] copy = bytes.clone();
        copy[i] ^= 0x10;
        Files.write(damaged, copy);
        assertThatThrownBy(() -> restore(increment))
            .as("byte %d of %d of %s", i, bytes.length, damaged)
            .isInstanceOf(ClewException.class)
            .hasMessageContaining(String.valueOf(damaged.getFileName()));
      }
      Files.write(damaged, bytes);
    }
    assertThat(target.owners(Optional.empty(), 1)).isEmpty();
    assertThat(restore(increment).isComplete()).isTrue();
  }

  @Test
  void aFileThatWasCutOffAnywhere_isRefusedWithTheOffset() throws IOException {
    store.session("s").addItems(SampleSessions.items("x", 3));
    byte[] bytes = Files.readAllBytes(write("a.backup").file());
    Path cut = file("cut.backup");
    for (int i = 1; i < bytes.length; i++) {
      Files.write(cut, Arrays.copyOf(bytes, i));
      assertThatThrownBy(() -> restore(cut))
          .as("%d of %d bytes", i, bytes.length)
          .isInstanceOf(ClewException.class)
          .hasMessageContaining("cut.backup");
    }
    assertThatThrownBy(() -> restore(cut)).hasMessageContainingAll("at offset", "cut off");
    Files.write(cut, Arrays.copyOf(bytes, bytes.length + 1));
    assertThatThrownBy(() -> restore(cut)).isInstanceOf(ClewException.class);
  }

  @Test
  void filesOfAnotherKindOrATooNewFormat_areRefusedWithTheReason() throws IOException {
    assertRefused("", "is empty");
    assertRefused("SQLite format 3\u0000 and so on and so on", "is no backup of Clew");
    assertRefused("CLEW-BACKUP 3\nwhat comes later", "format '3'", "reads formats up to 2");
    assertRefused("CLEW-BACKUP 1\n", "cut off");
    assertThatThrownBy(() -> BackupStore.open(folder)).hasMessageContaining("is a folder");
    assertThatThrownBy(() -> BackupStore.open(file("none"))).hasMessageContaining("does not exist");
  }

  private void assertRefused(String content, String... reasons) throws IOException {
    Path file = file("x");
    Files.write(file, content.getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> BackupStore.open(file))
        .isInstanceOf(ClewException.class)
        .hasMessageContainingAll(reasons);
  }

  @Test
  void aStoreThatFailsInTheMiddle_leavesTheOldFileAndNothingElse() throws IOException {
    store.session("s").addItems(SampleSessions.items("x", 3));
    byte[] before = Files.readAllBytes(write("a.backup").file());
    FaultyStore dying = new FaultyStore(store);
    dying.failBefore(call -> call.name().equals("read"));

    assertThatThrownBy(() -> Backup.of(dying).writeTo(file("a.backup"), MigrationListener.NONE))
        .isInstanceOf(ClewException.class);
    assertThat(Files.readAllBytes(file("a.backup"))).isEqualTo(before);
    assertThat(folder).isDirectoryNotContaining(path -> path.toString().endsWith(".part"));
  }

  // A folder

  @Test
  void aFolderKeepsAChain_andNeverRemovesWhatAKeptFileBuildsOn() {
    TestClock clock = new TestClock(Instant.parse("2026-01-31T10:00:00Z"));
    BackupFolder backups = new BackupFolder(file("backups"), clock);
    for (int i = 0; i < 20; i++) {
      store.session("s" + i % 3).addItems(List.of(Item.user("x" + i)));
      backups.add(store, OptionalInt.of(2), MigrationListener.NONE);
      clock.advance(Duration.ofHours(1));
      for (Path kept :
          backups
              .files()
              .subList(Math.max(0, backups.files().size() - 2), backups.files().size())) {
        try (BackupStore backup = BackupStore.open(kept)) {
          backup.verify(bytes -> {});
        }
      }
      assertThat(backups.files()).hasSizeLessThanOrEqualTo(8);
    }
    assertThat(backups.files().stream().filter(file -> file.toString().contains("-full")).count())
        .isBetween(1L, 2L);
    restore(backups.newest().orElseThrow());
    assertThat(SampleSessions.all(target)).isEqualTo(SampleSessions.all(store));
  }

  @Test
  void aChainThatIsDamaged_isNotContinued() throws IOException {
    TestClock clock = new TestClock(Instant.parse("2026-01-31T10:00:00Z"));
    BackupFolder backups = new BackupFolder(file("backups"), clock);
    store.session("s").addItems(List.of(Item.user("x")));
    Path full = backups.add(store, OptionalInt.empty(), MigrationListener.NONE).file();
    byte[] bytes = Files.readAllBytes(full);
    bytes[bytes.length / 2] ^= 1;
    Files.write(full, bytes);
    clock.advance(Duration.ofHours(1));
    BackupReport next = backups.add(store, OptionalInt.of(1), MigrationListener.NONE);

    assertThat(next.head().isIncrement()).isFalse();
    restore(next.file());
    assertThat(SampleSessions.all(target)).isEqualTo(SampleSessions.all(store));
  }

  @Test
  void whatAKilledProcessLeft_isRemovedByTheNextBackup() throws IOException {
    BackupFolder backups = new BackupFolder(file("backups"));
    Files.createDirectories(file("backups"));
    Path left = file("backups").resolve("clew-20200101T000000.000Z-full.backup.part");
    Files.writeString(left, "half");
    store.session("s").addItems(List.of(Item.user("x")));
    backups.add(store, OptionalInt.empty(), MigrationListener.NONE);

    assertThat(left).doesNotExist();
    assertThat(backups.files()).hasSize(1);
  }
}
