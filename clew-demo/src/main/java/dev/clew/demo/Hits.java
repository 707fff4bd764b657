package dev.clew.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a search of the history found, as the tool tells it. Immutable.
 *
 * @param hits the pieces found, best first
 * @param partial whether there may be more
 */
record Hits(List<Hit> hits, boolean partial) {

  /** A piece of a message and the session it is in. */
  record Hit(String session, String text) {}

  static Hits of(Map<String, Object> answer) {
    List<Hit> hits = new ArrayList<>();
    if (answer.get("hits") instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof Map<?, ?> hit) {
          hits.add(new Hit(String.valueOf(hit.get("session")), String.valueOf(hit.get("text"))));
        }
      }
    }
    return new Hits(hits, Boolean.TRUE.equals(answer.get("partial")));
  }
}
