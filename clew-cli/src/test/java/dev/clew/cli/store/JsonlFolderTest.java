package dev.clew.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a folder of files, each opening and closing it as a process would. */
class JsonlFolderTest {
  private final Shell shell = new Shell().onRealStores();
  @TempDir Path folder;

  @BeforeEach
  void chooseAFolder() {
    shell.env.put("CLEW_STORE", "jsonl:" + folder.resolve("sessions"));
  }

  private Result ok(String... args) {
    Result result = shell.run(args);
    assertThat(result.code()).as(result.err()).isZero();
    return result;
  }

  @Test
  void everyCommandWorksOnAFolder() {
    ok("add", "trip", "去京都");
    ok("add", "trip", "--role", "assistant", "好的");
    ok("add", "trip", "second turn");
    ok("sessions", "rename", "trip", "Trip");
    assertThat(ok("sessions", "list").out()).contains("trip", "Trip");
    assertThat(ok("search", "京都").out()).contains("[京都]");
    ok("sessions", "fork", "trip", "copy");
    assertThat(ok("undo", "trip", "--yes").out()).contains("second turn");
    assertThat(ok("pop", "trip", "--yes").out()).contains("好的");
    assertThat(ok("doctor").out()).contains("everything is in order");
    ok("sessions", "delete", "trip", "copy", "--yes");
  }

  @Test
  void doctorTellsOfADamagedLineByItsPlace() throws IOException {
    ok("add", "trip", "first");
    ok("add", "trip", "secret");
    Path file = folder.resolve("sessions/trip.jsonl");
    Files.writeString(file, Files.readString(file).replace("first", "fIrst"));
    Result result = shell.run("doctor");
    assertThat(result.code()).isEqualTo(ExitCode.FAILED);
    assertThat(result.out())
        .contains("damaged session 'trip' position 1", "1 damaged thing found")
        .doesNotContain("fIrst", "secret");
  }
}
