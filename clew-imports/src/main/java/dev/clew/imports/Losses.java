package dev.clew.imports;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What of a source could not be carried, by reason. Not thread-safe. */
public final class Losses {
  private static final int MOST_PLACES = 20;

  private final Map<String, Long> counts = new LinkedHashMap<>();
  private final Map<String, List<String>> places = new LinkedHashMap<>();
  private final Set<String> told = new HashSet<>();

  /**
   * What was not imported for one reason. Immutable.
   *
   * @param reason what it is and why
   * @param count how often
   * @param places where the first of them are
   */
  public record Loss(String reason, long count, List<String> places) {}

  /** Something in the source is not imported; reported twice, it counts once. */
  public void add(String place, String reason) {
    if (!told.add(reason + "\n" + place)) {
      return; // what branches have in common is looked at for each of them
    }
    counts.merge(reason, 1L, Long::sum);
    List<String> known = places.computeIfAbsent(reason, key -> new ArrayList<>());
    if (known.size() < MOST_PLACES) {
      known.add(place);
    }
  }

  /** What follows is at other places. */
  public void nextConversation() {
    told.clear();
  }

  /** All there are, in the order in which the reasons came up. */
  public List<Loss> all() {
    List<Loss> all = new ArrayList<>();
    counts.forEach(
        (reason, count) ->
            all.add(new Loss(reason, count, List.copyOf(places.getOrDefault(reason, List.of())))));
    return all;
  }
}
