package dev.clew.server.internal.completions;

import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.json.Json;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.completions.ChatRecords.Known;
import dev.clew.server.internal.completions.Steps.Step;
import dev.clew.server.internal.wire.WireItems;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of an answered request. Immutable.
 *
 * @param completion the id of the completion
 * @param time when it was answered
 * @param stored whether clients can retrieve it
 * @param output what the model answered, with ids
 * @param tokens for the notes of the answer
 */
record Said(
    String completion,
    Instant time,
    boolean stored,
    Given given,
    List<Item> output,
    Map<String, Object> tokens) {

  /** The items of a completion, with ids. */
  static List<Item> withIds(List<Item> output) {
    return output.stream()
        .map(
            item ->
                Item.trusted(
                    WireItems.json(item, item.id().orElseGet(() -> WireItems.newId(item.type())))))
        .toList();
  }

  /**
   * What is written behind a place.
   *
   * @param drafts the new messages and the answer
   * @param asked how many of them the client sent
   * @param name of the document of the new end of the history
   */
  record Written(List<Draft> drafts, int asked, Optional<String> name, Place place, Said said) {
    Known known(String session, long position) {
      return new Known(
          session,
          place.root(),
          position,
          ChatRecords.chain(name.orElseThrow()),
          said.instructions(place),
          callIds(said.output));
    }
  }

  private String instructions(Place place) {
    String own = given.instructions();
    return own.isEmpty() ? place.system() : own;
  }

  Written at(Place place) {
    List<Item> answer = answer();
    List<Draft> drafts = new ArrayList<>();
    int from = place.matched() == 0 ? 0 : given.steps().get(place.matched() - 1).to();
    int to =
        given.isPrefilled()
            ? given.steps().get(given.steps().size() - 1).from()
            : given.items().size();
    boolean told = place.matched() > 0 && !given.instructions().isEmpty();
    if (told && place.marked() && !place.system().equals(given.instructions())) {
      addGiven(drafts, place, 0, given.lead());
    }
    addGiven(drafts, place, from, to);
    int asked = drafts.size();
    Steps end = Steps.of(answer);
    List<Step> last =
        new ArrayList<>(given.steps().all().subList(Math.max(0, given.asked() - 1), given.asked()));
    last.addAll(end.all());
    String chain = given.steps().chain(place.chain(), place.matched(), given.asked());
    chain = end.chain(chain, 0, end.size());
    Optional<String> name =
        end.size() == 0
            ? Optional.empty()
            : Optional.of(ChatRecords.name(ChatRecords.tail(last), chain, time, completion));
    for (int i = 0; i < answer.size(); i++) {
      Map<String, Object> notes = new LinkedHashMap<>();
      if (i == 0) {
        notes.putAll(tokens);
      }
      if (i == answer.size() - 1) {
        name.ifPresent(full -> notes.put(ChatRecords.NOTE, full.substring(full.indexOf('/') + 1)));
        if (stored) {
          notes.put(ChatRecords.COMPLETION_NOTE, completion);
        }
      }
      drafts.add(new Draft(answer.get(i), notes));
    }
    return new Written(drafts, asked, name, place, this);
  }

  private void addGiven(List<Draft> drafts, Place place, int from, int to) {
    Map<String, String> ids = recordedIds(place);
    for (int i = from; i < to; i++) {
      Item item = withCallId(given.items().get(i), ids);
      @Nullable String name = given.names().get(i);
      drafts.add(name == null ? Draft.of(item) : new Draft(item, Map.of("name", name)));
    }
  }

  /** The recorded ids of the last calls, by the ids that the client has given them since. */
  private Map<String, String> recordedIds(Place place) {
    if (place.matched() == 0 || place.calls().isEmpty()) {
      return Map.of();
    }
    Step last = given.steps().get(place.matched() - 1);
    List<String> sent = callIds(given.items().subList(last.from(), last.to()));
    Map<String, String> ids = new LinkedHashMap<>();
    for (int i = 0; i < Math.min(sent.size(), place.calls().size()); i++) {
      ids.put(sent.get(i), place.calls().get(i));
    }
    return ids;
  }

  private static List<String> callIds(List<Item> items) {
    List<String> ids = new ArrayList<>();
    for (Item item : items) {
      if (item.type().equals("function_call") || item.type().equals("custom_tool_call")) {
        ids.add(callId(UncheckedJson.fields(item.json())));
      }
    }
    return ids;
  }

  private static String callId(Map<String, String> fields) {
    return String.valueOf(Json.string(fields.get("call_id")));
  }

  private static Item withCallId(Item item, Map<String, String> ids) {
    if (ids.isEmpty() || !item.type().endsWith("_output")) {
      return item;
    }
    Map<String, String> fields = UncheckedJson.fields(item.json());
    String sent = callId(fields);
    String recorded = ids.getOrDefault(sent, sent);
    if (recorded.equals(sent)) {
      return item;
    }
    fields.put("call_id", Json.quote(recorded));
    return Item.stored(WireItems.object(fields));
  }

  /** The answer, which begins with what the client wrote of it. */
  private List<Item> answer() {
    if (!given.isPrefilled()) {
      return output;
    }
    Step begun = given.steps().get(given.steps().size() - 1);
    return Prefill.joined(given.items().subList(begun.from(), begun.to()), output);
  }
}
