package dev.clew.demo;

/**
 * What a sentence says about time, and what else it says. Immutable.
 *
 * @param times about time
 * @param rest the words that are left
 */
record Timed(Times times, String rest) {
  boolean isOnlyTime() {
    return !times.isEmpty() && rest.isEmpty();
  }
}
