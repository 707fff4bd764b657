package dev.clew.server.internal.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.clew.Entry;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import java.util.ArrayList;
import java.util.List;

/**
 * A list of items on the wire. Not thread-safe. It is assembled from bytes, because the most
 * requested items are cached as bytes.
 */
public final class WirePage {
  private static final byte[] BEFORE = "{\"object\":\"list\",\"data\":[".getBytes(UTF_8);

  private final List<byte[]> data = new ArrayList<>();
  private String first = "";
  private String last = "";

  public static WirePage of(List<Entry> entries) {
    WirePage page = new WirePage();
    entries.forEach(entry -> page.add(WireItems.json(entry)));
    if (!entries.isEmpty()) {
      page.between(WireItems.id(entries.get(0)), WireItems.id(entries.get(entries.size() - 1)));
    }
    return page;
  }

  public void add(String json) {
    add(json.getBytes(UTF_8));
  }

  public void add(byte[] json) {
    data.add(json);
  }

  public void between(String firstId, String lastId) {
    first = firstId;
    last = lastId;
  }

  public byte[] json(boolean hasMore) {
    JsonObject rest =
        new JsonObject().put("first_id", first).put("last_id", last).put("has_more", hasMore);
    byte[] after = ("]," + rest.toString().substring(1)).getBytes(UTF_8);
    int length = BEFORE.length + Math.max(0, data.size() - 1) + after.length;
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
    put(page, end, after);
    return page;
  }

  private static int put(byte[] page, int at, byte[] bytes) {
    System.arraycopy(bytes, 0, page, at, bytes.length);
    return at + bytes.length;
  }

  public static boolean backward(Call call) {
    String order = call.query("order").orElse("desc");
    if (!order.equals("desc") && !order.equals("asc")) {
      throw Problem.unsupported("order", order, List.of("asc", "desc"));
    }
    return order.equals("desc");
  }
}
