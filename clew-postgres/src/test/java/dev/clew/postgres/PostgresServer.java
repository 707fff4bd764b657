package dev.clew.postgres;

import dev.clew.tck.Await;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The one PostgreSQL server of the module's tests, started when first needed and ended with the
 * JVM. Its tests run one after the other. If it cannot be started, the tests fail and say why.
 */
final class PostgresServer {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static final PostgresServer SHARED = new PostgresServer();

  private final Path folder =
      Path.of(System.getProperty("clew.target", "target"), "postgres-data").toAbsolutePath();
  private final int port;
  private EmbeddedPostgres running;

  private PostgresServer() {
    try {
      deleteFolder();
      Files.createDirectories(folder.getParent());
      running = settings().start();
      port = running.getPort();
    } catch (IOException | RuntimeException e) {
      throw new AssertionError(
          "the embedded PostgreSQL server could not be started; as root it needs 'unshare' with"
              + " user namespaces, else run the build as another user: "
              + e,
          e);
    }
  }

  static PostgresServer shared() {
    return SHARED;
  }

  private void deleteFolder() throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** A commit is written out before it is acknowledged; only the machine must not fail. */
  private EmbeddedPostgres.Builder settings() {
    return EmbeddedPostgres.builder()
        .setDataDirectory(folder)
        .setCleanDataDirectory(false)
        .setServerConfig("max_connections", "200")
        .setServerConfig("synchronous_commit", "on")
        .setServerConfig("fsync", "off");
  }

  int port() {
    return port;
  }

  String url() {
    return "postgres://postgres:postgres@localhost:" + port + "/postgres";
  }

  /** The URL of a store in a schema of its own. */
  String url(String schema) {
    return url() + "?schema=" + schema;
  }

  static String newSchema() {
    return "test_" + SCHEMAS.incrementAndGet();
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://localhost:" + port + "/postgres?user=postgres&password=postgres");
  }

  void execute(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** From now on this user needs a password, which the server asks nobody else for. */
  void requirePassword(String user) {
    try {
      Path rules = folder.resolve("pg_hba.conf");
      Files.writeString(
          rules, "host all " + user + " all scram-sha-256\n" + Files.readString(rules));
      execute("SELECT pg_reload_conf()");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    Await.until(() -> "the server asks for a password", () -> asks(user));
  }

  private boolean asks(String user) {
    String url = "jdbc:postgresql://localhost:" + port + "/postgres?user=" + user + "&password=x";
    try (Connection connection = DriverManager.getConnection(url)) {
      return connection.isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  /** Ends the server as {@code pg_ctl stop -m immediate} does: without a checkpoint. */
  void stopImmediately() {
    try {
      Path pidFile = folder.resolve("postmaster.pid");
      long pid = Long.parseLong(Files.readAllLines(pidFile).get(0).strip());
      ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
      new ProcessBuilder("kill", "-QUIT", String.valueOf(pid)).inheritIO().start().waitFor();
      postmaster.onExit().get(30, TimeUnit.SECONDS);
      running.close(); // gives back its lock on the folder
    } catch (IOException | ExecutionException | TimeoutException e) {
      throw new AssertionError("the server did not stop", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Starts it again on the same data and port. */
  void startAgain() {
    try {
      running = settings().setPort(port).start();
    } catch (IOException e) {
      throw new AssertionError("the server could not be started again", e);
    }
  }
}
