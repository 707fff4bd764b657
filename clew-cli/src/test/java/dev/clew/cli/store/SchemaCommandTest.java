package dev.clew.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.postgres.PostgresSchema;
import org.junit.jupiter.api.Test;

class SchemaCommandTest {
  private final Shell shell = new Shell();

  @Test
  void printsTheTablesOfPostgresWithoutOpeningAStore() {
    Result result = shell.run("schema", "postgres");

    assertThat(result.code()).isZero();
    assertThat(result.out())
        .isEqualTo(PostgresSchema.sql())
        .contains("CREATE TABLE \"clew\".items");
    assertThat(shell.opened).isEmpty();
  }

  @Test
  void printsThemForAnotherSchema() {
    assertThat(shell.run("schema", "postgres", "--schema", "conversations").out())
        .contains("CREATE TABLE \"conversations\".items")
        .doesNotContain("\"clew\"");
  }

  @Test
  void asJsonHasTheSqlAsOneText() {
    assertThat(shell.run("schema", "postgres", "--json").json())
        .containsEntry("store", "postgres")
        .containsEntry("sql", PostgresSchema.sql());
  }

  @Test
  void refusesAStoreWithoutTablesAndANameThatIsNone() {
    assertThat(shell.run("schema", "memory").code()).isEqualTo(ExitCode.USAGE);
    assertThat(shell.run("schema").code()).isEqualTo(ExitCode.USAGE);
    Result result = shell.run("schema", "postgres", "--schema", "a\"; DROP TABLE x; --");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("not a usable name");
  }
}
