package dev.clew.server.internal.telemetry;

import java.util.Set;

/**
 * The part of an unrouted path that may be logged: enough to recognise a wrong address, and nothing
 * that names a session or quotes anybody. Stateless.
 */
final class LoggedPath {
  private static final int MOST_SEGMENTS = 4;
  private static final int LONGEST_WORD = 16;

  private static final Set<String> COLLECTIONS =
      Set.of("sessions", "conversations", "responses", "items", "shares", "shared", "tokens");

  private LoggedPath() {}

  static String of(String path) {
    StringBuilder shown = new StringBuilder();
    String before = "";
    int start = 1;
    for (int count = 0; start <= path.length(); count++) {
      if (count == MOST_SEGMENTS) {
        return shown.append("/…").toString();
      }
      int end = path.indexOf('/', start);
      String segment = path.substring(start, end < 0 ? path.length() : end);
      shown.append('/').append(!COLLECTIONS.contains(before) && isWord(segment) ? segment : "…");
      before = segment;
      start = end < 0 ? path.length() + 1 : end + 1;
    }
    return shown.isEmpty() ? "/" : shown.toString();
  }

  private static boolean isWord(String segment) {
    return segment.equals("v1")
        || (segment.length() <= LONGEST_WORD
            && segment.chars().allMatch(c -> (c >= 'a' && c <= 'z') || c == '_'));
  }
}
