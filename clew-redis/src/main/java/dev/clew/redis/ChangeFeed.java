package dev.clew.redis;

import dev.clew.ClewException;
import dev.clew.SessionKey;
import dev.clew.kit.ChangeWatch;
import io.lettuce.core.RedisException;
import io.lettuce.core.SetArgs;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds changes by other processes through a connection that subscribes to the watched sessions.
 * Thread-safe.
 *
 * <p>A cluster sends a published message to all its nodes, so scripts publish only while a key says
 * that the session is watched. A message is only a hint: every {@value #LOOK_MILLIS} ms the
 * versions of the watched sessions are compared as well, so that nothing is missed while the
 * connection is down. A read-only store only compares, because it cannot write that key.
 */
final class ChangeFeed extends ChangeWatch {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);
  private static final int LOOK_MILLIS = 500;
  private static final long WATCH_MILLIS = 30_000;
  private static final int REFRESH_LOOKS = 20;
  private static final long SEND_NANOS = 2_000_000_000L;

  private final Server server;
  private final Keys keys;
  private final boolean readOnly;
  private final Map<String, SessionKey> channels = new ConcurrentHashMap<>();
  private final Map<SessionKey, Long> versions = new ConcurrentHashMap<>();
  private @Nullable StatefulRedisPubSubConnection<byte[], byte[]> connection; // of the thread

  ChangeFeed(Server server, Keys keys, boolean readOnly) {
    super("clew-redis-listen");
    this.server = server;
    this.keys = keys;
    this.readOnly = readOnly;
  }

  /** Subscribes to a session at once, if it is watched and not subscribed to yet. */
  void listenTo(SessionKey key) {
    if (!readOnly && !channels.containsKey(channel(keys.of(key)))) {
      unpark();
    }
  }

  private static String channel(Keys.OfSession of) {
    return Wire.text(of.watch);
  }

  @Override
  protected void run() {
    for (int look = 0; !isClosed(); look++) {
      try {
        Set<SessionKey> watched = watched();
        if (!readOnly) {
          subscribe(watched, look % REFRESH_LOOKS == 0);
        }
        look(watched);
      } catch (ClewException.Closed e) {
        break;
      } catch (ClewException | RedisException e) {
        LOG.debug("could not look for changes; trying again", e);
      } catch (RuntimeException | Error e) { // keep the thread alive
        LOG.error("could not look for changes; trying again", e);
      }
      if (!isClosed()) {
        LockSupport.parkNanos(this, LOOK_MILLIS * 1_000_000L);
      }
    }
    if (connection != null) {
      connection.close();
    }
  }

  private void subscribe(Set<SessionKey> watched, boolean refresh) {
    if (watched.isEmpty() && connection == null) {
      return;
    }
    StatefulRedisPubSubConnection<byte[], byte[]> listening = connect();
    Set<String> wanted = new HashSet<>();
    List<Keys.OfSession> marks = new ArrayList<>();
    List<byte[]> added = new ArrayList<>();
    for (SessionKey key : watched) {
      Keys.OfSession of = keys.of(key);
      String channel = channel(of);
      wanted.add(channel);
      boolean isNew = channels.put(channel, key) == null;
      if (isNew) {
        added.add(of.watch);
      }
      if (isNew || refresh) {
        marks.add(of);
      }
    }
    List<byte[]> removed = new ArrayList<>();
    channels
        .keySet()
        .removeIf(channel -> !wanted.contains(channel) && removed.add(Wire.bytes(channel)));
    if (!added.isEmpty()) {
      try {
        send(listening.async().subscribe(added.toArray(byte[][]::new)));
      } catch (RedisException e) {
        added.forEach(channel -> channels.remove(Wire.text(channel)));
        throw e;
      }
    }
    if (!removed.isEmpty()) {
      send(listening.async().unsubscribe(removed.toArray(byte[][]::new)));
    }
    if (!marks.isEmpty()) {
      server.all(
          marks.get(0).watch,
          redis -> {
            List<Future<String>> sent = new ArrayList<>();
            marks.forEach(
                of -> sent.add(redis.set(of.watch, new byte[0], SetArgs.Builder.px(WATCH_MILLIS))));
            return sent;
          });
    }
  }

  private static void send(Future<Void> command) {
    try {
      Server.await(command, System.nanoTime() + SEND_NANOS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new RedisException("could not change what is listened to", e);
    }
  }

  private StatefulRedisPubSubConnection<byte[], byte[]> connect() {
    StatefulRedisPubSubConnection<byte[], byte[]> listening = connection;
    if (listening == null) {
      listening = server.listen();
      listening.addListener(
          new RedisPubSubAdapter<byte[], byte[]>() {
            @Override
            public void message(byte[] channel, byte[] version) {
              SessionKey key = channels.get(Wire.text(channel));
              if (key != null) {
                changed(key);
              }
            }
          });
      connection = listening;
    }
    return listening;
  }

  private void look(Set<SessionKey> watched) {
    if (watched.isEmpty()) {
      versions.clear();
      return;
    }
    List<SessionKey> order = List.copyOf(watched);
    List<byte[]> found =
        server.together(
            keys.of(order.get(0)).session,
            () -> order.stream().map(key -> Ask.field(keys.of(key).session, "version")).toList());
    for (int i = 0; i < order.size(); i++) {
      byte[] text = found.get(i);
      long now = text == null ? 0 : Wire.number(text);
      Long before = versions.put(order.get(i), now);
      if (before == null || before != now) {
        changed(order.get(i));
      }
    }
    versions.keySet().retainAll(watched);
  }
}
