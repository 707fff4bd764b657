package dev.clew.tck.wrong;

import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.spi.Backend;
import java.util.List;

/** A backend whose items are read through {@link #read}, so that what is wrong there shows. */
abstract class ThroughRead extends Passing {
  ThroughRead(Backend right) {
    super(right);
  }

  @Override
  public List<Item> items(SessionKey key, int limit) {
    return read(key, Range.latest(limit)).items();
  }
}
