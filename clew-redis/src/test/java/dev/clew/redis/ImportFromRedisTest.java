package dev.clew.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Item;
import dev.clew.imports.BadSource;
import dev.clew.imports.Import;
import dev.clew.imports.ImportFormats;
import dev.clew.imports.ImportListener;
import dev.clew.imports.ImportReport;
import dev.clew.imports.ImportReport.Outcome;
import dev.clew.memory.MemoryStore;
import dev.clew.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Lists as {@code RedisSession} of the Agents SDK writes them, and those of seed 000. */
class ImportFromRedisTest {
  private final MemoryStore store = new MemoryStore();

  private ImportReport run(String url) {
    return Import.of(ImportFormats.of(url).orElseThrow(), url, store).run(ImportListener.NONE);
  }

  private static String message(int n) {
    return "{\"role\": \"user\", \"content\": \"m" + n + "\"}";
  }

  @Test
  void bothLayouts_comeItemForItem() {
    RedisServer server = RedisServer.start();
    String url = "redis://localhost:" + server.port() + "/3";
    try (RedisClient client = RedisClient.create(url);
        StatefulRedisConnection<String, String> connection = client.connect()) {
      RedisCommands<String, String> redis = connection.sync();
      redis.hset(
          "agents:session:user:1", Map.of("session_id", "user:1", "created_at", "1700000000"));
      redis.set("agents:session:user:1:counter", "1200");
      redis.rpush(
          "agents:session:user:1:messages",
          IntStream.range(0, 1200).mapToObj(ImportFromRedisTest::message).toArray(String[]::new));
      redis.rpush("agents:session:user:1:messages", "{broken");
      redis.rpush("agent:session:old:history", message(1), message(2));
      redis.set("agent:session:strange:history", "no list");
      redis.rpush("other:{1}:messages", message(7));
      ImportReport report = run(url);

      assertThat(report.count(Outcome.IMPORTED)).isEqualTo(2);
      List<Item> items = store.session("user:1").getItems();
      assertThat(items).hasSize(1200);
      assertThat(items.get(1199)).isEqualTo(Item.parse(message(1199)));
      assertThat(store.session("old").getItems()).hasSize(2);
      assertThat(String.valueOf(store.session("user:1").info().orElseThrow().metadata()))
          .contains("created_at=1700000000");
      assertThat(store.session("user:1").info().orElseThrow().createdAt())
          .isEqualTo(Instant.ofEpochSecond(1_700_000_000));
      assertThat(report.losses()).hasSize(2);
      assertThat(report.losses().get(1).places().get(0))
          .contains("agents:session:user:1:messages, index 1200");
      assertThat(run(url).count(Outcome.ALREADY_THERE)).isEqualTo(2);
      assertThat(run(url + "?prefix=other").count(Outcome.IMPORTED)).isEqualTo(1);
      assertThatThrownBy(() -> run(url + "?prefix=nobody"))
          .isInstanceOf(BadSource.class)
          .hasMessageContaining("nobody:ID:messages");
    } finally {
      server.stop();
    }
  }
}
