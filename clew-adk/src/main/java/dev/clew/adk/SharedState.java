package dev.clew.adk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.google.adk.JsonBaseModel;
import com.google.adk.sessions.State;
import dev.clew.ClewException;
import dev.clew.Documents;
import dev.clew.Documents.Document;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The state of an app and of its users, a document each. Thread-safe. */
final class SharedState {
  private static final int ATTEMPTS = 100;

  private final Documents documents;

  SharedState(Documents documents) {
    this.documents = documents;
  }

  /** Both, with the prefixes of their keys. */
  Map<String, Object> read(String app, String user) {
    Map<String, Object> state = new TreeMap<>();
    document(AdkNames.appOwner(app), AdkNames.APP_STATE)
        .forEach((key, value) -> state.put(State.APP_PREFIX + key, value));
    document(user, AdkNames.userState(app))
        .forEach((key, value) -> state.put(State.USER_PREFIX + key, value));
    return state;
  }

  private Map<String, Object> document(String owner, String name) {
    return documents.get(owner, name).map(found -> map(found.json())).orElseGet(Map::of);
  }

  /** Writes the keys of a change that belong to the app or to the user. */
  void write(String app, String user, Map<String, Object> delta) {
    merge(AdkNames.appOwner(app), AdkNames.APP_STATE, of(State.APP_PREFIX, delta));
    merge(user, AdkNames.userState(app), of(State.USER_PREFIX, delta));
  }

  private static Map<String, Object> of(String prefix, Map<String, Object> delta) {
    Map<String, Object> mine = new LinkedHashMap<>();
    delta.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            mine.put(key.substring(prefix.length()), value);
          }
        });
    return mine;
  }

  private void merge(String owner, String name, Map<String, Object> delta) {
    for (int attempt = 1; !delta.isEmpty(); attempt++) {
      Optional<Document> before = documents.get(owner, name);
      Map<String, Object> state = before.map(found -> map(found.json())).orElseGet(TreeMap::new);
      apply(delta, state);
      try {
        documents.put(
            owner,
            name,
            json(state),
            OptionalLong.of(before.map(Document::version).orElse(0L)),
            Optional.empty());
        return;
      } catch (ClewException.VersionConflict e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** The keys of a change that are the session's own. */
  static Map<String, Object> ofSession(Map<String, Object> delta) {
    Map<String, Object> mine = new LinkedHashMap<>(delta);
    mine.keySet()
        .removeIf(
            key ->
                key.startsWith(State.APP_PREFIX)
                    || key.startsWith(State.USER_PREFIX)
                    || key.startsWith(State.TEMP_PREFIX));
    return mine;
  }

  @SuppressWarnings("ReferenceEquality") // the sentinel
  static void apply(Map<String, Object> delta, Map<String, Object> state) {
    delta.forEach(
        (key, value) -> {
          if (value == null || value == State.REMOVED) {
            state.remove(key);
          } else {
            state.put(key, value);
          }
        });
  }

  static Map<String, Object> map(String json) {
    try {
      Map<String, Object> map =
          JsonBaseModel.getMapper()
              .readValue(json, new TypeReference<TreeMap<String, Object>>() {});
      map.values().removeIf(value -> value == null);
      return map;
    } catch (JsonProcessingException e) {
      throw new ClewException.CorruptRecord(
          "a state of ADK is no JSON object: " + e.getOriginalMessage());
    }
  }

  /**
   * Refuses a state that cannot be stored, whose {@code temp:} keys are not.
   *
   * @throws IllegalArgumentException naming the key
   */
  static void check(Map<String, Object> state) {
    state.forEach(
        (key, value) -> {
          if (!key.startsWith(State.TEMP_PREFIX) && !isJson(value)) {
            throw new IllegalArgumentException(
                "the key '"
                    + key
                    + "' of the state has a value of type "
                    + value.getClass().getName()
                    + ", which cannot be written as JSON; use text, numbers, booleans, and lists"
                    + " and maps of them, or a key that begins with temp:");
          }
        });
  }

  private static boolean isJson(@Nullable Object value) {
    if (value == null || value instanceof String || value instanceof Number) {
      return true;
    }
    try {
      JsonBaseModel.getMapper().writeValueAsString(value);
      return true;
    } catch (JsonProcessingException e) {
      return false;
    }
  }

  static String json(Map<String, Object> state) {
    return JsonBaseModel.toJsonString(state);
  }
}
