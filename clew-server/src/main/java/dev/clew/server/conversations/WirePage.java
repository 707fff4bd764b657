package dev.clew.server.conversations;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.internal.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** A list of items as all lists of items are on the wire. Not thread-safe. */
public final class WirePage {
  private final List<String> data = new ArrayList<>();
  private String first = "";
  private String last = "";

  /** The page of some entries. */
  public static WirePage of(List<Entry> entries) {
    WirePage page = new WirePage();
    entries.forEach(entry -> page.add(entry.item(), entry.position()));
    return page;
  }

  /** Adds what stands at a position. */
  void add(Item item, long position) {
    data.add(WireItems.json(item, position));
    last = WireItems.id(item, position);
    first = first.isEmpty() ? last : first;
  }

  /** The page, and whether there are more behind it. */
  public String json(boolean hasMore) {
    return new JsonObject()
        .put("object", "list")
        .array("data", data)
        .put("first_id", first)
        .put("last_id", last)
        .put("has_more", hasMore)
        .toString();
  }
}
