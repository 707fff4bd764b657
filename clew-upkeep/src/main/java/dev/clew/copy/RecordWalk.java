package dev.clew.copy;

import dev.clew.Records;
import dev.clew.Records.StoredRecord;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Goes through the records of an owner by name, in bounded steps. Stateless. */
public final class RecordWalk {
  /** How many are read at once. */
  public static final int PAGE = 100;

  private RecordWalk() {}

  /** Calls for each record. */
  public static void forEach(Records records, String owner, Consumer<StoredRecord> action) {
    forEach(records, owner, "", action);
  }

  /** Calls for each record whose name starts with a prefix. */
  public static void forEach(
      Records records, String owner, String prefix, Consumer<StoredRecord> action) {
    List<StoredRecord> page = records.list(owner, prefix, Optional.empty(), PAGE);
    while (!page.isEmpty()) {
      page.forEach(action);
      page = records.list(owner, prefix, Optional.of(page.get(page.size() - 1).name()), PAGE);
    }
  }
}
