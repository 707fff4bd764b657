package dev.clew.server.internal.completions;

import dev.clew.Item;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.wire.WireItems;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Answers that the client began and the model continued. Stateless. */
final class Prefill {
  private Prefill() {}

  /** One answer: the texts of the last message begun and the first one that continues it joined. */
  static List<Item> joined(List<Item> begun, List<Item> output) {
    List<Item> all = new ArrayList<>(begun);
    int last = begun.size() - 1;
    if (last < 0 || !isSaid(begun.get(last)) || output.isEmpty() || !isSaid(output.get(0))) {
      all.addAll(output);
      return all;
    }
    String start = ((View.Message) begun.get(last).view()).text();
    String more = ((View.Message) output.get(0).view()).text();
    Map<String, String> fields = UncheckedJson.fields(output.get(0).json());
    String part =
        new JsonObject()
            .put("type", "output_text")
            .put("text", more.startsWith(start) ? more : start + more)
            .raw("annotations", "[]")
            .raw("logprobs", "[]")
            .toString();
    fields.put("content", JsonObject.array(List.of(part)));
    all.set(last, Item.stored(WireItems.object(fields)));
    all.addAll(output.subList(1, output.size()));
    return all;
  }

  private static boolean isSaid(Item item) {
    return item.view() instanceof View.Message message
        && message.role() == Role.ASSISTANT
        && !message.text().isEmpty();
  }
}
