package dev.clew.spi;

import dev.clew.Entry;
import dev.clew.SessionKey;
import java.util.Optional;

/** A backend that finds an item by its id without reading the history. Thread-safe. */
public interface ItemLookup {
  /** The entry whose item carries this id. */
  Optional<Entry> find(SessionKey key, String itemId);
}
