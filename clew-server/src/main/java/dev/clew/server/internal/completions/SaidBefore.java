package dev.clew.server.internal.completions;

import dev.clew.Entry;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.json.Json;
import dev.clew.json.UncheckedJson;
import dev.clew.kit.Sha256;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What the server keeps about the completions in a session, and removes with their items: digests
 * of the history and stored completions. Stateless. The notes of items name the documents.
 */
public final class SaidBefore {
  private static final int PAGE = 500;

  private SaidBefore() {}

  /** The document that says that a session has such notes. */
  static String mark(String session) {
    return "chats/" + Sha256.hex(session);
  }

  /**
   * Finds what goes with a session, before it is deleted or cleared.
   *
   * @return removes it
   */
  public static Runnable of(SessionStore store, SessionKey key) {
    if (!isMarked(store, key)) {
      return () -> {};
    }
    Set<String> names = names(store, key);
    return () -> {
      names.forEach(name -> deleteIfOf(store, key, name));
      store.documents().delete(key.owner(), mark(key.id()));
    };
  }

  /**
   * Finds what goes with items, before some of them are removed.
   *
   * @return removes what belonged to items that are gone
   */
  public static Runnable ofItems(SessionStore store, SessionKey key) {
    if (!isMarked(store, key)) {
      return () -> {};
    }
    Set<String> names = names(store, key);
    return () -> {
      names.removeAll(names(store, key));
      names.forEach(name -> deleteIfOf(store, key, name));
    };
  }

  private static boolean isMarked(SessionStore store, SessionKey key) {
    return store.documents().get(key.owner(), mark(key.id())).isPresent();
  }

  private static Set<String> names(SessionStore store, SessionKey key) {
    Set<String> names = new HashSet<>();
    Range all = Range.first(PAGE).withCompacted();
    for (Entry entry : all.walk(store.session(key)::entries)) {
      Map<String, Object> notes = entry.notes();
      if (notes.get(ChatRecords.NOTE) instanceof String name) {
        names.add(ChatRecords.PLACE + name);
      }
      if (notes.get(ChatRecords.COMPLETION_NOTE) instanceof String id) {
        names.add(StoredCompletions.PREFIX + id);
      }
    }
    return names;
  }

  /** A fork has the notes of the session it was made from, which still needs the documents. */
  private static void deleteIfOf(SessionStore store, SessionKey key, String name) {
    store
        .documents()
        .get(key.owner(), name)
        .map(document -> UncheckedJson.fields(document.json()).get("session_id"))
        .filter(id -> key.id().equals(Json.string(id)))
        .ifPresent(id -> store.documents().delete(key.owner(), name));
  }
}
