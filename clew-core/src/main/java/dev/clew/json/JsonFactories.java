package dev.clew.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Makers of Jackson's parsers, one for each set of limits. Thread-safe. */
final class JsonFactories {
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  /** Values are read by recursion, which has to end before the stack does. */
  static final int MAX_TREE_DEPTH = 1000;

  /** A program has a few limits; one that keeps creating new ones must not fill the memory. */
  private static final int MOST_KEPT = 64;

  static final JsonFactory UNLIMITED = make(NO_LIMIT, NO_LIMIT, NO_LIMIT);
  static final JsonFactory TREES = make(MAX_TREE_DEPTH, NO_LIMIT, NO_LIMIT);

  private static final Map<Json.Limits, JsonFactory> LIMITED = new ConcurrentHashMap<>();

  private JsonFactories() {}

  /** Of parsers that apply limits. Kept, because making one takes longer than reading an item. */
  static JsonFactory of(Json.Limits limits) {
    JsonFactory kept = LIMITED.get(limits);
    if (kept != null) {
      return kept;
    }
    JsonFactory made = make(limits.maxDepth(), Json.Limits.MAX_NUMBER_LENGTH, limits.maxBytes());
    if (LIMITED.size() < MOST_KEPT) {
      LIMITED.put(limits, made);
    }
    return made;
  }

  /*
   * Field names are neither interned nor cached across documents: the names come from outside, and a
   * shared table would let one caller slow down or fill the memory of all others.
   */
  static JsonFactory make(int depth, int number, int text) {
    return JsonFactory.builder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(depth)
                .maxNumberLength(number)
                .maxStringLength(text)
                .maxNameLength(text)
                .build())
        .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .configure(StreamReadFeature.STRICT_DUPLICATE_DETECTION, number != NO_LIMIT)
        .build();
  }
}
