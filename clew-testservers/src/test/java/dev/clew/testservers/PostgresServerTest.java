package dev.clew.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresServerTest {
  @TempDir Path folder;

  /** What a build by root does where user namespaces are forbidden. */
  @Test
  void withoutUserNamespaces_itRunsAsSomebodyWhoIsNotRoot() throws Exception {
    Account account = Account.withoutNamespaces();
    Path onlyOurs = folder.resolve("only-ours");
    Files.createDirectory(
        onlyOurs,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try (PostgresServer server =
        new PostgresServer(
            account,
            PostgresPrograms.find(account),
            onlyOurs.resolve("server"),
            Map.of("fsync", "off"))) {
      boolean root = new UnixSystem().getUid() == 0;
      assertThat(server.postmaster().info().user())
          .hasValue(root ? "nobody" : System.getProperty("user.name"));
      assertThat(version(server)).startsWith("PostgreSQL ");
      server.execute("CREATE TABLE kept (a int)");
      server.stopImmediately();
      assertThatThrownBy(server::connect).isInstanceOf(SQLException.class);
      server.startAgain();
      server.execute("SELECT a FROM kept");
    }
    assertThat(onlyOurs.resolve("server")).doesNotExist();
  }

  private static String version(PostgresServer server) throws SQLException {
    try (Connection connection = server.connect();
        ResultSet row = connection.createStatement().executeQuery("SELECT version()")) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  void aSettingThatIsWrong_isAnErrorWithTheWordsOfTheServer() {
    Account account = Account.unprivileged();
    Path programs = PostgresPrograms.find(account);
    assertThatThrownBy(
            () ->
                new PostgresServer(
                    account, programs, folder.resolve("s"), Map.of("max_connections", "-7")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("could not be started as " + account.name())
        .hasMessageContaining("max_connections");
  }

  @Test
  void systemInstallations_areFoundOnThePathAndWherePackagesPutThem() throws IOException {
    Path onThePath = program("opt/bin");
    Path nine = program("usr/lib/postgresql/9.6/bin");
    Path fifteen = program("usr/lib/postgresql/15/bin");
    Path other = program("usr/pgsql-17/bin");
    Files.createDirectories(folder.resolve("usr/lib/postgresql/16/bin")); // only its client

    assertThat(PostgresPrograms.installed("/nowhere:" + onThePath, folder))
        .containsExactly(onThePath, fifteen, nine, other);
  }

  private Path program(String bin) throws IOException {
    Path made = Files.createDirectories(folder.resolve(bin));
    Files.createFile(made.resolve("initdb"));
    return made;
  }
}
