package dev.clew.server.internal.wire;

import dev.clew.Entry;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.kit.Sha256;
import dev.clew.server.internal.http.Problem;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Finds items of a session by their ids on the wire. Thread-safe. */
public record ItemPlaces(SessionStore store) {
  /** How long a deleted item can still be used as a cursor. */
  private static final Duration TOMBSTONE = Duration.ofHours(1);

  /** The entry with this id, its own or one made from its position. */
  public Optional<Entry> find(SessionKey key, String id) {
    Optional<Entry> found = store.session(key).find(id);
    OptionalLong position = WireItems.position(id);
    if (found.isEmpty() && position.isPresent()) {
      return Entries.at(store.session(key), position.getAsLong(), false)
          .filter(entry -> WireItems.id(entry).equals(id));
    }
    return found;
  }

  /**
   * The position of an item, even if it was deleted.
   *
   * @throws Problem if there was none with this id
   */
  public long at(SessionKey key, String id) {
    Optional<Entry> found = store.session(key).find(id);
    if (found.isPresent()) {
      return found.get().position();
    }
    OptionalLong position = WireItems.position(id);
    if (position.isPresent()) {
      return position.getAsLong();
    }
    return store
        .documents()
        .get(key.owner(), tombstone(key, id))
        .map(record -> Json.readObject(record.json()).get("position"))
        .map(place -> ((Number) place).longValue())
        .orElseThrow(() -> unknownCursor(id));
  }

  public static Problem unknownCursor(String id) {
    return Problem.invalidValue("after", "there is no item with id '" + id + "'");
  }

  public void remember(SessionKey key, Entry entry) {
    entry
        .item()
        .id()
        .ifPresent(
            id ->
                store
                    .documents()
                    .put(
                        key.owner(),
                        tombstone(key, id),
                        new JsonObject().put("position", entry.position()).toString(),
                        OptionalLong.empty(),
                        Optional.of(TOMBSTONE)));
  }

  private static String tombstone(SessionKey key, String id) {
    return "deleted-item/" + Sha256.hex(key.id()) + "/" + Sha256.hex(id);
  }
}
