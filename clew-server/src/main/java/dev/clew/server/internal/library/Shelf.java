package dev.clew.server.internal.library;

import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.JsonText;
import dev.clew.kit.Contended;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.wire.ConversationIds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * Small named things of an owner, in one document, which is erased with the owner. Thread-safe;
 * several servers may write. Sample, the document {@code prompts}:
 *
 * <pre>{@code
 * {"data":[{"id":"prompt_01f3…","name":"translate","text":"Translate into {language}:"}]}
 * }</pre>
 *
 * @param name the document's name
 * @param prefix of ids
 * @param most how many things there may be
 */
public record Shelf(Documents documents, String name, String prefix, int most) {
  /** How long the document may be; it is read whole. */
  static final int MOST_BYTES = 1 << 20;

  private static final int ID_DIGITS = 24;

  /** A thing. Immutable. */
  public record Thing(String id, Map<String, String> fields) {
    public Thing {
      fields = Map.copyOf(fields);
    }

    /** A field; empty if it is not set. */
    public String field(String name) {
      return fields.getOrDefault(name, "");
    }

    private Thing with(Map<String, String> changes) {
      Map<String, String> all = new LinkedHashMap<>(fields);
      all.putAll(changes);
      all.values().removeIf(String::isEmpty);
      return new Thing(id, all);
    }

    /** Its fields, with the id under a name. */
    public JsonObject json(String idName) {
      JsonObject json = new JsonObject().put(idName, id);
      fields.keySet().stream().sorted().forEach(field -> json.put(field, fields.get(field)));
      return json;
    }
  }

  public List<Thing> all(String owner) {
    return documents.get(owner, name).map(Shelf::parse).orElse(List.of());
  }

  public Optional<Thing> find(String owner, String id) {
    return all(owner).stream().filter(thing -> thing.id().equals(id)).findFirst();
  }

  Thing add(String owner, Map<String, String> fields) {
    Thing thing = new Thing(ConversationIds.random(prefix, ID_DIGITS), Map.of()).with(fields);
    put(owner, thing);
    return thing;
  }

  /** Adds a thing unless its id is there already. */
  public void put(String owner, Thing thing) {
    change(
        owner,
        things -> {
          if (things.stream().noneMatch(each -> each.id().equals(thing.id()))) {
            things.add(thing);
          }
          return things;
        });
  }

  /** Changes fields; an empty value removes one. */
  Optional<Thing> change(String owner, String id, Map<String, String> fields) {
    change(
        owner,
        things -> {
          things.replaceAll(thing -> thing.id().equals(id) ? thing.with(fields) : thing);
          return things;
        });
    return find(owner, id);
  }

  boolean remove(String owner, String id) {
    boolean was = find(owner, id).isPresent();
    change(
        owner,
        things -> {
          things.removeIf(thing -> thing.id().equals(id));
          return things;
        });
    return was;
  }

  private void change(String owner, UnaryOperator<List<Thing>> change) {
    Contended.repeat(
        () -> {
          Optional<Document> before = documents.get(owner, name);
          List<Thing> things = before.map(Shelf::parse).orElse(List.of());
          List<Thing> after = change.apply(new ArrayList<>(things));
          if (!after.equals(things)) {
            documents.put(
                owner,
                name,
                checked(after, things),
                OptionalLong.of(before.map(Document::version).orElse(0L)),
                Optional.empty());
          }
          return after;
        });
  }

  private String checked(List<Thing> after, List<Thing> before) {
    String json =
        new JsonObject()
            .putAll("data", after.stream().map(thing -> thing.json("id")).toList())
            .toString();
    boolean grows = after.size() > before.size();
    if (grows && after.size() > most) {
      throw Problem.invalid(
          "too_many_" + name, null, "There are " + most + " " + name + " already; delete one.");
    }
    if (JsonText.utf8Length(json) > MOST_BYTES) {
      throw Problem.invalid(
          "too_many_" + name,
          null,
          "All %s together have more than %d bytes; shorten or delete some."
              .formatted(name, MOST_BYTES));
    }
    return json;
  }

  private static List<Thing> parse(Document document) {
    List<Thing> things = new ArrayList<>();
    for (String each : Json.elements(Json.fields(document.json()).getOrDefault("data", "[]"))) {
      Map<String, String> fields = new LinkedHashMap<>();
      Json.fields(each)
          .forEach(
              (field, value) -> {
                String text = Json.string(value);
                if (text != null) {
                  fields.put(field, text);
                }
              });
      String id = fields.remove("id");
      if (id != null) {
        things.add(new Thing(id, fields));
      }
    }
    return things;
  }
}
