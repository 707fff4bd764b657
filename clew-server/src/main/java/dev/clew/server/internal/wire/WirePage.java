package dev.clew.server.internal.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clew.Entry;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import java.util.ArrayList;
import java.util.List;

/**
 * A list of items as all lists of items are on the wire. Not thread-safe. It is put together from
 * bytes, because the items that are asked for most are at hand as such.
 */
public final class WirePage {
  private static final byte[] BEFORE = "{\"object\":\"list\",\"data\":[".getBytes(UTF_8);

  private final List<byte[]> data = new ArrayList<>();
  private String first = "";
  private String last = "";

  /** The page of some entries. */
  public static WirePage of(List<Entry> entries) {
    WirePage page = new WirePage();
    entries.forEach(entry -> page.add(WireItems.json(entry)));
    if (!entries.isEmpty()) {
      page.between(WireItems.id(entries.get(0)), WireItems.id(entries.get(entries.size() - 1)));
    }
    return page;
  }

  /** Adds an item in the form in which it is returned. */
  public void add(String json) {
    add(json.getBytes(UTF_8));
  }

  public void add(byte[] json) {
    data.add(json);
  }

  /** Says which ids the page begins and ends with. */
  public void between(String firstId, String lastId) {
    first = firstId;
    last = lastId;
  }

  /** The page, and whether there are more behind it. */
  public byte[] json(boolean hasMore) {
    JsonObject rest =
        new JsonObject().put("first_id", first).put("last_id", last).put("has_more", hasMore);
    byte[] behind = ("]," + rest.toString().substring(1)).getBytes(UTF_8);
    int length = BEFORE.length + Math.max(0, data.size() - 1) + behind.length;
    for (byte[] item : data) {
      length += item.length;
    }
    byte[] page = new byte[length];
    int end = put(page, 0, BEFORE);
    for (byte[] item : data) {
      if (end > BEFORE.length) {
        page[end++] = ',';
      }
      end = put(page, end, item);
    }
    put(page, end, behind);
    return page;
  }

  private static int put(byte[] page, int at, byte[] bytes) {
    System.arraycopy(bytes, 0, page, at, bytes.length);
    return at + bytes.length;
  }

  /** Whether a list begins with the newest: the order of every list of items. */
  public static boolean backward(Call call) {
    String order = call.query("order").orElse("desc");
    if (!order.equals("desc") && !order.equals("asc")) {
      throw Problem.unsupported("order", order, List.of("asc", "desc"));
    }
    return order.equals("desc");
  }
}
