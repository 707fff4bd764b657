package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Errors say what is wrong, where, and what to do, in words of the command and not of a library.
 */
class MessagesTest {
  @TempDir Path folder;
  private final Shell shell = new Shell().onRealStores();

  private Result run(String... args) {
    shell.env.put("CLEW_STORE", "sqlite:" + folder.resolve("clew.db"));
    return shell.run(args);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sessions list --limit x           | --limit is 'x'; write a whole number
          sessions list --limit 5 --limit 6 | --limit is given twice; write it once
          stats --by month                  | --by is 'month'; write day or week
          schema oracle                     | STORE is 'oracle'; write postgres
          add                               | ID is missing
          add s --item                      | --item needs a value; write --item JSON
          migrate --from a                  | --to needs a value; write --to URL
          sesions                           | there is no command 'sesions'; did you mean sessions
          sessions list --limt 3            | there is no option '--limt'; did you mean --limit
          sessions show a b                 | 'b' is one argument too many
          """)
  void whatIsTypedWrongIsSaidInPlainWords(String command, String message) {
    Result result = run(command.split(" ", -1));
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).startsWith("clew: " + message).contains("\ntry 'clew ");
  }

  @Test
  void whatIsNoJsonIsSaidWithoutTheWordsOfTheParser() throws IOException {
    run("add", "s", "hello");
    Path file = Files.writeString(folder.resolve("c.txt"), "hello {");
    Stream.of(
            run("add", "s", "--item", "{bad"),
            run("add", "s", "--item", "{\"a\":"),
            run("add", "s", "--items", file.toString()),
            run("import", file.toString()))
        .forEach(
            result -> {
              assertThat(result.code()).isEqualTo(ExitCode.USAGE);
              assertThat(result.err())
                  .containsPattern("nothing was (added|written)")
                  .containsPattern("(character|column) \\d")
                  .doesNotContain("expecting", "code 98", "token", "close marker");
            });
    assertThat(run("sessions", "list", "--cursor", "foo").err())
        .startsWith("clew: --cursor is not one that this list printed")
        .doesNotContain("SessionPage", "UPDATED");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite:%s/x.db?limit=0", "jsonl:%s/x?limit=0", "memory:?limit=0"})
  void aLimitOfNothingInAStoreUrlIsRefused(String url) {
    Result result = run("add", "s", "hello", "--store", url.replace("%s", folder.toString()));
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("limit must be a whole number from 1 to");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void foldersThatAreCreatedForAFileAreNamed() {
    Path parent = folder.resolve("a").resolve("b");
    String url = "sqlite:" + parent.resolve("clew.db");
    assertThat(run("init", "--store", url).out())
        .isEqualTo("created the folder " + parent + "\ncreated the file " + parent + "/clew.db\n");
    assertThat(run("init", "--store", url).out()).startsWith("nothing to create");
  }

  @Test
  void aMissingStoreIsCreatedByACommandThatNamesIt() {
    Result result = run("sessions", "list");
    assertThat(result.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(result.err()).contains("no such file", "'clew init --store URL'");
  }

  @Test
  void theCommandThatCreatesAMissingStoreNamesTheOneThatWasTyped() {
    String url = "sqlite:" + folder.resolve("none.db");
    assertThat(run("sessions", "list", "--store", url).err())
        .contains("'clew --store " + url + " init'");
  }

  @Test
  void aMissingSourceOfAMigrationIsNotToBeCreated() {
    String url = "sqlite:" + folder.resolve("none.db");
    Result result = run("migrate", "--from", url, "--to", "sqlite:" + folder.resolve("new.db"));
    assertThat(result.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(result.err())
        .contains("there is no store at " + url + "; check --from")
        .doesNotContain("init");
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource({
    "serch x, search",
    "hlep, ''",
    "lsit, ''",
    "foo, ''",
    "sessions lsit, list",
    "ad x, add",
  })
  void onlyACloseWordIsSuggested(String command, String meant) {
    String err = run(command.split(" ", -1)).err();
    if (meant.isEmpty()) {
      assertThat(err).doesNotContain("did you mean");
    } else {
      assertThat(err).contains("; did you mean " + meant + "?");
    }
  }

  @Test
  void suggestedCommandsAreAboutTheStoreThatWasTyped() {
    String url = "sqlite:" + folder.resolve("other.db");
    run("init", "--store", url);
    assertThat(run("sessions", "show", "x", "--store", url).err())
        .contains("'clew --store " + url + " sessions list'");
    assertThat(run("token", "list", "--store", url).err())
        .contains("'clew --store " + url + " token create --owner NAME'");
    assertThat(run("sessions", "list", "--store", url + "?ttl=1d").err())
        .contains("'clew --store \"" + url + "?ttl=1d\" add my-session Hello'");
    run("init");
    assertThat(run("token", "list").err()).contains("'clew token create --owner NAME'");
  }

  @Test
  void suggestedCommandsAreAboutTheOwnerThatWasTyped_unlessTheyAreAboutAll() {
    run("init");
    assertThat(run("sessions", "show", "x", "--owner", "ann").err())
        .contains("'clew --owner ann sessions list'");
    assertThat(run("sessions", "list", "--owner", "ann b").err())
        .contains("'clew --owner \"ann b\" add my-session Hello'");
    assertThat(run("token", "list", "--owner", "ann").err())
        .contains("'clew token create --owner NAME'");
  }

  @Test
  void anUnknownOwnerIsNoSuccessOfACopy() {
    run("add", "s", "hello");
    String backup = folder.resolve("all.backup").toString();
    run("backup", "--to", backup);
    String url = "sqlite:" + folder.resolve("clew.db");
    String other = "sqlite:" + folder.resolve("other.db");
    Stream.of(
            run("backup", "--owner", "nobody", "--to", folder.resolve("new").toString()),
            run("restore", "--owner", "nobody", "--from", backup, "--store", other),
            run("migrate", "--owner", "nobody", "--from", url, "--to", other),
            run("export", "--all", "--owner", "nobody", "--to", folder.resolve("new").toString()))
        .forEach(
            result -> {
              assertThat(result.code()).isEqualTo(ExitCode.NOT_FOUND);
              assertThat(result.err())
                  .contains("has nothing of owner 'nobody'; check the name")
                  .hasLineCount(1);
            });
    assertThat(folder.resolve("new")).doesNotExist();
    assertThat(folder.resolve("other.db")).doesNotExist();
  }

  @Test
  void anUnknownOwnerIsNotErased_andThatIsAllThatIsSaid() {
    run("add", "s", "hello");
    Result result = run("erase", "--owner", "nobody", "--yes");
    assertThat(result.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(result.err())
        .startsWith("clew: nothing to erase")
        .contains("owner 'nobody'", "check the name")
        .hasLineCount(1);
  }
}
