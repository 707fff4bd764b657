package dev.clew.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.tck.SampleSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code clew backup} and {@code clew restore} as a person meets them. */
class BackupCommandTest {
  @TempDir Path folder;
  private final Map<String, SessionStore> stores =
      new HashMap<>(Map.of("a:", Stores.open("memory:"), "b:", Stores.open("memory:")));
  private final SessionStore from = stores.get("a:");
  private final SessionStore to = stores.get("b:");
  private final Shell shell = new Shell().opening(url -> Shell.keptOpen(stores.get(url)));

  @AfterEach
  void close() {
    stores.values().forEach(SessionStore::close);
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private Result backup(String... more) {
    return run("backup", "a:", more);
  }

  private Result restore(String... more) {
    return run("restore", "b:", more);
  }

  private Result run(String command, String store, String... more) {
    String[] args = new String[more.length + 3];
    args[0] = command;
    args[1] = "--store";
    args[2] = store;
    System.arraycopy(more, 0, args, 3, more.length);
    return shell.run(args);
  }

  @Test
  void whatWasBackedUpIsRestored_andTheSecondRestoreFindsItThere() {
    SampleSessions.fill(from);
    Result written = backup("--to", path("x.backup"));

    assertThat(written.code()).as(written.err()).isZero();
    assertThat(written.out())
        .startsWith("wrote and compared " + path("x.backup") + ": 8 sessions with ")
        .contains("2 documents", "KiB");
    Result restored = restore("--from", path("x.backup"));
    assertThat(restored.code()).as(restored.err()).isZero();
    assertThat(restored.out()).startsWith("restored and compared 8 sessions");
    assertThat(SampleSessions.all(to)).isEqualTo(SampleSessions.all(from));
    assertThat(restore("--from", path("x.backup"), "--yes").out()).contains("8 sessions already");
  }

  @Test
  void aStoreThatIsNotEmpty_asks() {
    from.session("s").addItems(List.of(Item.user("x")));
    backup("--to", path("x.backup"));
    to.session("mine").addItems(List.of(Item.user("mine")));

    Result refused = restore("--from", path("x.backup"));
    assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(refused.err()).contains("not empty", "--yes");
    shell.onTerminal("no", "yes");
    assertThat(restore("--from", path("x.backup")).code()).isEqualTo(ExitCode.REFUSED);
    assertThat(to.session("s").getItems()).isEmpty();
    assertThat(restore("--from", path("x.backup")).code()).isZero();
    assertThat(to.session("s").getItems()).hasSize(1);
    assertThat(to.session("mine").getItems()).hasSize(1);
  }

  @Test
  void aSessionThatTheStoreHasWithOtherContent_isRefusedAndTheOthersGoOn() {
    SampleSessions.fill(from);
    backup("--to", path("x.backup"));
    to.session("small").addItems(List.of(Item.user("mine")));
    Result result = restore("--from", path("x.backup"), "--yes");

    assertThat(result.code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(result.out()).contains("refused session 'small'", "compared 7 sessions");
    assertThat(to.session("small").getItems()).containsExactly(Item.user("mine"));
  }

  @Test
  void aFileIsReplacedOnlyWhenThatIsWanted() throws IOException {
    from.session("s").addItems(List.of(Item.user("x")));
    backup("--to", path("x.backup"));
    byte[] before = Files.readAllBytes(folder.resolve("x.backup"));

    assertThat(backup("--to", path("x.backup")).code()).isEqualTo(ExitCode.REFUSED);
    assertThat(Files.readAllBytes(folder.resolve("x.backup"))).isEqualTo(before);
    assertThat(backup("--to", path("x.backup"), "--yes").code()).isZero();
  }

  @Test
  void aFolderGetsAChain_andRestoresTheNewest() {
    from.session("s").addItems(List.of(Item.user("x")));
    from.session("t").addItems(List.of(Item.user("x")));
    assertThat(backup("--to", path("all") + "/").out()).contains("-full.backup");
    from.session("s").addItems(List.of(Item.user("y")));
    Map<String, Object> second = backup("--to", path("all"), "--keep", "5", "--json").json();

    assertThat(second).containsEntry("increment", true).containsEntry("written_sessions", 1L);
    assertThat(backup("--verify", path("all")).out()).contains("is whole: 2 sessions", "2 files");
    assertThat(restore("--from", path("all")).code()).isZero();
    assertThat(SampleSessions.all(to)).isEqualTo(SampleSessions.all(from));
  }

  @Test
  void oneSession_andOneOwner() {
    SampleSessions.fill(from);
    backup("--to", path("x.backup"));

    assertThat(restore("--from", path("x.backup"), "--session", "plain").code()).isZero();
    assertThat(SampleSessions.all(to)).containsOnlyKeys("'plain'");
    Result missing = restore("--from", path("x.backup"), "--session", "none", "--yes");
    assertThat(missing.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(restore("--from", path("x.backup"), "--owner", "ann:b%_", "--yes").out())
        .contains("1 session with 1 item, 1 document");
    assertThat(restore("--from", path("x.backup"), "--dry-run").out()).startsWith("would copy 6");
  }

  @Test
  void aDamagedFile_isNamedWithItsOffsetAndNothingIsWritten() throws IOException {
    from.session("s").addItems(List.of(Item.user("x")));
    backup("--to", path("x.backup"));
    Path file = folder.resolve("x.backup");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 3] ^= 1;
    Files.write(file, bytes);

    for (Result result :
        List.of(restore("--from", file.toString()), backup("--verify", path("x.backup")))) {
      assertThat(result.code()).isEqualTo(ExitCode.FAILED);
      assertThat(result.err()).contains("x.backup is damaged at offset ");
    }
    assertThat(to.session(SessionKey.of("s")).info()).isEmpty();
    Files.writeString(file, "SQLite format 3");
    assertThat(restore("--from", file.toString()).err()).contains("is no backup of Clew");
  }

  @Test
  void anEncryptedStore_isBackedUpWithoutItsKeysAndRestoredWithThem() {
    String key = "file:" + path("clew.key");
    shell.run("key", "create", "--key", key);
    shell.run("add", "s", "canary", "--store", "a:", "--key", key);
    Result written = backup("--to", path("x.backup"));

    assertThat(written.out()).contains("encrypted by the store's keys");
    Result without = restore("--from", path("x.backup"));
    assertThat(without.code()).isEqualTo(ExitCode.FAILED);
    assertThat(without.err()).contains("this backup is encrypted", "--from-key");
    assertThat(restore("--from", path("x.backup"), "--key", key).code()).isZero();
    assertThat(shell.run("sessions", "show", "s", "--store", "b:", "--key", key).out())
        .contains("canary");
  }

  @Test
  void wrongUsage_isToldBeforeAnythingIsOpened() {
    shell.opening(
        url -> {
          throw new AssertionError("opened " + url);
        });

    for (String[] args :
        List.of(
            new String[] {},
            new String[] {"--to", "x", "--verify", "y"},
            new String[] {"--to", path("x"), "--keep", "3"},
            new String[] {"--to", path("x") + "/", "--keep", "0"},
            new String[] {"--to", folder.toString(), "--owner", "ann"})) {
      assertThat(backup(args).code()).isEqualTo(ExitCode.USAGE);
    }
    assertThat(restore().code()).isEqualTo(ExitCode.USAGE);
    assertThat(restore("--from", folder.toString()).code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(restore("--from", path("none")).err()).contains("does not exist");
    assertThat(restore("--from", path("none")).code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(backup("--verify", path("none")).code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(backup("--to", path("new"), "--since", path("none")).code())
        .isEqualTo(ExitCode.NOT_FOUND);
  }
}
