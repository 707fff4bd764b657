package dev.clew.memory;

import dev.clew.ClewException;
import dev.clew.Documents;
import dev.clew.Documents.Document;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** Documents are written, compared and removed at one instant. */
@Param(name = "name", gen = IntGen.class, conf = "0:1")
@Param(name = "value", gen = IntGen.class, conf = "0:3")
@Param(name = "version", gen = IntGen.class, conf = "0:4")
public class RecordOperations {
  private final MemoryStore store =
      MemoryStore.builder().clock(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC)).build();
  private final Documents records = store.documents();

  @Operation
  public long put(@Param(name = "name") int name, @Param(name = "value") int value) {
    return put(name, value, OptionalLong.empty()).version();
  }

  @Operation
  public long putIf(
      @Param(name = "name") int name,
      @Param(name = "value") int value,
      @Param(name = "version") int version) {
    try {
      return put(name, value, OptionalLong.of(version)).version();
    } catch (ClewException.VersionConflict e) {
      return -1;
    }
  }

  private Document put(int name, int value, OptionalLong version) {
    return records.put("", "r" + name, String.valueOf(value), version, Optional.empty());
  }

  @Operation
  public String get(@Param(name = "name") int name) {
    return records
        .get("", "r" + name)
        .map(record -> record.json() + " " + record.version())
        .orElse("none");
  }

  @Operation
  public boolean delete(@Param(name = "name") int name) {
    return records.delete("", "r" + name);
  }

  @Operation
  public String list() {
    StringBuilder found = new StringBuilder();
    for (Document record : records.list("", "r", Optional.empty(), 10)) {
      found.append(record.name()).append('=').append(record.json()).append(' ');
    }
    return found.toString();
  }

  /** The same in the simplest way, for one thread. */
  public static class Model {
    private record Value(int value, long version) {}

    private final Map<Integer, Value> records = new TreeMap<>();
    private long lastVersion;

    public long put(int name, int value) {
      records.put(name, new Value(value, ++lastVersion));
      return lastVersion;
    }

    public long putIf(int name, int value, int version) {
      Value before = records.get(name);
      return version == (before == null ? 0 : before.version()) ? put(name, value) : -1;
    }

    public String get(int name) {
      Value value = records.get(name);
      return value == null ? "none" : value.value() + " " + value.version();
    }

    public boolean delete(int name) {
      return records.remove(name) != null;
    }

    public String list() {
      StringBuilder found = new StringBuilder();
      records.forEach((name, value) -> found.append("r" + name + "=" + value.value() + " "));
      return found.toString();
    }
  }
}
