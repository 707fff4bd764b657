package dev.clew.redis;

import java.util.List;

/** The reply of a script. Immutable. */
record Answer(List<?> values) {
  boolean isEmpty() {
    return values.isEmpty();
  }

  /** Its first word: what came of the change. */
  String status() {
    return text(0);
  }

  String text(int index) {
    return Wire.text(values.get(index));
  }

  long number(int index) {
    return Wire.number(values.get(index));
  }

  List<?> list(int index) {
    return (List<?>) values.get(index);
  }
}
