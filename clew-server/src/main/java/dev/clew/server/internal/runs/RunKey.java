package dev.clew.server.internal.runs;

import dev.clew.kit.Sha256;

/**
 * The name of a run. Immutable.
 *
 * @param owner whose it is
 * @param belongsTo what it goes with when that is deleted: its session, or itself
 * @param id its id
 */
public record RunKey(String owner, String belongsTo, String id) {
  /** A run that belongs to nothing else. */
  public static RunKey alone(String owner, String id) {
    return new RunKey(owner, id, id);
  }

  /** What the names of its records begin with. */
  String prefix() {
    return prefix(belongsTo) + Sha256.hex(id) + "/";
  }

  static String prefix(String belongsTo) {
    return "log/" + Sha256.hex(belongsTo) + "/";
  }
}
