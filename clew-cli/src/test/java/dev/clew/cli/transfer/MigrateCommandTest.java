package dev.clew.cli.transfer;

import static dev.clew.cli.Shell.object;
import static dev.clew.cli.Shell.objects;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.command.PointInTime;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Paint;
import dev.clew.cli.terminal.Progress;
import dev.clew.kit.BackendStore;
import dev.clew.migrate.SessionOutcome;
import dev.clew.tck.SampleSessions;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrateCommandTest {
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

  private Result migrate(String... more) {
    List<String> args = new ArrayList<>(List.of("migrate", "--from", "a:", "--to", "b:"));
    args.addAll(List.of(more));
    return shell.run(args.toArray(String[]::new));
  }

  @Test
  void everythingIsCopiedAndCounted() {
    SampleSessions.fill(from);
    Result result = migrate();

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out())
        .hasLineCount(1)
        .startsWith("copied and compared 8 sessions with ")
        .contains(", 2 documents");
    assertThat(SampleSessions.all(to)).isEqualTo(SampleSessions.all(from));
    assertThat(migrate().out()).contains("copied and compared 0 sessions", "8 sessions already");
  }

  @Test
  void owner_copiesOneOwner_andTheDefaultOwnerCanBeNamedToo() {
    SampleSessions.fill(from);

    assertThat(migrate("--owner", "ann:b%_").out()).contains("1 session with 1 item, 1 document");
    assertThat(migrate("--owner", "").out()).contains("7 sessions");
  }

  @Test
  void since_takesAgesDatesAndInstants() {
    from.session("s").addItems(List.of(Item.user("now")));

    assertThat(migrate("--dry-run", "--since", "1h").out()).contains("1 session");
    assertThat(migrate("--dry-run", "--since", "2020-01-31").out()).contains("1 session");
    assertThat(migrate("--dry-run", "--since", "2999-01-31T10:00:00Z").out()).contains("0 session");
    Result bad = migrate("--since", "yesterday");
    assertThat(bad.code()).isEqualTo(ExitCode.USAGE);
    assertThat(bad.err()).contains("--since", "yesterday", "7d");
    Instant now = Instant.parse("2026-01-31T10:00:00Z");
    assertThat(PointInTime.parse("x", "2d", now)).isEqualTo(now.minusSeconds(2 * 86_400));
    assertThat(PointInTime.parse("x", "3m", now)).isEqualTo(now.minusSeconds(180));
    assertThat(PointInTime.parse("x", "4s", now)).isEqualTo(now.minusSeconds(4));
  }

  @Test
  void dryRun_writesNothing() {
    SampleSessions.fill(from);
    Result result = migrate("--dry-run");

    assertThat(result.code()).isZero();
    assertThat(result.out()).startsWith("would copy 8 sessions");
    assertThat(SampleSessions.all(to)).isEmpty();
  }

  @Test
  void aSessionThatIsRefused_isNamedAndTheExitCodeSaysSo() {
    SampleSessions.fill(from);
    to.session("small").addItems(List.of(Item.user("mine")));
    Result result = migrate();

    assertThat(result.code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(result.out())
        .contains("refused session 'small': the target has another session", "1 session refused")
        .contains("copied and compared 7 sessions");
    Map<String, Object> json = migrate("--json").json();
    assertThat(object(json, "sessions")).containsEntry("refused", 1L);
    assertThat(objects(json, "problems").get(0))
        .containsEntry("id", "small")
        .containsEntry("outcome", "refused");
  }

  @Test
  void json_isOneDocument() {
    SampleSessions.fill(from);
    Result result = migrate("--json");

    assertThat(result.json())
        .containsOnlyKeys(
            "from",
            "to",
            "dry_run",
            "sessions",
            "items",
            "records",
            "refused_records",
            "problems",
            "unreadable");
    assertThat(object(result.json(), "sessions"))
        .containsOnlyKeys("moved", "already_there", "would_move", "refused", "failed")
        .containsEntry("moved", 8L);
    assertThat(result.err()).isEmpty();
  }

  @Test
  void damagedRecordsOfTheSource_areNamedByPositionAndTheRestGoesOver() throws SQLException {
    Path file = folder.resolve("damaged.db");
    long position;
    try (SessionStore store = Stores.open("sqlite:" + file)) {
      store.session("s").addItems(SampleSessions.items("x", 3));
      position = store.session("s").entries(Range.first(2)).entries().get(1).position();
    }
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        PreparedStatement spoil =
            connection.prepareStatement(
                "UPDATE agent_messages SET message_data = '{\"spoilt' WHERE id = ?")) {
      spoil.setLong(1, position);
      spoil.executeUpdate();
    }
    stores.put("c:", Stores.open("sqlite:" + file));
    Result result = shell.run("migrate", "--from", "c:", "--to", "b:");

    assertThat(result.code()).isEqualTo(ExitCode.FAILED);
    assertThat(result.out())
        .contains("unreadable session 's' position " + position)
        .contains("1 item unreadable and not copied")
        .doesNotContain("spoilt");
    assertThat(to.session("s").getItems()).containsExactly(Item.user("x 0"), Item.user("x 2"));
    Map<String, Object> json = shell.run("migrate", "--from", "c:", "--to", "b:", "--json").json();
    assertThat(objects(json, "unreadable").get(0)).containsEntry("position", position);
  }

  @Test
  void wrongUsage_isToldBeforeAnythingIsOpened() {
    shell.opening(
        url -> {
          throw new AssertionError("opened " + url);
        });

    assertThat(shell.run("migrate", "--from", "a:").code()).isEqualTo(ExitCode.USAGE);
    assertThat(shell.run("migrate", "--from", "a:", "--to", "a:").code()).isEqualTo(ExitCode.USAGE);
    assertThat(migrate("--store", "c:").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aStoreThatFails_endsItWithTheAdviceToRunItAgain() {
    from.session("s").addItems(List.of(Item.user("x")));
    stores.put(
        "b:",
        BackendStore.decorate(
            to,
            backend ->
                new Shell.KeptOpen(backend) {
                  @Override
                  public java.util.Optional<dev.clew.SessionInfo> info(SessionKey key) {
                    throw new ClewException.StoreUnavailable("the server is gone", null, false);
                  }
                }));
    Result result = migrate();

    assertThat(result.code()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err()).contains("the server is gone", "run the same command again");
  }

  @Test
  void progress_isABarOnATerminalAndNowAndThenALineElsewhere() {
    assertThat(progress(true, 200_000_000L))
        .contains("\r\u001b[K[######------------------]  25% 1 of 4 items, 0 of 2 sessions")
        .endsWith("\r\u001b[K");
    assertThat(progress(false, 6_000_000_000L))
        .startsWith(
            "1 of 4 items, 0 of 2 sessions, 0 items/s, 18 s left\n2 of 4 items, 0 of 2 sessions,"
                + " 0 items/s, 12 s left\n")
        .doesNotContain("\r");
    assertThat(progress(false, 1_000_000L)).isEmpty();
  }

  @Test
  void progressOfWhatNobodyCounted_isANumberAndARateWithoutABar() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Output err = new Output(bytes);
    AtomicLong nanos = new AtomicLong();
    Progress progress = new Progress(err, true, OptionalInt.of(100), nanos::get, "sessions");
    progress.detail("looking");
    nanos.addAndGet(4_000_000_000L);
    progress.at(2_000);
    progress.clear();
    err.flush();
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualTo("\r\u001b[K2,000 sessions, looking, 500 sessions/s\r\u001b[K");
  }

  private static String progress(boolean onTerminal, long step) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Output err = new Output(bytes);
    AtomicLong nanos = new AtomicLong();
    CopyProgress progress =
        new CopyProgress(
            err,
            new Paint(false),
            new Progress(err, onTerminal, OptionalInt.of(100), nanos::get, "items"));
    progress.planned(2, 4);
    for (int i = 0; i < 4; i++) {
      nanos.addAndGet(step);
      progress.progressed(1);
    }
    progress.finished(new SessionOutcome(SessionKey.of("s"), SessionOutcome.Kind.MOVED, 4, ""));
    progress.close();
    err.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
