package dev.clew.testservers;

import dev.clew.tck.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A PostgreSQL server on a free port, for anybody who connects as {@code postgres}. Ends with the
 * JVM at the latest, and its data with it. Thread-safe, except that one thread at a time stops and
 * starts it.
 */
public final class PostgresServer implements AutoCloseable {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private static final class Shared {
    static final PostgresServer SERVER = start(temporary(), Map.of("fsync", "off"));
  }

  private final Account account;
  private final Path programs;
  private final Path folder;
  private final Path data;
  private final Map<String, String> settings;
  private final int port = Ports.free();
  private Process process;

  /**
   * Starts one.
   *
   * @param wanted where to keep the data; elsewhere if the account cannot reach it
   */
  PostgresServer(Account account, Path programs, Path wanted, Map<String, String> settings) {
    this.account = account;
    this.programs = programs;
    this.settings = new TreeMap<>(settings);
    this.settings.putIfAbsent("max_connections", "200");
    this.settings.putIfAbsent("synchronous_commit", "on");
    this.settings.put("unix_socket_directories", ""); // the usual one may not be ours
    try {
      folder = reachable(wanted) ? wanted : other(wanted);
      data = folder.resolve("data");
      Runtime.getRuntime().addShutdownHook(new Thread(this::close));
      initialise();
    } catch (IOException e) {
      throw new UncheckedIOException("no folder for the data of a PostgreSQL server", e);
    }
    process = launch();
  }

  /** The one server of this JVM, for all tests that need no settings of their own. */
  public static PostgresServer shared() {
    return Shared.SERVER;
  }

  /** A server of one's own, with these settings; its data is kept in the folder if it can be. */
  public static PostgresServer start(Path folder, Map<String, String> settings) {
    Account account = Account.unprivileged();
    return new PostgresServer(account, PostgresPrograms.find(account), folder, settings);
  }

  static Path temporary() {
    try {
      return Files.createTempDirectory("clew-postgres-data-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Makes the folder of the data. A folder below one that only root may enter is no use to others.
   */
  private boolean reachable(Path wanted) throws IOException {
    Path made = wanted.resolve("data");
    Files.createDirectories(made);
    Files.setPosixFilePermissions(wanted, PosixFilePermissions.fromString("rwx--x--x"));
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwx------"));
    if (!account.owner().isEmpty()) {
      Files.setOwner(
          made,
          made.getFileSystem()
              .getUserPrincipalLookupService()
              .lookupPrincipalByName(account.owner()));
    }
    return account.run("test", "-w", made.toString()).succeeded();
  }

  private Path other(Path wanted) throws IOException {
    Folders.delete(wanted);
    Path other = temporary();
    if (!reachable(other)) {
      throw new IOException(
          account.name()
              + " can use neither "
              + wanted
              + " nor "
              + other
              + "; let java.io.tmpdir be a folder that everybody can enter");
    }
    return other;
  }

  private void initialise() {
    Command.Result made =
        account.run(
            programs.resolve("initdb").toString(),
            "--auth=trust",
            "--username=postgres",
            "--encoding=UTF-8",
            "--no-sync",
            "--pgdata=" + data);
    if (!made.succeeded()) {
      throw failed(made.output());
    }
  }

  private Process launch() {
    List<String> words = new ArrayList<>();
    words.add(programs.resolve("postgres").toString());
    words.addAll(List.of("-D", data.toString(), "-p", String.valueOf(port)));
    settings.forEach((name, value) -> words.addAll(List.of("-c", name + "=" + value)));
    Path log = folder.resolve("log");
    try {
      Process started =
          new ProcessBuilder(account.command(words.toArray(String[]::new)))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      Await.until(
          () -> "PostgreSQL answers on port " + port,
          () -> {
            if (!started.isAlive()) {
              throw failed(said(log));
            }
            return answers("postgres");
          });
      return started;
    } catch (IOException e) {
      throw failed(e.toString());
    }
  }

  private static String said(Path log) {
    try {
      return new String(Files.readAllBytes(log), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return e.toString();
    }
  }

  private AssertionError failed(String why) {
    return new AssertionError(
        "the PostgreSQL of "
            + programs
            + " could not be started as "
            + account.name()
            + ": "
            + why);
  }

  public int port() {
    return port;
  }

  /** The process that listens. */
  ProcessHandle postmaster() {
    try {
      String first = Files.readAllLines(data.resolve("postmaster.pid")).get(0);
      return ProcessHandle.of(Long.parseLong(first.strip())).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException("the server does not run", e);
    }
  }

  /** For a store in the schema that stores use if nobody says otherwise. */
  public String url() {
    return "postgres://postgres:postgres@localhost:" + port + "/postgres";
  }

  /** The URL of a store in a schema of its own. */
  public String url(String schema) {
    return url() + "?schema=" + schema;
  }

  /** The URL of an empty store. */
  public String newUrl() {
    return url(newSchema());
  }

  /** The name of a schema that is not there yet. */
  public static String newSchema() {
    return "test_" + SCHEMAS.incrementAndGet();
  }

  /**
   * Removes all rows of a schema, if there is one of this name, but not those of its table {@code
   * meta}: making the tables anew takes a hundred times as long.
   */
  public void empty(String schema) {
    execute(
        """
        SET session_replication_role = replica;
        DO $$ DECLARE name text; BEGIN
          FOR name IN SELECT tablename FROM pg_tables
              WHERE schemaname = '%1$s' AND tablename <> 'meta' LOOP
            EXECUTE format('DELETE FROM %%I.%%I', '%1$s', name);
          END LOOP;
        END $$
        """
            .formatted(schema));
  }

  /** The URL for JDBC. */
  public String jdbcUrl() {
    return jdbcUrl("postgres");
  }

  private String jdbcUrl(String user) {
    return "jdbc:postgresql://localhost:" + port + "/postgres?user=" + user + "&password=postgres";
  }

  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl());
  }

  public void execute(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  private boolean answers(String user) {
    try (Connection connection = DriverManager.getConnection(jdbcUrl(user))) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  /** From now on this user needs a password, which the server asks nobody else for. */
  public void requirePassword(String user) {
    try {
      Path rules = data.resolve("pg_hba.conf");
      Files.writeString(
          rules, "host all " + user + " all scram-sha-256\n" + Files.readString(rules));
      execute("SELECT pg_reload_conf()");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    Await.until(() -> "the server asks for a password", () -> !answers(user));
  }

  /** Ends the server as {@code pg_ctl stop -m immediate} does: without a checkpoint. */
  public void stopImmediately() {
    ProcessHandle postmaster = postmaster();
    Command.run(List.of("sh", "-c", "kill -QUIT " + postmaster.pid()));
    try {
      postmaster.onExit().get(30, TimeUnit.SECONDS);
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        throw new AssertionError("the server did not stop");
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("the server did not stop", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Starts it again on the same data and port. */
  public void startAgain() {
    process = launch();
  }

  /** Ends the server, if it runs, and removes its data. */
  @Override
  public void close() {
    if (process != null && process.isAlive()) {
      stopImmediately();
    }
    try {
      Folders.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
