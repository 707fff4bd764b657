package dev.clew.server.internal.responses;

import dev.clew.Item;
import dev.clew.agent.Model;
import dev.clew.agent.ToolSpec;
import dev.clew.json.Json;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.wire.WireItems;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tools of the type {@code namespace}, which hold functions. Immutable. For models that take only
 * functions, each of these has a name made of both names; clients see calls with the two apart:
 *
 * <pre>{@code
 * {"type":"function_call","namespace":"crm","name":"find", …}    of clients
 * {"type":"function_call","name":"crm__find", …}                 of the model
 * }</pre>
 */
final class Namespaces {
  static final String TYPE = "namespace";

  /** A function of a client. */
  private record Named(String namespace, String name) {}

  private final boolean known;
  private final List<ToolSpec> functions = new ArrayList<>();
  private final Map<String, Named> names = new LinkedHashMap<>();
  private final Map<String, String> descriptions = new LinkedHashMap<>();

  private Namespaces(boolean known) {
    this.known = known;
  }

  /**
   * The namespaces of a request.
   *
   * @throws Problem if a name would stand for two functions
   */
  static Namespaces of(Fields request, Model model) {
    Namespaces all = new Namespaces(model.takesTools(TYPE));
    if (all.known) {
      return all;
    }
    Set<String> taken = new HashSet<>();
    for (Fields tool : request.objects("tools")) {
      if (GivenTools.isFunction(tool)) {
        taken.add(tool.needText("name"));
      }
    }
    for (Fields tool : request.objects("tools")) {
      if (is(tool)) {
        all.add(tool, taken);
      }
    }
    return all;
  }

  static boolean is(Fields tool) {
    return tool.needText("type").equals(TYPE);
  }

  private void add(Fields tool, Set<String> taken) {
    String namespace = tool.needText("name");
    for (Fields inner : tool.objects("tools")) {
      ToolSpec spec = GivenTools.function(inner);
      String name = ToolSpec.nameOf(namespace, spec.name());
      if (!taken.add(name)) {
        throw Problem.invalidValue(
            "tools", "two functions are '" + name + "' for the model; rename one of them");
      }
      names.put(name, new Named(namespace, spec.name()));
      functions.add(new ToolSpec(name, spec.description(), spec.parameters(), spec.strict()));
    }
    descriptions.put(namespace, tool.text("description").orElse(""));
  }

  /** Whether the model takes namespaces as they are. */
  boolean areKnown() {
    return known;
  }

  /** Their functions as the model sees them. */
  List<ToolSpec> functions() {
    return functions;
  }

  /** Instructions that say what the namespaces are for. */
  String instructions(String given) {
    String all = given;
    for (var namespace : descriptions.entrySet()) {
      all = GivenTools.introduce(all, namespace.getKey(), namespace.getValue());
    }
    return all;
  }

  /** An item as the model sees it, also a call of a function that is no longer given. */
  Item toModel(Item item) {
    Optional<Map<String, String>> call = known ? Optional.empty() : call(item);
    String namespace = call.map(fields -> text(fields, TYPE)).orElse("");
    if (namespace.isEmpty()) {
      return item;
    }
    Map<String, String> fields = call.orElseThrow();
    fields.remove(TYPE);
    fields.put("name", Json.quote(ToolSpec.nameOf(namespace, text(fields, "name"))));
    return Item.stored(WireItems.object(fields));
  }

  /** An item of the model as the client sees it. */
  Item toClient(Item item) {
    Optional<Map<String, String>> call = names.isEmpty() ? Optional.empty() : call(item);
    Named named = call.map(fields -> names.get(text(fields, "name"))).orElse(null);
    if (named == null) {
      return item;
    }
    Map<String, String> fields = call.orElseThrow();
    fields.put("name", Json.quote(named.name()));
    fields.put(TYPE, Json.quote(named.namespace()));
    return Item.stored(WireItems.object(fields));
  }

  /** Whether an item calls a function of a namespace, as clients see it. */
  static boolean isCall(Item item) {
    return call(item).filter(fields -> !text(fields, TYPE).isEmpty()).isPresent();
  }

  private static Optional<Map<String, String>> call(Item item) {
    return item.type().equals("function_call")
        ? Optional.of(UncheckedJson.fields(item.json()))
        : Optional.empty();
  }

  private static String text(Map<String, String> fields, String name) {
    String text = Json.string(fields.get(name));
    return text == null ? "" : text;
  }
}
