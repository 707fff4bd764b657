package dev.clew.tck.wrong;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.spi.Backend;
import dev.clew.tck.Damager;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A backend that reads whole pages rightly of which some entries are damaged. */
final class Damaged extends ThroughRead {

  /** An entry that cannot be read back. */
  record Place(SessionKey key, long position) {}

  private final Set<Place> places;

  /** Those at the places are damaged; the set may grow. */
  Damaged(Backend right, Set<Place> places) {
    super(right);
    this.places = places;
  }

  static Damager damager(Set<Place> places) {
    return (key, position) -> places.add(new Place(key, position));
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    EntryPage page = super.read(key, range);
    List<Entry> readable = new ArrayList<>();
    List<Long> damaged = new ArrayList<>();
    for (Entry entry : page.entries()) {
      if (places.contains(new Place(key, entry.position()))) {
        damaged.add(entry.position());
      } else {
        readable.add(entry);
      }
    }
    return new EntryPage(readable, page.hasMore(), damaged);
  }
}
