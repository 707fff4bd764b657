package dev.clew.imports;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What of a source could not be carried, by reason. Not thread-safe. */
public final class Losses {
  private static final int MOST_PLACES = 20;

  private final Map<String, Loss> losses = new LinkedHashMap<>();
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
    Loss known = losses.getOrDefault(reason, new Loss(reason, 0, List.of()));
    List<String> places =
        Stream.concat(known.places().stream(), Stream.of(place)).limit(MOST_PLACES).toList();
    losses.put(reason, new Loss(reason, known.count() + 1, places));
  }

  /** What follows is at other places. */
  public void nextConversation() {
    told.clear();
  }

  /** All there are, in the order in which the reasons came up. */
  public List<Loss> all() {
    return List.copyOf(losses.values());
  }
}
