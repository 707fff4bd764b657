package dev.clew.mcptools;

import dev.clew.json.Json;
import java.time.Duration;

/** How much a server may send, and how long it may take. Stateless. */
final class Bounds {
  /** The longest message, in bytes. */
  static final int MESSAGE = 4 << 20;

  /** What a process may write before it answers a request, in bytes. */
  static final long UNASKED = 64L << 20;

  static final Duration CONNECT = Duration.ofSeconds(5);
  static final Duration LIST = Duration.ofSeconds(30);

  static final int PAGES = 20;
  static final int TOOLS = 512;
  static final int LISTING_CHARS = 1 << 20;
  static final int NAME_CHARS = 128;
  static final int DESCRIPTION_CHARS = 8_000;
  static final int SCHEMA_CHARS = 64 << 10;
  static final int TEXT_CHARS = 256 << 10;
  static final int PARTS = 256;

  private static final Json.Limits JSON = new Json.Limits(MESSAGE, 150);
  private static final int ERROR_CHARS = 1_000;

  private Bounds() {}

  /** Checks a message before it is read. */
  static void check(String message) throws McpFailure {
    try {
      Json.check(message, JSON);
    } catch (Json.Malformed e) {
      throw McpFailure.connection("it sent a message that cannot be read: " + e.getMessage());
    }
  }

  /** A text of a server in a message of ours: one line, not long, without control characters. */
  static String quoted(String text) {
    String line = text.replaceAll("[\\s\\p{Cntrl}\\p{Cf}\\p{Zl}\\p{Zp}]+", " ").strip();
    return line.length() <= ERROR_CHARS ? line : line.substring(0, ERROR_CHARS) + "…";
  }

  /** A longer text: without control characters except line ends and tabs. */
  static String clean(String text, int most) {
    String clean = text.replaceAll("[\\p{Cntrl}&&[^\\n\\t]]+", "");
    return clean.length() <= most ? clean : clean.substring(0, most) + "…";
  }
}
