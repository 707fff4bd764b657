package dev.clew.jsonl;

import dev.clew.Leases.Grant;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.kit.state.Guard;
import dev.clew.kit.state.LeaseTable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the leases in a file, so that they survive the process. Thread-safe.
 *
 * <pre>
 * {"type":"lease","data":{"owner":"","key":"feishu:oc_xxx","name":"turn","holder":"…","fence":7,
 *  "expires":1767225630000,"released":false},"crc":"…"}
 * </pre>
 *
 * Only the first line is synced: a power loss ends every holder too, since all of them use this
 * process. Fences still only grow, because the first one after opening skips as many as may have
 * been lost.
 */
final class JsonlLeases {
  private static final long LOST_AT_MOST = 1_000_000;

  /** How long an expired lease can be renewed if nobody takes it. */
  private static final Duration KEPT = Duration.ofDays(1);

  private final SideFile file;
  private final Guard guard;
  private final Clock clock;
  private final LeaseTable table;

  JsonlLeases(SideFile file, Guard guard, Clock clock) {
    this.file = file;
    this.guard = guard;
    this.clock = clock;
    this.table = new LeaseTable(guard, clock, this::write);
    List<Line> lines = file.read();
    for (Line line : lines) {
      Map<String, String> data = Json.fields(line.data());
      long fence = Long.parseLong(data.getOrDefault("fence", "0"));
      if (line.type().equals("lease")) {
        table.restore(parse(data, fence));
      }
      table.skipTo(fence);
    }
    if (!lines.isEmpty()) {
      table.skipTo(table.lastFence() + LOST_AT_MOST);
    }
  }

  LeaseTable table() {
    return table;
  }

  private static LeaseTable.Held parse(Map<String, String> data, long fence) {
    SessionKey key = new SessionKey(text(data, "owner"), text(data, "key"));
    Instant end = Instant.ofEpochMilli(Long.parseLong(data.getOrDefault("expires", "0")));
    Grant grant = new Grant(key, text(data, "name"), text(data, "holder"), fence, end);
    return new LeaseTable.Held(grant, "true".equals(data.get("released")));
  }

  private static String text(Map<String, String> data, String name) {
    String text = Json.string(data.get(name));
    return text == null ? "" : text;
  }

  private void write(LeaseTable.Held held) {
    if (file.isGrown()) {
      rewrite();
    }
    file.append(line(held), file.size() == 0); // the file itself must not be lost
  }

  private static String line(LeaseTable.Held held) {
    Grant grant = held.grant();
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("owner", grant.key().owner());
    data.put("key", grant.key().id());
    data.put("name", grant.name());
    data.put("holder", grant.holder());
    data.put("fence", grant.fence());
    data.put("expires", grant.expiresAt().toEpochMilli());
    data.put("released", held.released());
    return "{\"type\":\"lease\",\"data\":" + Json.write(data);
  }

  /** Drops outdated lines. Called under the guard. */
  private void rewrite() {
    Instant since = clock.instant().minus(KEPT);
    List<String> lines = new ArrayList<>();
    lines.add("{\"type\":\"fence\",\"data\":{\"fence\":" + table.lastFence() + "}");
    for (LeaseTable.Held held : table.all()) {
      if (held.isHeldAt(since)) {
        lines.add(line(held));
      } else {
        table.forgetIdle(held.grant().key(), since);
      }
    }
    file.rewrite(lines);
  }

  /** The newest fence of a lease; 0 if it was never taken. */
  long fence(SessionKey key, String name) {
    return guard.read(() -> table.fence(key, name));
  }

  /** Drops the leases of a session that nobody holds. */
  void forgetIdle(SessionKey key) {
    guard.write(
        () -> {
          table.forgetIdle(key, clock.instant());
          return key;
        });
  }

  /** Drops every lease of an owner, from the file too. */
  void erase(String owner) {
    guard.write(
        () -> {
          table.erase(owner);
          if (file.size() > 0) {
            rewrite();
          }
          return owner;
        });
  }
}
