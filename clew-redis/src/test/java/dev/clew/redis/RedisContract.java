package dev.clew.redis;

import dev.clew.SessionStore;
import dev.clew.tck.Damager;
import dev.clew.tck.StoreContract;
import dev.clew.tck.StoreOptions;
import dev.clew.testservers.RedisCluster;
import dev.clew.testservers.RedisServer;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The contract on a real server, of whatever kind. */
abstract class RedisContract extends StoreContract {
  private String prefix = "";

  abstract String url(String prefix);

  /** Asks the server behind the store's back. */
  abstract void ask(Consumer<RedisClusterCommands<String, String>> question);

  @Override
  protected SessionStore open(StoreOptions options) {
    prefix = RedisServer.newPrefix();
    return openPrefix(options);
  }

  @Override
  protected Optional<SessionStore> reopen(StoreOptions options) {
    return Optional.of(openPrefix(options));
  }

  @Override
  protected Optional<Damager> damager(SessionStore damaged) {
    return Optional.of(
        (key, position) -> {
          String items = Wire.text(new Keys(prefix).of(key).items);
          ask(
              redis -> {
                List<String> members = redis.lrange(items, 0, -1);
                for (int i = 0; i < members.size(); i++) {
                  if (members.get(i).startsWith(position + " ")) {
                    redis.lset(items, i, spoil(members.get(i)));
                  }
                }
              });
        });
  }

  /** Another text with the same fields before it. */
  private static String spoil(String member) {
    return member.substring(0, member.indexOf('{')) + "{\"spoilt";
  }

  private SessionStore openPrefix(StoreOptions options) {
    RedisStore.Builder builder =
        RedisStore.builder(url(prefix))
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return builder.open();
  }

  static void askCluster(Consumer<RedisClusterCommands<String, String>> question) {
    RedisClusterClient client =
        RedisClusterClient.create("redis://127.0.0.1:" + RedisCluster.ports().get(0));
    try (var connection = client.connect()) {
      question.accept(connection.sync());
    } finally {
      client.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }
}
