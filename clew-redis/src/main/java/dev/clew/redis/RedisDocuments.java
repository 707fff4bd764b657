package dev.clew.redis;

import dev.clew.Documents;
import dev.clew.kit.Conflicts;
import dev.clew.kit.TextOrder;
import dev.clew.kit.TimeToLive;
import io.lettuce.core.KeyValue;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.Range.Boundary;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Documents as fields of a hash for each owner. Thread-safe. */
record RedisDocuments(Server server, Keys keys, Registry registry, Clock clock)
    implements Documents {
  /** The start of the entries for owners in the list of what may expire. */
  static final String DUE = "r:";

  @Override
  public Optional<Document> get(String owner, String name) {
    byte[] documents = keys.documents(owner)[0];
    byte[] found = server.get(documents, redis -> redis.hget(documents, Wire.bytes(name)));
    return found == null ? Optional.empty() : read(owner, name, found);
  }

  /** The document, unless it has expired. */
  private Optional<Document> read(String owner, String name, byte[] value) {
    String[] fields = Wire.text(value).split(" ", 3);
    Optional<Instant> ends =
        fields[1].isEmpty()
            ? Optional.empty()
            : Optional.of(Instant.ofEpochMilli(Long.parseLong(fields[1])));
    if (ends.isPresent() && ends.get().toEpochMilli() <= clock.millis()) {
      return Optional.empty();
    }
    return Optional.of(new Document(owner, name, fields[2], Long.parseLong(fields[0]), ends));
  }

  @Override
  public Document put(
      String owner,
      String name,
      String json,
      OptionalLong expectedVersion,
      Optional<Duration> timeToLive) {
    Instant now = Instant.ofEpochMilli(clock.millis());
    Optional<Instant> ends = timeToLive.map(life -> TimeToLive.end(now, life));
    String end = ends.map(at -> Long.toString(at.toEpochMilli())).orElse("");
    String place = DUE + Keys.ownerHash(owner);
    boolean registered = false;
    while (true) {
      Answer answer =
          server.once(
              Script.RECORD,
              keys.documents(owner),
              "put",
              now.toEpochMilli(),
              name,
              registered,
              expectedVersion.isPresent() ? expectedVersion.getAsLong() : "",
              end,
              json);
      if (answer.status().equals("REGISTER")) {
        registry.register(owner, place, end);
        registered = true;
        continue;
      }
      long version = answer.number(1);
      if (answer.status().equals("VERSION")) {
        throw Conflicts.document(owner, name, expectedVersion.orElse(0), version);
      }
      if (registered) {
        registry.register(owner, place, end);
      }
      return new Document(owner, name, json, version, ends);
    }
  }

  @Override
  public boolean delete(String owner, String name) {
    return server
        .once(Script.RECORD, keys.documents(owner), "delete", clock.millis(), name)
        .status()
        .equals("OK");
  }

  @Override
  public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
    byte[][] of = keys.documents(owner);
    List<Document> page = new ArrayList<>();
    boolean later = after.isPresent() && TextOrder.BY_CODE_POINT.compare(after.get(), prefix) > 0;
    Boundary<byte[]> from =
        later
            ? Boundary.excluding(Wire.bytes(after.get()))
            : Boundary.including(Wire.bytes(prefix));
    while (true) {
      Boundary<byte[]> start = from;
      List<byte[]> names =
          server.get(
              of[1],
              redis ->
                  redis.zrangebylex(
                      of[1], Range.from(start, Boundary.<byte[]>unbounded()), Limit.from(limit)));
      if (names.isEmpty()) {
        return page;
      }
      List<KeyValue<byte[], byte[]>> values =
          server.get(of[0], redis -> redis.hmget(of[0], names.toArray(byte[][]::new)));
      for (int i = 0; i < names.size(); i++) {
        String name = Wire.text(names.get(i));
        if (!name.startsWith(prefix) || page.size() == limit) {
          return page;
        }
        if (values.get(i).hasValue() && after.filter(name::equals).isEmpty()) {
          read(owner, name, values.get(i).getValue()).ifPresent(page::add);
        }
      }
      from = Boundary.excluding(names.get(names.size() - 1));
    }
  }
}
