package dev.clew.redis;

import dev.clew.ClewException;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands and scripts on one server or a cluster, within a deadline. Thread-safe: all threads
 * share one connection and its pipeline.
 *
 * <p>A command that was certainly not executed, or that may be repeated, is tried again until the
 * deadline. A write whose reply is lost has an unknown outcome.
 *
 * <p>A client of the application may repeat commands by itself after a lost connection, and the
 * driver then mixes the two replies. So a reply is not trusted if a connection was lost meanwhile.
 */
final class Server {
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);
  private static final int SCANNED_AT_ONCE = 1000;
  private static final long FIRST_PAUSE_NANOS = 2_000_000;
  private static final long LONGEST_PAUSE_NANOS = 100_000_000;

  /** One or several commands that are sent together. */
  interface Commands<T> extends Function<RedisClusterAsyncCommands<byte[], byte[]>, T> {}

  private final AbstractRedisClient client;
  private final @Nullable ClientResources owned;
  private final StatefulConnection<byte[], byte[]> connection;
  private final RedisClusterAsyncCommands<byte[], byte[]> commands;
  private final RedisErrors errors;
  private final Duration deadline;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger lostConnections = new AtomicInteger();
  private final RedisConnectionStateListener watch =
      new RedisConnectionStateListener() {
        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
          lostConnections.incrementAndGet();
        }
      };
  private volatile boolean closed;

  private Server(
      AbstractRedisClient client,
      @Nullable ClientResources owned,
      StatefulConnection<byte[], byte[]> connection,
      RedisClusterAsyncCommands<byte[], byte[]> commands,
      RedisErrors errors,
      Duration deadline) {
    this.client = client;
    this.owned = owned;
    this.connection = connection;
    this.commands = commands;
    this.errors = errors;
    this.deadline = deadline;
    if (owned == null) {
      client.addListener(watch);
    }
  }

  static Server single(
      RedisClient client,
      StatefulRedisConnection<byte[], byte[]> connection,
      @Nullable ClientResources owned,
      RedisErrors errors,
      Duration deadline) {
    return new Server(client, owned, connection, connection.async(), errors, deadline);
  }

  static Server cluster(
      RedisClusterClient client,
      StatefulRedisClusterConnection<byte[], byte[]> connection,
      @Nullable ClientResources owned,
      RedisErrors errors,
      Duration deadline) {
    return new Server(client, owned, connection, connection.async(), errors, deadline);
  }

  /** The reply to a command that changes nothing or may be repeated. */
  <T> T get(byte[] key, Commands<? extends Future<T>> command) {
    return run(key, true, ends -> await(command.apply(commands), ends));
  }

  /** The replies to commands that change nothing, sent together. */
  <T> List<T> all(byte[] key, Commands<? extends List<? extends Future<T>>> several) {
    return run(
        key,
        true,
        ends -> {
          List<T> answers = new ArrayList<>();
          for (Future<T> future : several.apply(commands)) {
            answers.add(await(future, ends));
          }
          return answers;
        });
  }

  /** The reply to a command that changes nothing, created again for each try. */
  <T> T ask(byte[] key, Supplier<AsyncCommand<byte[], byte[], T>> command) {
    return run(
        key,
        true,
        ends -> {
          AsyncCommand<byte[], byte[], T> sent = command.get();
          connection.dispatch(sent);
          return await(sent, ends);
        });
  }

  /**
   * The replies to commands that change nothing, created again for each try and sent with one
   * flush.
   */
  <T> List<T> together(byte[] key, Supplier<List<AsyncCommand<byte[], byte[], T>>> several) {
    return run(
        key,
        true,
        ends -> {
          List<AsyncCommand<byte[], byte[], T>> sent = several.get();
          connection.dispatch(sent);
          // The last reply first, so that the thread is woken once.
          await(sent.get(sent.size() - 1), ends);
          List<T> answers = new ArrayList<>(sent.size());
          for (AsyncCommand<byte[], byte[], T> command : sent) {
            answers.add(await(command, ends));
          }
          return answers;
        });
  }

  /**
   * Runs a script that may be repeated: it changes nothing, or the same once more. An argument that
   * is a list stands for its elements.
   */
  Answer repeat(Script script, byte[][] keys, Object... arguments) {
    return run(keys[0], true, ends -> script(script, keys, arguments, ends));
  }

  /** Runs a script that must not be run twice. */
  Answer once(Script script, byte[][] keys, Object... arguments) {
    return run(keys[0], false, ends -> script(script, keys, arguments, ends));
  }

  private Answer script(Script script, byte[][] keys, Object[] arguments, long ends)
      throws Exception {
    List<byte[]> flat = new ArrayList<>();
    add(flat, List.of(arguments));
    byte[][] encoded = flat.toArray(byte[][]::new);
    ScriptOutputType type = ScriptOutputType.MULTI;
    try {
      return new Answer(await(commands.evalsha(script.digest(), type, keys, encoded), ends));
    } catch (RedisNoScriptException e) {
      return new Answer(await(commands.eval(script.text(), type, keys, encoded), ends));
    }
  }

  /** Adds a value, or all values of a list. */
  private static void add(List<byte[]> encoded, Object value) {
    if (value instanceof List<?> several) {
      several.forEach(each -> add(encoded, each));
    } else {
      encoded.add(Wire.bytes(value));
    }
  }

  private interface Attempt<T> {
    T make(long ends) throws Exception;
  }

  private <T> T run(byte[] key, boolean repeatable, Attempt<T> attempt) {
    inFlight.incrementAndGet();
    try {
      long ends = System.nanoTime() + deadline.toNanos();
      long pause = FIRST_PAUSE_NANOS;
      while (true) {
        if (closed) {
          throw errors.closed();
        }
        try {
          int lost = lostConnections.get();
          T answer = attempt.make(ends);
          if (lost == lostConnections.get()) {
            return answer;
          }
          if (!repeatable) {
            throw errors.outcomeUnknown(null);
          }
          if (System.nanoTime() + pause > ends) {
            throw errors.unavailable(
                new TimeoutException("the connection was lost"), Wire.text(key));
          }
        } catch (ClewException e) {
          throw e;
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw repeatable ? errors.unavailable(e, Wire.text(key)) : errors.outcomeUnknown(e);
        } catch (Exception e) {
          boolean again = repeatable || RedisErrors.isNotDone(e);
          if (!again) {
            throw errors.outcomeUnknown(e);
          }
          boolean late = e instanceof TimeoutException || System.nanoTime() + pause > ends;
          if (closed && !(e instanceof RedisCommandExecutionException)) {
            throw errors.closed();
          }
          if (late || !RedisErrors.isPassing(e)) {
            throw errors.unavailable(e, Wire.text(key));
          }
        }
        LockSupport.parkNanos(pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2));
        pause = Math.min(pause * 2, LONGEST_PAUSE_NANOS);
      }
    } finally {
      inFlight.decrementAndGet();
    }
  }

  /** Waits for a reply until a time of {@link System#nanoTime}. */
  static <T> T await(Future<T> future, long ends) throws Exception {
    try {
      return future.get(Math.max(1, ends - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } catch (TimeoutException | CancellationException | InterruptedException e) {
      future.cancel(true); // so that it is not sent later
      throw e;
    }
  }

  /** The names of the keys that match a pattern and start with a text, on every node. */
  List<String> scan(String start, String pattern) {
    ScanArgs matching = ScanArgs.Builder.matches(pattern).limit(SCANNED_AT_ONCE);
    List<String> names = new ArrayList<>();
    ScanCursor cursor = ScanCursor.INITIAL;
    while (!cursor.isFinished()) {
      ScanCursor from = cursor;
      KeyScanCursor<byte[]> page = get(Wire.bytes(start), redis -> redis.scan(from, matching));
      page.getKeys().forEach(key -> names.add(Wire.text(key)));
      cursor = page;
    }
    return names;
  }

  /** The values of a setting on all primaries. */
  List<String> config(String name) {
    if (connection instanceof StatefulRedisClusterConnection<byte[], byte[]> cluster) {
      List<String> values = new ArrayList<>();
      for (var node : cluster.getPartitions()) {
        if (node.is(RedisClusterNode.NodeFlag.UPSTREAM)) {
          values.addAll(
              get(
                      new byte[0],
                      redis -> cluster.getConnection(node.getNodeId()).async().configGet(name))
                  .values());
        }
      }
      return values;
    }
    return List.copyOf(get(new byte[0], redis -> redis.configGet(name)).values());
  }

  /** Whether the driver may repeat a command without a reply. */
  boolean repeatsByItself() {
    return owned == null && client.getOptions().isAutoReconnect();
  }

  /** A connection for messages, owned by the caller. */
  StatefulRedisPubSubConnection<byte[], byte[]> listen() {
    if (closed) {
      throw errors.closed();
    }
    return client instanceof RedisClusterClient cluster
        ? cluster.connectPubSub(ByteArrayCodec.INSTANCE)
        : ((RedisClient) client).connectPubSub(ByteArrayCodec.INSTANCE);
  }

  /** Waits for running calls, then closes what is ours. */
  void close() {
    closed = true;
    long patience = System.nanoTime() + CLOSE_PATIENCE.toNanos();
    while (inFlight.get() > 0 && System.nanoTime() < patience) {
      LockSupport.parkNanos(1_000_000);
    }
    connection.close();
    client.removeListener(watch);
    if (owned != null) {
      client.shutdown(0, 1, TimeUnit.SECONDS);
      end(owned);
    }
  }

  /** Ends the driver's threads. */
  static void end(ClientResources resources) {
    resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }
}
