package dev.clew.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException.CorruptRecord;
import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.kit.EncryptionMark;
import dev.clew.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where keys come from, how they are replaced, and what happens without the right ones. */
class KeysTest {
  private static final SessionKey KEY = new SessionKey("ann", "one");
  private static final List<Item> ITEMS = List.of(Item.user("a"), Item.assistant("b"));

  private static final Instant NOW = Instant.parse("2026-11-17T09:45:00Z");

  @TempDir Path folder;

  private KeySource.InFile keyFile() {
    return new KeySource.InFile(folder.resolve("clew.key"));
  }

  private SqliteStore plain() {
    return SqliteFile.open(folder.resolve("store.db"));
  }

  private SessionStore encrypted(MasterKeys keys) {
    return EncryptedStore.over(plain(), keys);
  }

  @Test
  void aKeyFile_isMadeForItsUserOnlyAndNeverOverwritten() throws IOException {
    MasterKeys.create(keyFile());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keyFile().path())))
        .isEqualTo("rw-------");
    String before = Files.readString(keyFile().path());
    assertThatThrownBy(() -> MasterKeys.create(keyFile()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("already");
    assertThat(keyFile().read()).isEqualTo(before);
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void aKeyFileThatOthersMayRead_isRefusedWithTheCommandToRun() throws IOException {
    MasterKeys.create(keyFile());
    for (String mode : List.of("rw-r-----", "rw----r--", "rw--w----", "rwx------")) {
      Files.setPosixFilePermissions(keyFile().path(), PosixFilePermissions.fromString(mode));
      assertThatThrownBy(() -> MasterKeys.of(keyFile()))
          .as(mode)
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("chmod 600 '" + keyFile().path() + "'");
    }
    Files.setPosixFilePermissions(keyFile().path(), PosixFilePermissions.fromString("r--------"));
    assertThat(MasterKeys.of(keyFile()).keys()).hasSize(1);
  }

  @Test
  void aSourceThatHoldsNoKeys_isRefusedWithWhatToDo() throws IOException {
    assertThatThrownBy(() -> MasterKeys.of(keyFile())).hasMessageContaining("clew key create");
    assertThatThrownBy(() -> MasterKeys.of(new KeySource.InEnvironment("K", Map.of())))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("K");
    assertThatThrownBy(() -> MasterKeys.of(KeySource.of("command:exit 3")))
        .isInstanceOf(StoreUnavailable.class);
    String secret = "{\"primaryKeyId\":1,\"key\":[\"c2VjcmV0\"]}";
    assertThatThrownBy(() -> MasterKeys.of(new KeySource.InEnvironment("K", Map.of("K", secret))))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageNotContaining("c2VjcmV0");
    for (String spec : List.of("", "clew.key", "file:", "vault:x")) {
      assertThatThrownBy(() -> KeySource.of(spec))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("file:PATH");
    }
  }

  @Test
  void keysFromACommand_openWhatKeysFromTheFileWrote() {
    MasterKeys.create(keyFile());
    try (SessionStore store = encrypted(MasterKeys.of(keyFile()))) {
      store.session(KEY).addItems(ITEMS);
    }
    MasterKeys printed = MasterKeys.of(KeySource.of("command:cat '" + keyFile().path() + "'"));
    try (SessionStore store = encrypted(printed)) {
      assertThat(store.session(KEY).getItems()).isEqualTo(ITEMS);
    }
  }

  @Test
  void aWrongKey_isRefusedWhenOpeningAndDestroysNothing() {
    MasterKeys right = TestKeys.make();
    try (SessionStore store = encrypted(right)) {
      store.session(KEY).addItems(ITEMS);
    }
    assertThatThrownBy(() -> encrypted(TestKeys.make()))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("master key " + right.newest());
    try (SessionStore store = encrypted(right)) {
      assertThat(store.session(KEY).popItem()).contains(ITEMS.get(1));
    }
  }

  @Test
  void aStoreWithSessionsInClear_isRefused() {
    try (SessionStore store = plain()) {
      store.session(KEY).addItems(ITEMS);
      assertThat(EncryptionMark.isOn(store)).isFalse();
    }
    assertThatThrownBy(() -> encrypted(TestKeys.MASTER))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("clew migrate");
    try (SessionStore store = plain()) {
      assertThat(store.session(KEY).getItems()).isEqualTo(ITEMS);
    }
  }

  @Test
  void anEncryptedStoreWhoseMarkIsMissing_isRefusedWithAndWithoutAKey() {
    try (SessionStore store = encrypted(TestKeys.MASTER)) {
      store.session(KEY).addItems(ITEMS);
    }
    try (SessionStore store = plain()) {
      assertThat(store.documents().delete("@clew.keys", "store")).isTrue();
      assertThat(EncryptionMark.isOn(store)).as("still not to be written in clear").isTrue();
    }
    assertThatThrownBy(() -> encrypted(TestKeys.MASTER))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContainingAll("is encrypted", "'@clew.keys'", "restore a backup");
  }

  @Test
  void afterARotation_theOldKeyIsNeededNoMoreAndNoItemWasTouched() {
    MasterKeys keys = MasterKeys.create(keyFile());
    try (SqliteStore plain = plain()) {
      SessionStore store = EncryptedStore.over(plain, keys);
      for (int i = 0; i < 250; i++) {
        store.session(new SessionKey("owner " + i, "one")).addItems(ITEMS);
      }
      List<Item> before = plain.session(new SessionKey("owner 7", "one")).getItems();
      String old = keys.newest();
      Rotation rotation = new Rotation(plain, keys);
      assertThatThrownBy(() -> rotation.retire(old, NOW)).hasMessageContaining("newest");
      String added = Rotation.addKey(keys);
      assertThatThrownBy(() -> rotation.retire(old, NOW))
          .hasMessageContaining("still wraps 251 keys");
      assertThat(rotation.rewrap()).isEqualTo(251);
      assertThat(rotation.rewrap()).isZero();
      assertThat(rotation.uses()).containsExactly(Map.entry(added, 251));
      rotation.retire(old, NOW);
      assertThat(keys.keys()).containsExactly(new MasterKeys.MasterKey(added, true));
      assertThat(plain.session(new SessionKey("owner 7", "one")).getItems()).isEqualTo(before);
    }
    try (SessionStore store = encrypted(MasterKeys.of(keyFile()))) {
      assertThat(store.session(new SessionKey("owner 249", "one")).getItems()).isEqualTo(ITEMS);
    }
  }

  @Test
  void aRetiredKey_isNamedByWhatStillNeedsIt() {
    MasterKeys keys = MasterKeys.create(keyFile());
    String old = keys.newest();
    try (SessionStore store = encrypted(keys)) {
      store.session(KEY).addItems(ITEMS);
    }
    String backup = keyFile().read();
    Rotation.addKey(keys);
    keys.replace(keys.without(old));
    assertThatThrownBy(() -> encrypted(keys))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining(old)
        .hasMessageContaining(keys.newest());
    new KeyFile(keyFile().path()).replace(backup);
    try (SessionStore store = encrypted(MasterKeys.of(keyFile()))) {
      assertThat(store.session(KEY).getItems()).isEqualTo(ITEMS);
    }
  }

  @Test
  void aRetiredKey_isKeptBesideTheFileAndCanBeBroughtBack() throws IOException {
    MasterKeys keys = MasterKeys.create(keyFile());
    String old = keys.newest();
    try (SessionStore store = encrypted(keys);
        SqliteStore other = SqliteFile.open(folder.resolve("other.db"))) {
      store.session(KEY).addItems(ITEMS);
      Rotation.addKey(keys);
      EncryptedStore.over(other, keys);
      Path kept = new Rotation(other, keys).retire(old, NOW);
      assertThat(kept).isEqualTo(folder.resolve("clew.key.retired-20261117T094500Z"));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
          .isEqualTo("rw-------");
    }
    MasterKeys later = MasterKeys.of(keyFile());
    assertThatThrownBy(() -> encrypted(later))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("it was retired; 'clew key restore " + old + "' brings it back");
    assertThatThrownBy(() -> later.restore("12345")).hasMessageContaining("none of the 1 files");
    assertThat(later.restore(old).getFileName()).hasToString("clew.key.retired-20261117T094500Z");
    assertThat(later.keys()).extracting(MasterKeys.MasterKey::id).contains(old);
    assertThat(later.newest()).isNotEqualTo(old);
    try (SessionStore store = encrypted(MasterKeys.of(keyFile()))) {
      assertThat(store.session(KEY).getItems()).isEqualTo(ITEMS);
    }
    assertThatThrownBy(() -> later.restore(old)).hasMessageContaining("already");
  }

  @Test
  void twoKeysRetiredInOneSecond_areKeptInTwoFiles() throws IOException {
    MasterKeys keys = MasterKeys.create(keyFile());
    try (SqliteStore plain = plain()) {
      EncryptedStore.over(plain, keys);
      Rotation.addKey(keys);
      Rotation.addKey(keys);
      Rotation rotation = new Rotation(plain, keys);
      rotation.rewrap();
      List<MasterKeys.MasterKey> all = keys.keys();
      Path first = rotation.retire(all.get(0).id(), NOW);
      Path second = rotation.retire(all.get(1).id(), NOW);
      assertThat(first).isNotEqualTo(second);
      keys.restore(all.get(0).id());
      keys.restore(all.get(1).id());
      assertThat(keys.keys()).hasSize(3);
    }
  }

  @Test
  void whatAKilledRotationLeft_isRemovedByTheNextUse() throws IOException {
    MasterKeys keys = MasterKeys.create(keyFile());
    Path left = folder.resolve("clew.key.new");
    Files.writeString(left, keyFile().read());
    MasterKeys.of(keyFile());
    assertThat(left).doesNotExist();
    Files.writeString(left, "half a key");
    Rotation.addKey(keys);
    assertThat(left).doesNotExist();
    assertThat(keys.keys()).hasSize(2);
  }

  @Test
  void manyWhoWriteTheKeyFileAtOnce_neverLeaveItHalf() throws Exception {
    MasterKeys.create(keyFile());
    String spec = keyFile().spec();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Integer>> all =
          IntStream.range(0, 4)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> {
                            for (int n = 0; n < 25; n++) {
                              Rotation.addKey(MasterKeys.of(KeySource.of(spec)));
                            }
                            return MasterKeys.of(KeySource.of(spec)).keys().size();
                          }))
              .toList();
      for (Future<Integer> one : all) {
        assertThat(one.get()).isGreaterThan(1);
      }
    } finally {
      threads.shutdownNow();
    }
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void aRotationUnderLoad_disturbsNobodyAndLosesNothing() throws Exception {
    MasterKeys.create(keyFile());
    int writers = 4;
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    AtomicBoolean done = new AtomicBoolean();
    try (SqliteStore plain = plain();
        SessionStore other = encrypted(MasterKeys.of(keyFile()))) {
      SessionStore store = EncryptedStore.over(plain, MasterKeys.of(keyFile()));
      List<Callable<Integer>> jobs =
          IntStream.range(0, writers)
              .<Callable<Integer>>mapToObj(
                  number ->
                      () -> {
                        SessionStore mine = number % 2 == 0 ? store : other;
                        int turns = 0;
                        while (!done.get() || turns < 20) {
                          SessionKey key = key(number, turns);
                          mine.session(key).addItems(ITEMS);
                          assertThat(mine.session(key).getItems()).isEqualTo(ITEMS);
                          turns++;
                        }
                        return turns;
                      })
              .toList();
      List<Future<Integer>> running = jobs.stream().map(threads::submit).toList();
      MasterKeys mine = MasterKeys.of(keyFile());
      for (int i = 0; i < 5; i++) {
        Rotation.addKey(mine);
        new Rotation(plain, mine).rewrap();
      }
      done.set(true);
      int[] turns = new int[writers];
      for (int i = 0; i < writers; i++) {
        turns[i] = running.get(i).get();
      }
      new Rotation(plain, mine).rewrap();
      for (MasterKeys.MasterKey key : mine.keys()) {
        if (!key.newest()) {
          new Rotation(plain, mine).retire(key.id(), NOW);
        }
      }
      SessionStore after = EncryptedStore.over(plain, MasterKeys.of(keyFile()));
      for (int i = 0; i < writers; i++) {
        for (int turn = 0; turn < turns[i]; turn++) {
          SessionKey key = key(i, turn);
          assertThat(after.session(key).getItems()).isEqualTo(ITEMS);
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** The sessions of one writer belong to a few owners, whose keys are made along the way. */
  private static SessionKey key(int writer, int turn) {
    return new SessionKey("owner " + writer + " " + turn % 20, "s" + turn);
  }

  @Test
  void anErasedOwner_cannotBeReadFromACopyWhenKeysAreKeptElsewhere() throws IOException {
    Path copy = folder.resolve("copy.db");
    try (SqliteStore keyStore = SqliteStore.open(folder.resolve("keys.db"))) {
      try (SessionStore store = EncryptedStore.over(plain(), TestKeys.MASTER, keyStore)) {
        store.session(KEY).addItems(ITEMS);
        store.session("mine").addItems(ITEMS);
      }
      Files.copy(folder.resolve("store.db"), copy);
      try (SessionStore store = EncryptedStore.over(plain(), TestKeys.MASTER, keyStore)) {
        store.erase("ann");
      }
      try (SessionStore backup =
          EncryptedStore.over(SqliteFile.open(copy), TestKeys.MASTER, keyStore)) {
        assertThat(backup.session("mine").getItems()).isEqualTo(ITEMS);
        assertThatThrownBy(() -> backup.session(KEY).getItems())
            .isInstanceOf(CorruptRecord.class)
            .hasMessageContaining("no key");
        assertThatThrownBy(() -> backup.session(KEY).popItem()).isInstanceOf(CorruptRecord.class);
      }
    }
  }
}
