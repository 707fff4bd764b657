package dev.clew.backup;

import dev.clew.SessionQuery.Order;
import dev.clew.kit.SessionCursor;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where everything of one owner is. Immutable. */
final class OwnerIndex {
  private final Map<String, Place> byId = new HashMap<>();
  private final List<Place> byUpdate;
  private final DocumentPlaces documents;

  OwnerIndex(Collection<Place> sessions, DocumentPlaces documents) {
    this.documents = documents;
    this.byUpdate = sessions.stream().sorted(Comparator.comparing(Place::cursor)).toList();
    byUpdate.forEach(place -> byId.put(place.id(), place));
  }

  Optional<Place> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  DocumentPlaces documents() {
    return documents;
  }

  /** The sessions behind a place in the list, newest-updated first; all without one. */
  List<Place> behind(Optional<String> cursor) {
    if (cursor.isEmpty()) {
      return byUpdate;
    }
    SessionCursor place = SessionCursor.decode(Order.UPDATED, cursor.get());
    int low = 0;
    int high = byUpdate.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (byUpdate.get(middle).cursor().compareTo(place) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return byUpdate.subList(low, byUpdate.size());
  }
}
