package dev.clew.cli.keys;

import static dev.clew.cli.Shell.objects;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.cli.ClewProcess;
import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyCommandsTest {
  private final Shell shell = new Shell();
  @TempDir Path folder;
  private String key = "";

  @BeforeEach
  void name() {
    key = "file:" + folder.resolve("clew.key");
  }

  @Test
  void everyCommandWithTheKey_readsWhatNoneCanReadWithoutIt() {
    assertThat(shell.run("key", "create", "--key", key).code()).isZero();
    assertThat(shell.run("--key", key, "add", "trip", "to the Golden Gate").code()).isZero();
    assertThat(shell.run("--key", key, "sessions", "rename", "trip", "A bridge").code()).isZero();
    assertThat(shell.run("--key", key, "sessions", "show", "trip").out()).contains("Golden Gate");
    shell.env.put("CLEW_KEY", key);
    assertThat(shell.run("sessions", "list").out()).contains("A bridge");
    assertThat(shell.run("doctor").code()).isZero();
    assertThat(shell.run("search", "golden").err()).contains("encrypted store cannot be searched");
    shell.env.remove("CLEW_KEY");
    Result without = shell.run("add", "trip", "in clear");
    assertThat(without.code()).isEqualTo(ExitCode.FAILED);
    assertThat(without.err()).contains("this store is encrypted", "--key file:PATH");
    assertThat(shell.store.session("trip").getItems()).hasSize(1);
    assertThat(shell.store.session("trip").getItems().toString()).doesNotContain("Golden");
  }

  @Test
  void rotateAndRetire_replaceTheKey() {
    shell.run("key", "create", "--key", key);
    shell.env.put("CLEW_KEY", key);
    shell.run("add", "trip", "hello");
    String old =
        String.valueOf(objects(shell.run("key", "list", "--json").json(), "keys").get(0).get("id"));
    assertThat(shell.run("key", "retire", old).code()).isEqualTo(ExitCode.USAGE);
    Result rotated = shell.run("key", "rotate", "--json");
    assertThat(rotated.json()).containsEntry("wrapped", 2L);
    assertThat(shell.run("key", "rotate", "--resume").out()).contains("wrapped 0 keys");
    assertThat(shell.run("key", "list").out())
        .contains(old + "  wraps 0")
        .contains("wraps 2  newest");
    Result nobody = shell.run("key", "retire", old);
    assertThat(nobody.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(nobody.err()).contains("other stores and backups", "--yes").hasLineCount(1);
    assertThat(shell.run("key", "list").out()).contains(old);
    Result retired = shell.run("key", "retire", old, "--yes");
    assertThat(retired.out()).isEqualTo("retired key " + old + "\n");
    assertThat(retired.err()).contains("clew.key.retired-", "clew key restore " + old);
    assertThat(shell.run("key", "list").out()).doesNotContain(old);
    Result again = shell.run("key", "retire", old, "--yes");
    assertThat(again.err()).contains("no key " + old);
    assertThat(again.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(shell.run("sessions", "show", "trip").out()).contains("hello");
    assertThat(shell.run("key", "restore", old).out()).startsWith("restored key " + old);
    assertThat(shell.run("key", "list").out()).contains(old + "  wraps 0");
    assertThat(shell.run("key", "restore", old).code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void retire_asksOnATerminal() {
    shell.run("key", "create", "--key", key);
    shell.env.put("CLEW_KEY", key);
    shell.run("add", "trip", "hello");
    String old =
        String.valueOf(objects(shell.run("key", "list", "--json").json(), "keys").get(0).get("id"));
    shell.run("key", "rotate");
    shell.onTerminal("n", "y");
    Result no = shell.run("key", "retire", old);
    assertThat(no.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(no.err())
        .contains("Other stores and backups", "[y/N]", "cancelled; the key was not retired");
    assertThat(shell.run("key", "list").out()).contains(old);
    assertThat(shell.run("key", "retire", old).code()).isZero();
  }

  @Test
  void aRotationThatIsKilled_leavesNoKeysBehindAfterTheNextUse() throws Exception {
    Map<String, String> env = Map.of("CLEW_KEY", key, "CLEW_STORE", ClewProcess.store(folder));
    Shell real = new Shell().onRealStores();
    real.env.putAll(env);
    assertThat(real.run("key", "create").code()).isZero();
    assertThat(real.run("add", "trip", "hello").code()).isZero();
    int killed = 0;
    for (int i = 0; i < 5 || (killed == 0 && i < 30); i++) {
      try (ClewProcess process = ClewProcess.start(folder, env, "key", "rotate")) {
        while (process.process.isAlive() && keyFiles().size() == 1) {
          Thread.onSpinWait();
        }
        process.process.destroyForcibly();
        killed += process.await() == 128 + 9 ? 1 : 0;
      }
      assertThat(real.run("key", "list").code()).isZero();
      assertThat(keyFiles()).containsExactly("clew.key");
    }
    assertThat(killed).isPositive();
    assertThat(real.run("key", "rotate", "--resume").code()).isZero();
    assertThat(real.run("sessions", "show", "trip").out()).contains("hello");
  }

  private List<String> keyFiles() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("clew.key"))
          .toList();
    }
  }

  @Test
  void create_withoutAFile_printsAKeysetForAVault() throws IOException {
    Result printed = shell.run("key", "create");
    Path file = folder.resolve("copy.key");
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(file, printed.out().getBytes(StandardCharsets.UTF_8));
    shell.env.put("CLEW_KEY", "command:cat '" + file + "'");
    assertThat(shell.run("add", "trip", "hello").code()).isZero();
    assertThat(shell.run("sessions", "show", "trip").out()).contains("hello");
    assertThat(shell.run("key", "rotate").err()).contains("cannot be written");
  }

  @Test
  void aKeyThatIsNone_isRefusedBeforeTheStoreIsOpened() {
    assertThat(shell.run("--key", "clew.key", "add", "trip", "x").code()).isEqualTo(ExitCode.USAGE);
    assertThat(shell.run("--key", key, "add", "trip", "x").err()).contains("clew key create");
    assertThat(shell.run("key", "list").err()).contains("name the keys");
    assertThat(shell.opened).isEmpty();
  }

  @Test
  void migrate_encryptsAStoreAndBack() {
    shell.run("key", "create", "--key", key);
    Shell real = new Shell().onRealStores();
    String plain = "sqlite:" + folder.resolve("plain.db");
    String safe = "sqlite:" + folder.resolve("safe.db");
    String back = "sqlite:" + folder.resolve("back.db");
    real.run("--store", plain, "add", "trip", "hello");
    assertThat(real.run("migrate", "--from", plain, "--to", safe, "--to-key", key).code()).isZero();
    assertThat(real.run("migrate", "--from", safe, "--to", back).err()).contains("--from-key");
    assertThat(real.run("--store", safe, "--key", key, "sessions", "show", "trip").out())
        .contains("hello");
    assertThat(real.run("migrate", "--from", safe, "--from-key", key, "--to", back).code())
        .isZero();
    Map<String, Object> session = real.run("--store", back, "export", "trip").json();
    assertThat(session).containsEntry("item_count", 1L);
    assertThat(real.run("--store", plain, "--key", key, "sessions", "list").err())
        .contains("not encrypted");
    assertThat(real.run("migrate", "--key", key, "--from", plain, "--to", back).code())
        .isEqualTo(ExitCode.USAGE);
  }
}
