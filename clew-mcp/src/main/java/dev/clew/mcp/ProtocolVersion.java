package dev.clew.mcp;

import java.util.List;

/** The versions of the protocol. Stateless. */
final class ProtocolVersion {
  /** Each request says everything; there is no {@code initialize}. */
  static final String STATELESS = "2026-07-28";

  /** The first is ours; clients that ask for another one of these get it. */
  private static final List<String> WITH_HANDSHAKE =
      List.of("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05");

  static final List<String> ALL = List.of(STATELESS, "2025-11-25", "2025-06-18", "2025-03-26");

  private ProtocolVersion() {}

  static boolean hasHandshake(String version) {
    return WITH_HANDSHAKE.contains(version);
  }

  static String negotiated(String asked) {
    return hasHandshake(asked) ? asked : WITH_HANDSHAKE.get(0);
  }
}
