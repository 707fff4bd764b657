package dev.clew.server.internal.responses;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.Window;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.limits.FewAtOnce;
import dev.clew.server.internal.responses.StoredResponse.Phase;
import dev.clew.server.internal.wire.WireItems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Counts the tokens of contexts and compacts them. Thread-safe.
 *
 * @param largeCounts limits how many large contexts are counted at once
 */
record CompactApi(
    ResponseServices services, TurnPreparer turns, boolean strict, FewAtOnce largeCounts) {
  private static final int LARGE = 1 << 20;
  private static final int WAITING = 5;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  CompactApi(ResponseServices services, TurnPreparer turns, boolean strict) {
    this(services, turns, strict, new FewAtOnce("counts", atOnce(), 1, WAITING, PATIENCE));
  }

  private static int atOnce() {
    return Math.max(2, Runtime.getRuntime().availableProcessors() / 2);
  }

  void count(Call call) {
    Map<String, String> sent = new LinkedHashMap<>(call.fields());
    sent.putIfAbsent("model", "\"\"");
    CreateRequest request = CreateRequest.read(sent, strict);
    request.checkExclusive();
    List<Item> context = context(call, request);
    Supplier<Long> count =
        () -> services.context().tokens(call.owner(), request, context, call::isWanted);
    long tokens = isLarge(sent, context) ? largeCounts.run(call.owner(), count) : count.get();
    call.reply(new JsonObject().put("object", "response.input_tokens").put("input_tokens", tokens));
  }

  private static boolean isLarge(Map<String, String> sent, List<Item> context) {
    long characters = 0; // what was sent as input is in both, which does not matter
    for (String value : sent.values()) {
      characters += value.length();
    }
    for (Item item : context) {
      characters += item.json().length();
    }
    return characters > LARGE;
  }

  private List<Item> context(Call call, CreateRequest request) {
    List<Item> context =
        new ArrayList<>(turns.history(call.owner(), request.conversation(), request.previous()));
    context.addAll(request.input());
    return context;
  }

  /** Returns the user's messages and one sealed item for everything else. */
  void compact(Call call) {
    Map<String, String> sent = new LinkedHashMap<>(call.fields());
    sent.remove("conversation");
    CreateRequest request = CreateRequest.read(sent, strict);
    List<Item> context = context(call, request);
    if (context.isEmpty()) {
      throw Problem.missing("input");
    }
    String owner = call.owner();
    String id = ResponseJson.newId();
    // Before the model is asked, so that a foreign item is the caller's fault.
    services.context().open(owner, context);
    call.replyJson(compact(owner, id, context, request.instructions().orElse("")));
  }

  private String compact(String owner, String id, List<Item> context, String instructions) {
    ModelContext.Compacted compacted = services.context().compact(owner, context, instructions);
    services.usage().add(owner, services.models().choice(""), 0, compacted.usage());
    List<Item> output = new ArrayList<>();
    for (Item item : context) {
      if (Window.isLeftByCompaction(item)) {
        String itemId = item.id().orElseGet(() -> WireItems.newId(item.type()));
        output.add(Item.stored(WireItems.json(item, itemId)));
      }
    }
    output.add(compacted.item());
    String json =
        new JsonObject()
            .put("id", id)
            .put("object", "response.compaction")
            .put("created_at", services.now())
            .array("output", output.stream().map(Item::json).toList())
            .raw("usage", ResponseJson.usage(compacted.usage()))
            .toString();
    keep(owner, id, json);
    return json;
  }

  private void keep(String owner, String id, String json) {
    StoredResponse response =
        StoredResponse.begun(
            owner, id, TurnTarget.own(new SessionKey(owner, id)), -1, List.of(), false, json);
    var unused =
        services.records().write(response.response(Phase.COMMITTING, json), Optional.empty());
  }
}
