package dev.clew.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Durability;
import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.Stores;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of a store, in the builder and in its URL. */
class SettingsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1st",
        "a b",
        "a-b",
        "a.b",
        "a;DROP TABLE x",
        "a\"b",
        "sqlite_x",
        "SQLite_x",
        "clew_x",
        "naïve"
      })
  void aTableNameThatIsNoneIsRefused(String name) {
    assertThatThrownBy(() -> SqliteStore.builder(":memory:").messagesTable(name).open())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + name + "'");
    assertThatThrownBy(() -> SqliteStore.builder(":memory:").sessionsTable(name).open())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + name + "'");
  }

  @Test
  void aTableNameThatIsAWordOfSqlIsRefused() {
    assertThatThrownBy(() -> SqliteStore.builder(":memory:").messagesTable("order").open())
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("\"order\"");
  }

  @Test
  void theFileAndTheTablesCanBeReadBack() {
    String file = folder.resolve("chat.db").toString();
    try (SqliteStore store =
        SqliteStore.builder(file).sessionsTable("chats").messagesTable("lines").open()) {
      assertThat(store.path()).isEqualTo(file);
      assertThat(store.sessionsTable()).isEqualTo("chats");
      assertThat(store.messagesTable()).isEqualTo("lines");
    }
    try (SqliteStore store = SqliteStore.open(":memory:")) {
      assertThat(store.path()).isEqualTo(":memory:");
      assertThat(store.sessionsTable()).isEqualTo("agent_sessions");
      assertThat(store.messagesTable()).isEqualTo("agent_messages");
    }
  }

  @Test
  void oneNameForBothTablesIsRefused() {
    assertThatThrownBy(
            () -> SqliteStore.builder(":memory:").sessionsTable("t").messagesTable("T").open())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("both");
  }

  @Test
  void theUrlHasEverySettingOfTheBuilder() {
    String url =
        "sqlite:"
            + folder.resolve("url.db")
            + "?sessions_table=my_s&messages_table=my_m&limit=2&synchronous=normal"
            + "&busy_timeout=2s&ttl=30d&cache_mb=1";
    try (SessionStore store = Stores.open(url)) {
      store.session("s").addItems(List.of(Item.user("1"), Item.user("2"), Item.user("3")));
      assertThat(store.session("s").getItems()).hasSize(2);
      assertThat(store.traits().durability()).isEqualTo(Durability.PROCESS_CRASH);
      assertThat(store.session("s").info().orElseThrow().timeToLive())
          .contains(Duration.ofDays(30));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "journal=off",
        "synchronous=off",
        "limit=-1",
        "limit=x",
        "ttl=soon",
        "ttl=0s",
        "cache_mb=",
        "limit",
        "limit=1&limit=2"
      })
  void aParameterThatIsUnknownOrWrongIsRefusedNamingIt(String parameter) {
    Path file = folder.resolve("url.db");
    assertThatThrownBy(() -> Stores.open("sqlite:" + file + "?" + parameter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(parameter.replaceFirst("=.*", ""));
    assertThat(file).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"//x.db", "///x.db", "////x.db"})
  void aPathWithTwoSlashesIsRefusedWithBothThatMayHaveBeenMeant(String path) {
    assertThatThrownBy(() -> Stores.open("sqlite:" + path))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            path, "sqlite:x.db for a file in the current folder", "sqlite:/x.db");
    assertThat(Path.of("/x.db")).doesNotExist();
  }

  @Test
  void aSchemeMayBeWrittenInCapitals() {
    Path file = folder.resolve("Capitals.db");
    Stores.open("SQLITE:" + file).close();
    assertThat(file).isRegularFile();
  }

  @Test
  void anEmptyPathIsRefused() {
    assertThatThrownBy(() -> Stores.open("sqlite:"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(":memory:");
  }
}
