package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteVersionTest {
  @TempDir Path folder;

  @Test
  void anOldSqliteIsRefused_andWithSpringBootTheErrorNamesTheProperty() throws Exception {
    Path boot = Files.createDirectories(folder.resolve("org/springframework/boot"));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      assertThatThrownBy(() -> SqliteVersion.check("3.49.1", "chat.db", loader))
          .isInstanceOf(ClewException.StoreUnavailable.class)
          .hasMessageStartingWith("chat.db: the driver brings SQLite 3.49.1, ")
          .hasMessageEndingWith("use sqlite-jdbc with SQLite 3.51.3 or newer");
      Files.createFile(boot.resolve("SpringApplication.class"));
      assertThatThrownBy(() -> SqliteVersion.check("3.49.1", "chat.db", loader))
          .hasMessageContaining("set the property sqlite-jdbc.version of your build to 3.51.3.0");
      assertThatCode(() -> SqliteVersion.check("3.51.3", "chat.db", loader))
          .doesNotThrowAnyException();
    }
  }
}
