package dev.clew.server.internal.runs;

import dev.clew.kit.Sha256;

/**
 * The name of a run. Immutable.
 *
 * @param belongsTo what it is deleted with: a session or itself
 */
public record RunKey(String owner, String belongsTo, String id) {
  /** A run that is deleted only by itself. */
  public static RunKey alone(String owner, String id) {
    return new RunKey(owner, id, id);
  }

  String prefix() {
    return prefix(belongsTo) + Sha256.hex(id) + "/";
  }

  static String prefix(String belongsTo) {
    return "log/" + Sha256.hex(belongsTo) + "/";
  }
}
