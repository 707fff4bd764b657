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

  static CommandArgs<byte[], byte[]> args(byte[] key) {
    return new CommandArgs<>(CODEC).addKey(key);
  }

  static <T> AsyncCommand<byte[], byte[], T> command(
      CommandType type, CommandOutput<byte[], byte[], T> output, CommandArgs<byte[], byte[]> args) {
    return new AsyncCommand<>(new Command<>(type, output, args));
  }

  /** Values of a command that answers with values. */
  static AsyncCommand<byte[], byte[], List<byte[]>> values(
      CommandType type, CommandArgs<byte[], byte[]> args) {
    return command(type, new ValueListOutput<>(CODEC), args);
  }

  /** Members with their scores. */
  static AsyncCommand<byte[], byte[], List<ScoredValue<byte[]>>> scored(
      CommandType type, CommandArgs<byte[], byte[]> args) {
    return command(type, new ScoredValueListOutput<>(CODEC), args);
  }

  /** What says whether a session exists. */
  static AsyncCommand<byte[], byte[], List<byte[]>> head(byte[] session) {
    return values(CommandType.HMGET, args(session).addValues(Head.FIELDS));
  }

  /** The newest members of a session's list, without its head. */
  static AsyncCommand<byte[], byte[], List<byte[]>> newest(byte[] items, long limit) {
    return values(CommandType.LRANGE, args(items).add(1).add(limit));
  }

  /** The head and the newest items of a session's list. */
  static AsyncCommand<byte[], byte[], Newest> newestItems(byte[] items, int limit) {
    return command(CommandType.LRANGE, new Newest.Output(), args(items).add(0).add(limit));
  }

  static AsyncCommand<byte[], byte[], Map<byte[], byte[]>> hash(byte[] key) {
    return command(CommandType.HGETALL, new MapOutput<>(CODEC), args(key));
  }

  static AsyncCommand<byte[], byte[], byte[]> field(byte[] key, byte[] name) {
    return command(CommandType.HGET, new ValueOutput<>(CODEC), args(key).addValue(name));
  }

  /** The score of a member, or null. */
  static AsyncCommand<byte[], byte[], Double> score(byte[] key, byte[] member) {
    return command(CommandType.ZSCORE, new DoubleOutput<>(CODEC), args(key).addValue(member));
  }

  static AsyncCommand<byte[], byte[], Long> exists(byte[] key) {
    return command(CommandType.EXISTS, new IntegerOutput<>(CODEC), args(key));
  }
}
