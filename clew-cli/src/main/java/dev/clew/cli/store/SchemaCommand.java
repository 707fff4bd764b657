package dev.clew.cli.store;

import dev.clew.cli.command.Action;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.json.JsonObject;
import dev.clew.postgres.PostgresSchema;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew schema}: prints the tables of a store for a DBA. Used once, by one thread. */
@Command(name = "schema")
public final class SchemaCommand extends Action {
  /** The stores that have tables of their own. */
  enum Backend {
    POSTGRES
  }

  @Parameters(paramLabel = "STORE")
  @Nullable Backend backend;

  @Option(names = "--schema", paramLabel = "NAME")
  @Nullable String schema;

  @Override
  protected int run() {
    String sql =
        schema == null
            ? PostgresSchema.sql()
            : clew.judging("--schema", schema, PostgresSchema::sql);
    if (clew.json) {
      clew.answer(new JsonObject().put("store", "postgres").put("sql", sql));
    } else {
      clew.out().print(sql);
    }
    return ExitCode.OK;
  }
}
