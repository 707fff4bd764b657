package dev.clew.tck.wrong;

import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.decorate.ForwardingStore;
import java.util.List;

/** A store whose sessions read through {@link #read}, so that what is wrong there shows. */
abstract class ThroughRead extends ForwardingStore {
  ThroughRead(SessionStore right) {
    super(right);
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    return read(key, Range.latest(limit)).items();
  }
}
