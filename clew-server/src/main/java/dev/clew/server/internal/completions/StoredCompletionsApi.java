package dev.clew.server.internal.completions;

import dev.clew.ClewException;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import dev.clew.kit.BoundedPage;
import dev.clew.server.internal.completions.StoredCompletions.Stored;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.wire.Metadata;
import dev.clew.server.operate.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Lists, shows, changes and deletes stored completions. Thread-safe. */
record StoredCompletionsApi(StoredCompletions stored, boolean strict) {
  private static final String ONE = CompletionsApi.PATH + "/{completion_id}";

  List<Route> routes() {
    return List.of(
        Route.get(CompletionsApi.PATH, Scope.READ, "Lists stored completions.", this::list),
        Route.get(ONE, Scope.READ, "Retrieves a stored completion.", this::retrieve),
        Route.post(ONE, Scope.WRITE, "Replaces a stored completion's metadata.", this::update),
        Route.delete(ONE, Scope.WRITE, "Deletes a stored completion.", this::delete),
        Route.get(
            ONE + "/messages",
            Scope.READ,
            "Lists the messages of a stored completion's request.",
            this::messages));
  }

  private static boolean newestFirst(Call call) {
    String order = call.query("order").orElse("asc");
    if (!order.equals("desc") && !order.equals("asc")) {
      throw Problem.unsupported("order", order, List.of("asc", "desc"));
    }
    return order.equals("desc");
  }

  private void list(Call call) {
    int limit = call.query("limit", 20, 1, 100);
    boolean newestFirst = newestFirst(call);
    Optional<String> after = call.queryText("after");
    if (after.isPresent() && !StoredCompletions.isId(after.get())) {
      throw Problem.invalidValue("after", "it is not the id of a completion");
    }
    StoredCompletions.Page page =
        stored.list(call.owner(), after, newestFirst, limit, filter(call));
    call.replyJson(
        list(
            page.found().stream().map(Stored::json).toList(),
            page.found().stream().map(Stored::id).toList(),
            page.more()));
  }

  private static Predicate<Stored> filter(Call call) {
    Optional<String> model = call.queryText("model");
    Map<String, String> metadata = call.queryObject("metadata");
    if (model.isEmpty() && metadata.isEmpty()) {
      return stored -> true;
    }
    return stored -> {
      Map<String, String> fields = stored.fields();
      Map<String, String> own = UncheckedJson.fields(fields.getOrDefault("metadata", "{}"));
      return model.map(name -> name.equals(Json.string(fields.get("model")))).orElse(true)
          && metadata.entrySet().stream()
              .allMatch(each -> each.getValue().equals(Json.string(own.get(each.getKey()))));
    };
  }

  private static String list(List<String> data, List<String> ids, boolean more) {
    return new JsonObject()
        .put("object", "list")
        .array("data", data)
        .put("first_id", ids.isEmpty() ? "" : ids.get(0))
        .put("last_id", ids.isEmpty() ? "" : ids.get(ids.size() - 1))
        .put("has_more", more)
        .toString();
  }

  private Stored find(Call call) {
    String id = call.path("completion_id");
    return stored.find(call.owner(), id).orElseThrow(() -> notFound(id));
  }

  /** The same response for a missing one and for another owner's. */
  private static Problem notFound(String id) {
    return Problem.notFound("Completion with id '" + id + "' not found.");
  }

  private void retrieve(Call call) {
    call.replyJson(find(call).json());
  }

  private void update(Call call) {
    String given =
        Fields.of(call, strict, Set.of("metadata"))
            .given("metadata")
            .orElseThrow(() -> Problem.missing("metadata"));
    JsonObject metadata = new JsonObject();
    Metadata.read(given).forEach(metadata::put);
    while (true) {
      Stored changed = find(call).with("metadata", metadata.toString());
      try {
        stored.put(call.owner(), changed, false);
        call.replyJson(changed.json());
        return;
      } catch (ClewException.VersionConflict e) {
        // Another call was faster; the last one counts.
      }
    }
  }

  private void delete(Call call) {
    String id = call.path("completion_id");
    if (!stored.delete(call.owner(), id)) {
      throw notFound(id);
    }
    call.reply(
        new JsonObject()
            .put("id", id)
            .put("object", "chat.completion.deleted")
            .put("deleted", true));
  }

  private void messages(Call call) {
    Stored one = find(call);
    int limit = call.query("limit", 20, 1, 100);
    boolean newestFirst = newestFirst(call);
    call.needs(BoundedPage.LARGEST);
    List<JsonObject> all = stored.messages(call.owner(), one).orElseThrow(() -> notFound(one.id()));
    List<String> ids = new ArrayList<>();
    List<String> data = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      String id = one.id() + "-" + i;
      ids.add(id);
      data.add(new JsonObject().put("id", id).before(all.get(i).toString()));
    }
    if (newestFirst) {
      Collections.reverse(ids);
      Collections.reverse(data);
    }
    int from = 0;
    Optional<String> after = call.queryText("after");
    if (after.isPresent()) {
      from = ids.indexOf(after.get()) + 1;
      if (from == 0) {
        throw Problem.invalidValue("after", "there is no message with this id");
      }
    }
    int to = Math.min(ids.size(), from + limit);
    call.replyJson(list(data.subList(from, to), ids.subList(from, to), to < ids.size()));
  }
}
