package dev.clew.server.conversations;

import dev.clew.Entry;
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
    entries.forEach(entry -> page.data.add(WireItems.json(entry)));
    if (!entries.isEmpty()) {
      page.between(WireItems.id(entries.get(0)), WireItems.id(entries.get(entries.size() - 1)));
    }
    return page;
  }

  /** Adds an item in the form in which it is returned. */
  void add(String json) {
    data.add(json);
  }

  /** Says which ids the page begins and ends with. */
  void between(String firstId, String lastId) {
    first = firstId;
    last = lastId;
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
