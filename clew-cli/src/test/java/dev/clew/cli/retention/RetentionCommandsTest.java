package dev.clew.cli.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.retention.Retention;
import dev.clew.retention.RetentionPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code clew retention} as a person meets it; what policies mean is tested in the kit. */
class RetentionCommandsTest {
  @TempDir Path folder;
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.store.close();
  }

  private void add(int count) {
    for (int i = 0; i < count; i++) {
      shell.store.session("s" + i).addItems(List.of(Item.user("x")));
    }
  }

  @Test
  void aPolicyIsSetShownRunAndRemoved() {
    add(3);
    assertThat(shell.run("retention", "set", "few", "--count", "1", "--idle", "90d").out())
        .contains("policy few removes sessions not updated for 90 days or beyond the newest 1");
    assertThat(shell.run("retention", "show").out()).contains("policy few");
    assertThat(shell.run("retention", "show", "--json").json().toString()).contains("max_count=1");
    Result dry = shell.run("retention", "run", "--dry-run");
    assertThat(dry.out()).contains("would remove 's", ": few, count", "would remove 2 of 3");
    assertThat(shell.run("retention", "run").code()).isEqualTo(ExitCode.REFUSED);
    Result run = shell.run("retention", "run", "--yes", "--archive", folder.toString());
    assertThat(run.out()).contains("removed 2 of 3 sessions", "archived in " + folder);
    assertThat(shell.run("sessions", "list").out()).hasLineCount(2);
    assertThat(shell.run("retention", "remove", "few").code()).isZero();
    assertThat(shell.run("retention", "remove", "few").code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(shell.run("retention", "show").err()).contains("kept forever");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "retention run --yes --owner ann",
        "--owner ann retention run --dry-run",
        "retention remove few --owner ann",
        "retention show --owner ann",
        "token revoke t --owner ann",
        "key list --owner ann",
        "doctor --owner ann"
      })
  void whatIsAboutAllOwnersRefusesTheNameOfOne(String command) {
    add(3);
    shell.run("retention", "set", "few", "--count", "1");
    Result result = shell.run(command.split(" "));
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("does not take --owner");
    assertThat(shell.run("sessions", "list").out()).hasLineCount(4);
  }

  @Test
  void onATerminalItAsksWithTheNumber() {
    add(3);
    shell.run("retention", "set", "few", "--count", "1");
    shell.onTerminal("n", "y");
    Result no = shell.run("retention", "run");
    assertThat(no.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(no.err()).contains("Remove 2 sessions?");
    assertThat(shell.run("retention", "run").out()).contains("removed 2 of 3 sessions");
  }

  @Test
  void aHoldIsPlacedShownAuditedAndReleased() {
    add(2);
    assertThat(shell.run("retention", "hold", "s0", "--reason", "case 17").out())
        .contains("session 's0' of owner '' is on legal hold since", "(case 17)");
    Retention.of(shell.store)
        .set(
            new RetentionPolicy(
                "none",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.of(0)));
    assertThat(shell.run("retention", "run", "--yes").out())
        .contains("removed 1 of 2 sessions, 1 stay on legal hold");
    assertThat(shell.run("retention", "show", "--json").out()).contains("\"reason\":\"case 17\"");
    assertThat(shell.run("retention", "show").out())
        .containsPattern("on legal hold since [-0-9]{10}T[:0-9]{8}Z \\(case 17\\)");
    assertThat(shell.run("sessions", "show", "s0", "--json").out()).contains("\"hold\":{");
    assertThat(shell.store.documents().list("@clew", "audit/", Optional.empty(), 10))
        .anySatisfy(entry -> assertThat(entry.json()).contains("retention hold"));
    assertThat(shell.run("retention", "release", "s0").code()).isZero();
    assertThat(shell.run("retention", "release", "s0").code()).isEqualTo(ExitCode.NOT_FOUND);
  }

  @Test
  void wrongUsage_isToldBeforeAnythingIsOpened() {
    shell.opening(
        url -> {
          throw new AssertionError("opened " + url);
        });
    for (String[] args :
        List.of(
            new String[] {"set", "x"},
            new String[] {"set", "../x", "--count", "1"},
            new String[] {"set", "x", "--idle", "soon"},
            new String[] {"set", "x", "--count", "-1"},
            new String[] {"set", "x", "--count", "0"},
            new String[] {"hold", "--reason", "x"},
            new String[] {"hold", "s"},
            new String[] {"release"})) {
      String[] all = new String[args.length + 1];
      all[0] = "retention";
      System.arraycopy(args, 0, all, 1, args.length);
      assertThat(shell.run(all).code()).as(String.join(" ", all)).isEqualTo(ExitCode.USAGE);
    }
  }

  @Test
  void theCommandsWorkOnAFileThatAServerUses() {
    String url = "sqlite:" + folder.resolve("x.db");
    try (SessionStore store = Stores.open(url)) {
      store.session("s").addItems(List.of(Item.user("x")));
      store.session("t").addItems(List.of(Item.user("x")));
      Shell beside = new Shell().onRealStores();
      beside.env.put("CLEW_STORE", url);
      beside.run("retention", "set", "few", "--count", "1");
      assertThat(beside.run("retention", "run", "--yes").out()).contains("removed 1 of 2");
      assertThat(store.list(SessionQuery.of("")).sessions()).hasSize(1);
    }
  }

  private static final String LONG = "a message about nothing in particular, which is said again ";

  @Test
  void sessionsAreCompressed_readAsBefore_andBroughtBack() {
    for (String url :
        List.of("sqlite:" + folder.resolve("c.db"), "jsonl:" + folder.resolve("files"))) {
      Shell beside = new Shell().onRealStores();
      beside.env.put("CLEW_STORE", url);
      beside.run("add", "trip", LONG.repeat(100));
      assertThat(beside.run("retention", "set", "cold", "--count", "0", "--compress").out())
          .contains("policy cold compresses sessions beyond the newest 0");
      assertThat(beside.run("retention", "show", "--json").out())
          .contains("\"action\":\"compress\"");
      assertThat(beside.run("retention", "run", "--dry-run").out())
          .contains("would compress 'trip': cold, count", "would compress 1");
      beside.onTerminal("y");
      Result asked = beside.run("retention", "run");
      assertThat(asked.err()).contains("Compress 1 session?");
      assertThat(asked.out()).contains("compressed 'trip': cold, count, ", "compressed 1, ");
      assertThat(beside.run("retention", "run", "--yes", "--shrink", "--json").json())
          .containsEntry("compressed", 0L)
          .containsKey("given_back");
      assertThat(beside.run("sessions", "show", "trip").out()).contains("nothing in particular");
      assertThat(beside.run("search", "particular").out()).contains("trip");
      assertThat(beside.run("doctor").code()).isZero();
      assertThat(beside.run("sessions", "decompress", "--all", "trip").err()).contains("not both");
      Result back = beside.run("sessions", "decompress", "trip");
      assertThat(back.out()).contains("decompressed 1 session");
      assertThat(back.err()).contains("policy cold compresses again");
      assertThat(beside.run("sessions", "decompress", "--all", "--json").out())
          .contains("{\"decompressed\":[]}");
      assertThat(beside.run("sessions", "decompress", "none").code()).isEqualTo(ExitCode.NOT_FOUND);
      assertThat(beside.run("sessions", "decompress").code()).isEqualTo(ExitCode.USAGE);
      assertThat(beside.run("retention", "run", "--dry-run", "--shrink").code())
          .isEqualTo(ExitCode.USAGE);
    }
  }

  @Test
  void aStoreThatCannotCompressSaysSo() {
    Result refused = shell.run("retention", "set", "cold", "--idle", "90d", "--compress");
    assertThat(refused.code()).isNotZero();
    assertThat(refused.err()).contains("cannot compress sessions");
    add(2);
    shell.run("retention", "set", "few", "--count", "1");
    assertThat(shell.run("retention", "run", "--yes", "--shrink").code()).isNotZero();
    assertThat(shell.store.session("s0").getItems()).hasSize(1);
  }
}
