package dev.clew.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.kit.Family;
import dev.clew.kit.Marks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportAndImportTest {
  private static final List<Item> ITEMS =
      List.of(
          Item.user("What city is the Golden Gate Bridge in? 金门大桥"),
          Item.parse("{\"role\":\"user\",\"n\":0.10,\"big\":1e400,\"lone\":\"\\ud800\"}"),
          Item.functionCall("c", "f", "{\"a\":1}"));

  @TempDir Path folder;
  private final Shell shell = new Shell();
  private final StoredSession session = shell.store.session("s");
  private final SessionStore expiring = Stores.open("memory:?ttl=30d");

  @Test
  void export_isTheDocumentWithIdCountAndItems() {
    session.addItems(ITEMS);
    Result result = shell.run("export", "s");

    assertThat(result.code()).isZero();
    assertThat(result.json())
        .containsOnlyKeys(
            "session_id", "created_at", "updated_at", "item_count", "items", "added_at");
    assertThat(result.json()).containsEntry("session_id", "s").containsEntry("item_count", 3L);
    for (Item item : ITEMS) {
      assertThat(result.out()).contains(item.json());
    }
  }

  @Test
  void anEmptySession_canBeExportedAndImported() {
    session.update(SessionUpdate.none().title("empty"));
    Result result = shell.run("export", "s");
    assertThat(result.json()).containsEntry("item_count", 0L);

    assertThat(shell.typing(result.out()).run("import", "-", "--session", "t").code()).isZero();
    assertThat(shell.store.session("t").info()).isPresent();
    assertThat(shell.run("import", "-").code()).isZero();
  }

  @Test
  void export_ofNoSession_isNotFound() {
    assertThat(shell.run("export", "s").code()).isEqualTo(ExitCode.NOT_FOUND);
  }

  @Test
  void whatWasExported_comesBackItemForItemAndAsOldAsItWas() {
    Instant then = Instant.parse("2021-03-04T05:06:07.089Z");
    session.commit(
        Commit.appendDrafts(ITEMS.stream().map(item -> Draft.of(item).at(then)).toList()));
    String document = shell.run("export", "s").out();
    session.clearSession();
    Result result = shell.typing(document).run("import", "-");

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out()).contains("imported 3 items into session 's'");
    assertThat(session.getItems()).isEqualTo(ITEMS);
    assertThat(session.entries(Range.first(3)).entries())
        .allSatisfy(entry -> assertThat(entry.addedAt()).isEqualTo(then));
    assertThat(session.info().orElseThrow().createdAt()).isEqualTo(then);
    assertThat(session.info().orElseThrow().updatedAt()).isEqualTo(then);
  }

  @Test
  void export_toAFile_replacesItAsAWhole() throws IOException {
    session.addItems(ITEMS);
    Path file = folder.resolve("s.json");
    Files.writeString(file, "x".repeat(100_000));
    Result result = shell.run("export", "s", "-o", file.toString());

    assertThat(result.out()).contains("wrote 3 items of session 's'");
    assertThat(Files.readString(file)).isEqualTo(shell.run("export", "s").out());
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
    assertThat(shell.run("export", "s", "-o", file.toString(), "--json").json())
        .containsOnlyKeys("id", "owner", "exported", "file");
  }

  @Test
  void export_toAPlaceThatCannotBeWritten_saysWhich() {
    session.addItems(ITEMS);
    Result missing = shell.run("export", "s", "-o", folder.resolve("no/where.json").toString());
    assertThat(missing.code()).isEqualTo(ExitCode.FAILED);
    assertThat(missing.err()).contains("where.json");
    assertThat(shell.run("export", "s", "-o", folder.toString()).code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void anImportedSession_isListed_alsoIfItWasAnOlderBranchOrTemporary() {
    session.addItems(ITEMS);
    SessionKey fork = new SessionKey("", "t");
    session.forkTo(fork, Long.MAX_VALUE);
    new Family(shell.store).add(session.info().orElseThrow(), fork, info -> SessionUpdate.none());
    String older = shell.run("export", "s").out();
    StoredSession secret = shell.store.session("secret");
    secret.addItems(ITEMS);
    secret.update(
        SessionUpdate.none()
            .tags(Set.of("birds", Marks.TEMPORARY))
            .timeToLive(Duration.ofHours(1)));
    String temporary = shell.run("export", "secret").out();

    Shell other = new Shell().opening(url -> Shell.keptOpen(expiring));
    other.typing(older).run("import", "-");
    other.typing(temporary).run("import", "-");
    assertThat(expiring.session("secret").info().orElseThrow().tags()).containsExactly("birds");
    assertThat(other.run("sessions", "list").out()).contains("s ", "secret");
  }

  @Test
  void export_ofAll_leavesTemporarySessionsOut() {
    session.addItems(ITEMS);
    StoredSession secret = shell.store.session("secret");
    secret.addItems(List.of(Item.user("whispered")));
    secret.update(
        SessionUpdate.none().tags(Set.of(Marks.TEMPORARY)).timeToLive(Duration.ofHours(1)));
    assertThat(shell.run("export", "--all", "--format", "csv").out())
        .contains("Golden Gate")
        .doesNotContain("whispered");
    assertThat(shell.run("export", "secret").out()).contains("whispered");
  }

  @Test
  void export_ofAllToAFolder_hasAFileForEach() throws IOException {
    session.addItems(ITEMS);
    shell.store.session("../x").addItems(List.of(Item.user("<script>")));
    Path into = folder.resolve("out");
    Result result = shell.run("export", "--all", "--to", into.toString(), "--format", "html");

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out()).contains("wrote 4 items of 2 sessions to");
    try (Stream<Path> files = Files.list(into)) {
      assertThat(files.map(file -> String.valueOf(file.getFileName())))
          .hasSize(2)
          .contains("s.html")
          .allMatch(name -> name.matches("[a-z_.0-9-]+\\.html") && !name.startsWith("."));
    }
    assertThat(Files.readString(into.resolve("s.html"))).doesNotContain("<script");
    assertThat(shell.run("export", "--all", "--to", into.toString(), "--json").json())
        .containsOnlyKeys("owner", "exported", "sessions", "folder");
  }

  @Test
  void export_asCsv_putsSeveralIntoOneTable() throws IOException {
    session.addItems(ITEMS);
    shell.store.session("t").addItems(List.of(Item.user("x")));
    assertThat(shell.run("export", "s", "t", "--format", "csv").out().lines())
        .hasSize(5)
        .filteredOn(line -> line.startsWith("owner,session_id"))
        .hasSize(1);
    Path file = folder.resolve("all.csv");
    assertThat(shell.run("export", "--all", "--format", "csv", "-o", file.toString()).code())
        .isZero();
    assertThat(Files.readString(file)).contains(",s,", ",t,");
    assertThat(shell.run("export", "s", "--format", "jsonl").out())
        .isEqualTo(String.join("", ITEMS.stream().map(item -> item.json() + "\n").toList()));
    assertThat(shell.run("export", "s", "--format", "md").out()).startsWith("# s\n");
  }

  @Test
  void export_thatMakesNoSense_isWrongUsage() {
    session.addItems(ITEMS);
    for (String[] args :
        List.of(
            new String[] {"export"},
            new String[] {"export", "s", "--all"},
            new String[] {"export", "s", "t"},
            new String[] {"export", "--all"},
            new String[] {"export", "s", "--format", "parquet"},
            new String[] {"export", "s", "-o", "a", "--to", "b"})) {
      assertThat(shell.run(args).code()).isEqualTo(ExitCode.USAGE);
    }
  }

  @Test
  void import_replacesTheHistoryAndKeepsTheTitle() throws IOException {
    session.addItems(List.of(Item.user("old"), Item.user("older")));
    session.update(SessionUpdate.none().title("Trip"));
    Result result = shell.run("import", document("s", ITEMS), "--yes", "--json");

    assertThat(result.json())
        .containsOnlyKeys("id", "owner", "imported", "replaced", "version")
        .containsEntry("imported", 3L)
        .containsEntry("replaced", 2L);
    assertThat(session.getItems()).isEqualTo(ITEMS);
    assertThat(session.entries(Range.first(10).withCompacted()).entries()).hasSize(3);
    assertThat(session.info().orElseThrow().title()).isEqualTo("Trip");
  }

  @Test
  void import_intoASessionWithItems_asksOnATerminalAndRefusesElsewhere() throws IOException {
    session.addItems(List.of(Item.user("old")));
    String file = document("s", ITEMS);

    Result refused = shell.run("import", file);
    assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(refused.err()).contains("--yes");
    assertThat(shell.onTerminal("n").run("import", file).code()).isEqualTo(ExitCode.REFUSED);
    assertThat(session.getItems()).hasSize(1);
    Result agreed = shell.onTerminal("y").run("import", file);
    assertThat(agreed.code()).isZero();
    assertThat(agreed.err()).contains("Replace the 1 item of session 's' by 3 others?");
    assertThat(session.getItems()).isEqualTo(ITEMS);
  }

  @Test
  void import_ofASessionThatChangesDuringTheQuestion_isAConflict() throws IOException {
    session.addItems(List.of(Item.user("old")));
    shell.onTerminal("y").whileAsked(() -> session.addItems(List.of(Item.user("new"))));

    assertThat(shell.run("import", document("s", ITEMS)).code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(session.getItems()).containsExactly(Item.user("old"), Item.user("new"));
  }

  @Test
  void import_goesToTheOwnerAndSessionItIsTold() throws IOException {
    shell.run("import", document("s", ITEMS), "--session", "t", "--owner", "ann");

    assertThat(shell.store.session(new SessionKey("ann", "t")).getItems()).isEqualTo(ITEMS);
    assertThat(session.info()).isEmpty();
  }

  @Test
  void import_ofABadDocument_namesThePlaceAndChangesNothing() throws IOException {
    session.addItems(ITEMS);
    String[][] bad = {
      {"{\"session_id\":\"s\",\"item_count\":2,\"items\":[{}]}", "2 items and has 1"},
      {"{\"session_id\":\"s\",\"items\":[{},7]}", "items[1]"},
      {"{\"session_id\":7,\"items\":[]}", "session_id"},
      {"{\"session_id\":\"s\"}", "items"},
      {"[{}]", "is no export"},
      {
        "{\"session_id\":\"s\",\"items\":[{}",
        "it ends in the middle at line 1, column 30; nothing was written"
      },
      {"{\"session_id\":\"s\",\"items\":[]} x", "is not an export"},
    };
    for (String[] each : bad) {
      Path file = Files.writeString(folder.resolve("bad.json"), each[0]);
      Result result = shell.run("import", file.toString(), "--yes");
      assertThat(result.code()).as(each[0]).isEqualTo(ExitCode.USAGE);
      assertThat(result.err()).contains(each[1]);
    }
    assertThat(session.getItems()).isEqualTo(ITEMS);
  }

  @Test
  void import_afterACompaction_startsFromWhatIsThere() throws IOException {
    session.addItems(ITEMS);
    long second = session.entries(Range.first(2)).entries().get(1).position();
    session.commit(Commit.replacePrefix(second, List.of(Item.system("summary"))));
    shell.run("import", document("s", ITEMS.subList(0, 1)), "--yes");

    assertThat(session.getItems()).isEqualTo(ITEMS.subList(0, 1));
  }

  private String document(String id, List<Item> items) throws IOException {
    String text =
        "{\"session_id\":\"%s\",\"item_count\":%d,\"items\":%s}".formatted(id, items.size(), items);
    return Files.writeString(folder.resolve("in.json"), text).toString();
  }
}
