package dev.clew.redis;

import io.lettuce.core.ScoredValue;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.DoubleOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.MapOutput;
import io.lettuce.core.output.ScoredValueListOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Map;

/** Commands that read, to be sent together with one flush. Stateless. */
final class Ask {
  private static final ByteArrayCodec CODEC = ByteArrayCodec.INSTANCE;

  private Ask() {}

  private static <T> AsyncCommand<byte[], byte[], T> command(
      CommandType type, CommandOutput<byte[], byte[], T> output, byte[] key, Object... arguments) {
    CommandArgs<byte[], byte[]> args = new CommandArgs<>(CODEC).addKey(key);
    for (Object argument : arguments) {
      args.add(Wire.bytes(argument));
    }
    return new AsyncCommand<>(new Command<>(type, output, args));
  }

  /** Values of a command that replies with values. */
  static AsyncCommand<byte[], byte[], List<byte[]>> values(
      CommandType type, byte[] key, Object... arguments) {
    return command(type, new ValueListOutput<>(CODEC), key, arguments);
  }

  /** Members with their scores. */
  static AsyncCommand<byte[], byte[], List<ScoredValue<byte[]>>> scored(
      CommandType type, byte[] key, Object... arguments) {
    return command(type, new ScoredValueListOutput<>(CODEC), key, arguments);
  }

  /** The fields that say whether a session exists. */
  static AsyncCommand<byte[], byte[], List<byte[]>> head(byte[] session) {
    return values(CommandType.HMGET, session, (Object[]) Head.FIELDS);
  }

  /** The newest members of a session's list, without its head. */
  static AsyncCommand<byte[], byte[], List<byte[]>> newest(byte[] items, long limit) {
    return values(CommandType.LRANGE, items, 1, limit);
  }

  /** The head and the newest items of a session's list. */
  static AsyncCommand<byte[], byte[], Newest> newestItems(byte[] items, int limit) {
    return command(CommandType.LRANGE, new Newest.Output(), items, 0, limit);
  }

  static AsyncCommand<byte[], byte[], Map<byte[], byte[]>> hash(byte[] key) {
    return command(CommandType.HGETALL, new MapOutput<>(CODEC), key);
  }

  static AsyncCommand<byte[], byte[], byte[]> field(byte[] key, String name) {
    return command(CommandType.HGET, new ValueOutput<>(CODEC), key, name);
  }

  /** The score of a member, or null. */
  static AsyncCommand<byte[], byte[], Double> score(byte[] key, String member) {
    return command(CommandType.ZSCORE, new DoubleOutput<>(CODEC), key, member);
  }

  static AsyncCommand<byte[], byte[], Long> exists(byte[] key) {
    return command(CommandType.EXISTS, new IntegerOutput<>(CODEC), key);
  }
}
