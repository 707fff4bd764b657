package dev.clew.server.internal.responses;

import dev.clew.Item;
import dev.clew.agent.ModelEvent;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.hosted.HostedItems;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The growing output of a response, as OpenAI's events. Used by one thread. It also understands
 * models that do not report where an item begins and ends.
 */
final class Output implements Consumer<ModelEvent> {
  private static final Item MESSAGE =
      Item.parse("{\"type\":\"message\",\"role\":\"assistant\",\"content\":[]}");
  private static final Item REASONING = Item.parse("{\"type\":\"reasoning\",\"content\":[]}");

  private final Emitter events;
  private final Namespaces namespaces;
  private final List<OutputItem> items = new ArrayList<>();
  private final List<OutputItem> whole = new ArrayList<>();
  private int earlier;

  Output(Emitter events, Namespaces namespaces) {
    this.events = events;
    this.namespaces = namespaces;
  }

  @Override
  public void accept(ModelEvent event) {
    if (event instanceof ModelEvent.ItemStarted started) {
      started(namespaces.toClient(started.item()));
    } else if (event instanceof ModelEvent.TextDelta delta) {
      current(MESSAGE).text(delta.text());
    } else if (event instanceof ModelEvent.RefusalDelta delta) {
      current(MESSAGE).refusal(delta.text());
    } else if (event instanceof ModelEvent.ReasoningDelta delta) {
      current(REASONING).reasoning(delta.text());
    } else if (event instanceof ModelEvent.ArgumentsDelta delta) {
      // The call cannot begin without the tool's name; then it is sent as a whole.
      find(item -> item.isCall(delta.callId())).ifPresent(item -> item.arguments(delta.text()));
    } else if (event instanceof ModelEvent.ItemDone done) {
      add(done.item());
    }
  }

  private void started(Item item) {
    Map<String, String> fields = UncheckedJson.fields(item.json());
    boolean call = item.type().equals("function_call") || item.type().equals("custom_tool_call");
    if (!call || (fields.containsKey("name") && fields.containsKey("call_id"))) {
      begin(item);
    }
  }

  private OutputItem begin(Item item) {
    items.forEach(OutputItem::endParts);
    OutputItem begun = OutputItem.begin(events, items.size(), item);
    items.add(begun);
    return begun;
  }

  private OutputItem current(Item otherwise) {
    if (!items.isEmpty()) {
      OutputItem last = items.get(items.size() - 1);
      if (!last.isDone() && last.type().equals(otherwise.type())) {
        return last;
      }
    }
    return begin(otherwise);
  }

  private Optional<OutputItem> find(Predicate<OutputItem> wanted) {
    return items.stream().filter(item -> !item.isDone()).filter(wanted).findFirst();
  }

  void add(Item made) {
    Item whole = namespaces.toClient(made);
    find(item -> item.becomes(whole)).orElseGet(() -> begin(whole)).end(whole);
  }

  /**
   * Ends the items of an answer; sends what was not sent yet first. Calls of MCP tools end with
   * their outputs.
   */
  void answered(List<Item> answer) {
    List<OutputItem> left = new ArrayList<>(items.subList(earlier, items.size()));
    for (Item made : answer) {
      Item item = namespaces.toClient(made);
      OutputItem sent =
          left.stream().filter(each -> each.becomes(item)).findFirst().orElseGet(() -> begin(item));
      left.remove(sent);
      if (sent.type().equals(HostedItems.CALL)) {
        sent.endArguments(item);
      } else {
        sent.end(item);
      }
      whole.add(sent);
    }
    earlier = items.size();
  }

  /** A call of an MCP tool, which the model made, or a person approved. */
  void calling(Item call, String arguments) {
    Optional<OutputItem> known = find(item -> item.becomes(call));
    OutputItem item = known.orElseGet(() -> begin(call));
    if (known.isEmpty()) {
      whole.add(item);
      earlier = items.size();
    }
    item.endArguments(arguments);
  }

  /** All items that are whole, as JSON. */
  List<String> json() {
    return whole.stream().filter(OutputItem::isDone).map(OutputItem::json).toList();
  }
}
