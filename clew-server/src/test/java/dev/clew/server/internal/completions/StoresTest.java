package dev.clew.server.internal.completions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.server.operate.ServerRecords;
import dev.clew.testservers.PostgresServer;
import dev.clew.testservers.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every store recognizes sessions, and nothing is left when they are gone. */
class StoresTest {
  @TempDir Path folder;

  private String url(String kind) {
    return switch (kind) {
      case "jsonl" -> "jsonl:" + folder;
      case "sqlite" -> "sqlite:" + folder.resolve("c.db");
      case "postgres" -> PostgresServer.shared().newUrl();
      case "redis" -> RedisServer.shared().newUrl();
      default -> "memory:";
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "jsonl", "sqlite", "postgres", "redis"})
  void aConversationABranchAndAWindow_onEveryStore(String kind) {
    ScriptedModel model = new ScriptedModel();
    try (SessionStore store = Stores.open(url(kind));
        LiveServer live = new LiveServer(store, settings -> settings.model(model, "script"))) {
      ChatClient ann = new ChatClient(live, "ann").with("\"store\":true");
      for (int i = 0; i < 4; i++) {
        ann.say("message " + i);
      }
      List<SessionInfo> all = store.list(SessionQuery.of("ann")).sessions();
      assertThat(all).hasSize(1);
      SessionKey key = all.get(0).key();
      ann.copy().backTo(6).say("edited");
      ChatClient window = new ChatClient(live, "ann");
      ann.messages().subList(3, 8).forEach(window::add);
      window.say("five");

      assertThat(store.session(key).getItems()).hasSize(10);
      assertThat(store.list(SessionQuery.of("ann")).sessions()).hasSize(2);
      ann.call("DELETE", "/v1/conversations/" + key.id(), "");
      for (SessionInfo info : store.list(SessionQuery.of("ann")).sessions()) {
        ann.call("DELETE", "/v1/conversations/" + info.key().id(), "");
      }
      for (String prefix : List.of("chat/", "chats/", "completion/")) {
        assertThat(store.documents().walk("ann", prefix)).as(prefix).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "jsonl"})
  void anErasedSession_leavesNothing(String kind) {
    try (SessionStore store = Stores.open(url(kind));
        LiveServer live =
            new LiveServer(store, settings -> settings.model(new ScriptedModel(), "script"))) {
      ChatClient ann = new ChatClient(live, "ann").with("\"store\":true");
      ann.say("one");
      ann.say("two");
      new ChatClient(live, "ann").say("another");
      SessionKey key =
          store
              .list(SessionQuery.of("ann").order(SessionQuery.Order.CREATED))
              .sessions()
              .get(1)
              .key();
      List<String> names = new ArrayList<>();
      new ServerRecords().each(store.documents(), key, (owner, name) -> names.add(name));

      assertThat(names).hasSize(5);
    }
  }
}
