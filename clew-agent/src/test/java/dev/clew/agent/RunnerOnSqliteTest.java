package dev.clew.agent;

import dev.clew.Session;
import dev.clew.sqlite.SqliteStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class RunnerOnSqliteTest extends RunnerContract {
  @TempDir Path folder;
  private SqliteStore store;

  @Override
  Session newSession() {
    store = SqliteStore.open(folder.resolve("clew.db"));
    return store.session("s");
  }

  @AfterEach
  void close() {
    store.close();
  }
}
