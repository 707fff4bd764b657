package dev.clew.server.operate;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.server.internal.describe.Describing;
import dev.clew.server.internal.describe.FirstTitle;
import dev.clew.server.internal.describe.ServerMetadata;
import java.util.List;
import java.util.Map;

/** Titles that nobody has chosen, as servers make them of what was said first. Stateless. */
public final class MadeTitles {
  private MadeTitles() {}

  /** What describes a new session that begins with these items. */
  public static SessionUpdate of(List<Item> items) {
    return FirstTitle.with(ServerMetadata.NOTHING, Map.of(), items);
  }

  /**
   * Takes the title away if nothing is left of what it was made from; one that somebody chose
   * stays.
   */
  public static void emptied(SessionStore store, SessionKey key) {
    Describing.emptied(store, key);
  }
}
