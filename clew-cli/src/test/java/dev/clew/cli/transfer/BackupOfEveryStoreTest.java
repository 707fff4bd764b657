package dev.clew.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.Stores;
import dev.clew.backup.Backup;
import dev.clew.backup.BackupReport;
import dev.clew.backup.BackupStore;
import dev.clew.cli.Shell;
import dev.clew.cli.TestStores;
import dev.clew.crypto.EncryptedStore;
import dev.clew.crypto.KeySource;
import dev.clew.crypto.MasterKeys;
import dev.clew.kit.BackendStore;
import dev.clew.migrate.Migration;
import dev.clew.migrate.MigrationListener;
import dev.clew.tck.SampleSessions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Backups of every kind of store, plain, encrypted and under load, restored into its kind. */
class BackupOfEveryStoreTest {
  private static final int SESSIONS = 6;

  @TempDir Path folder;

  /** Something to do with the URLs of two empty stores of a kind. */
  private interface Check {
    void run(String kind, Supplier<String> urls) throws Exception;
  }

  @Test
  void aStoreThatDecryptsIsRefused_becauseTheOneBehindItNeedsNoKeys() {
    MasterKeys keys = MasterKeys.create(new KeySource.InFile(folder.resolve("clew.key")));
    Path file = folder.resolve("x.backup");
    try (SessionStore plain = Stores.open("memory:");
        SessionStore store = EncryptedStore.over(plain, keys)) {
      store.session("s").addItems(List.of(Item.user("x")));
      assertThatThrownBy(() -> Backup.of(store).writeTo(file, MigrationListener.NONE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("EncryptedStore", "give Backup.of the store behind it");
      assertThat(folder).isDirectoryNotContaining("glob:**.backup*");
      assertThat(Backup.of(plain).writeTo(file, MigrationListener.NONE).head().encrypted())
          .isTrue();
    }
  }

  private Stream<DynamicTest> everyKind(Check check) {
    return TestStores.kinds(folder).entrySet().stream()
        .map(
            kind ->
                DynamicTest.dynamicTest(
                    kind.getKey(), () -> check.run(kind.getKey(), kind.getValue())));
  }

  @TestFactory
  Stream<DynamicTest> everythingComesBack() {
    return everyKind(
        (kind, urls) -> {
          Path file = folder.resolve(kind + ".backup");
          try (SessionStore store = Stores.open(urls.get());
              SessionStore target = Stores.open(urls.get())) {
            SampleSessions.fill(store);
            BackupReport report = Backup.of(store).writeTo(file, MigrationListener.NONE);
            assertThat(report.isComplete()).isTrue();
            restore(file, target);
            assertThat(SampleSessions.all(target)).isEqualTo(SampleSessions.all(store)).hasSize(8);
            assertThat(store.session(SessionKey.of("small")).info()).isPresent();
            try (BackupStore backup = BackupStore.open(file)) {
              assertThat(backup.session(SessionKey.of("compacted")).info())
                  .isEqualTo(store.session(SessionKey.of("compacted")).info());
            }
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> aSnapshotStaysAsItWas() {
    return everyKind(
        (kind, urls) -> {
          try (SessionStore store = Stores.open(urls.get())) {
            store.session("s").addItems(SampleSessions.items("x", 2));
            store.documents().put("", "r", "1");
            Optional<SessionStore> snapshot = BackendStore.snapshot(store);
            assertThat(snapshot.isPresent())
                .isEqualTo(kind.equals("sqlite") || kind.equals("postgres"));
            store.session("s").addItems(SampleSessions.items("y", 2));
            store.session("t").addItems(SampleSessions.items("z", 2));
            store.documents().put("", "r", "2");
            snapshot.ifPresent(
                still -> {
                  assertThat(still.session("s").getItems()).hasSize(2);
                  assertThat(still.list(SessionQuery.of("")).sessions()).hasSize(1);
                  assertThat(still.documents().get("", "r").orElseThrow().json()).isEqualTo("1");
                  still.close();
                });
            assertThat(store.session("s").getItems()).hasSize(4);
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> ofAnEncryptedStore_itHoldsNothingInClearAndNeedsTheKeys() {
    return everyKind(
        (kind, urls) -> {
          Path file = folder.resolve(kind + "-safe.backup");
          Path keyFile = folder.resolve(kind + ".key");
          assertThat(new Shell().run("key", "create", "--key", "file:" + keyFile).code()).isZero();
          MasterKeys keys = MasterKeys.of(KeySource.of("file:" + keyFile));
          try (SessionStore raw = Stores.open(urls.get());
              SessionStore rawTarget = Stores.open(urls.get())) {
            SessionStore store = EncryptedStore.over(raw, keys);
            store.session("canary").addItems(List.of(Item.user("canary-in-a-coal-mine")));
            store.session("canary").update(SessionUpdate.none().title("Trip to Kyoto"));
            SampleSessions.compacted(store.session("compacted"), 1);
            store.documents().put("", "r", "{\"canary-in\":1}");
            assertThat(Backup.of(raw).writeTo(file, MigrationListener.NONE).head().encrypted())
                .isTrue();
            assertThat(unpacked(file)).doesNotContain("canary-in", "Trip to", "summary 0");
            SessionStore target = EncryptedStore.over(rawTarget, keys);
            try (BackupStore backup = BackupStore.open(file)) {
              Migration.of(EncryptedStore.over(backup, keys), target).run(MigrationListener.NONE);
              Path other = folder.resolve(kind + "-other.key");
              new Shell().run("key", "create", "--key", "file:" + other);
              MasterKeys others = MasterKeys.of(KeySource.of("file:" + other));
              assertThatThrownBy(() -> EncryptedStore.over(backup, others))
                  .isInstanceOf(ClewException.class);
            }
            assertThat(SampleSessions.all(target)).isEqualTo(SampleSessions.all(store)).hasSize(2);
            assertThat(target.documents().get("", "r").orElseThrow().json()).contains("canary-in");
          }
        });
  }

  /** Everything that could be read from the file without a key. */
  private static String unpacked(Path file) throws Exception {
    StringBuilder text = new StringBuilder();
    text.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
    try (SessionStore backup = BackupStore.open(file)) {
      SampleSessions.all(backup).forEach((key, copy) -> text.append(copy));
    }
    return text.toString();
  }

  @TestFactory
  Stream<DynamicTest> takenUnderFullLoad_everySessionIsAPrefixOfItsHistory() {
    return everyKind(
        (kind, urls) -> {
          Path file = folder.resolve(kind + "-load.backup");
          try (SessionStore store = Stores.open(urls.get());
              SessionStore target = Stores.open(urls.get())) {
            // Longer than a page, so that it cannot be read at once.
            String padding = "x".repeat(300_000);
            for (int i = 0; i < 9; i++) {
              store.session("s0").addItems(List.of(Item.user(i + padding)));
            }
            Map<String, Integer> before = backUpWhileWriting(store, file);
            restore(file, target);
            for (int s = 0; s < SESSIONS; s++) {
              List<Item> history = store.session("s" + s).getItems();
              List<Item> restored = target.session("s" + s).getItems();
              assertThat(restored).hasSizeBetween(before.getOrDefault("s" + s, 0), history.size());
              assertThat(restored).isEqualTo(history.subList(0, restored.size()));
              assertThat(restored.size() % 2).as("no half batch").isEqualTo(s == 0 ? 1 : 0);
            }
          }
        });
  }

  /** How many items each session had when the backup began. */
  private static Map<String, Integer> backUpWhileWriting(SessionStore store, Path file)
      throws Exception {
    Map<String, Integer> written = new ConcurrentHashMap<>(Map.of("s0", 9));
    CountDownLatch warm = new CountDownLatch(SESSIONS * 10);
    CountDownLatch done = new CountDownLatch(1);
    ExecutorService writers = Executors.newFixedThreadPool(SESSIONS);
    List<Future<?>> futures = new ArrayList<>();
    for (int s = 0; s < SESSIONS; s++) {
      String id = "s" + s;
      futures.add(
          writers.submit(
              () -> {
                for (int i = 0; done.getCount() > 0; i++) {
                  store.session(id).addItems(List.of(Item.user("a" + i), Item.assistant("b" + i)));
                  written.merge(id, 2, Integer::sum);
                  warm.countDown();
                  LockSupport.parkNanos(100_000); // the memory store would fill the memory
                }
              }));
    }
    assertThat(warm.await(60, TimeUnit.SECONDS)).isTrue();
    Map<String, Integer> before = Map.copyOf(written);
    BackupReport report = Backup.of(store).writeTo(file, MigrationListener.NONE);
    done.countDown();
    for (Future<?> future : futures) {
      future.get(60, TimeUnit.SECONDS);
    }
    writers.shutdown();
    assertThat(report.isComplete()).isTrue();
    return before;
  }

  private static void restore(Path file, SessionStore target) {
    try (BackupStore backup = BackupStore.open(file)) {
      backup.verify(bytes -> {});
      assertThat(Migration.of(backup, target).run(MigrationListener.NONE).isComplete()).isTrue();
    }
  }
}
