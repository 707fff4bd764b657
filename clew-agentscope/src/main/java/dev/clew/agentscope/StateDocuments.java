package dev.clew.agentscope;

import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The states of a session as documents of its owner. Thread-safe.
 *
 * <p>A document has the time at which its session was created: one that an expired or deleted
 * session left does not belong to a later session with its id.
 */
final class StateDocuments {
  private static final String CREATED = "created";
  private static final String VALUE = "value";

  private final Documents documents;

  StateDocuments(Documents documents) {
    this.documents = documents;
  }

  /** A session that exists, and since when, in milliseconds. */
  record Slot(SessionKey key, long created) {}

  static Slot slot(SessionInfo info) {
    return new Slot(info.key(), info.createdAt().toEpochMilli());
  }

  /** The document of one of a session's states. */
  static String name(SessionKey session, String key) {
    return prefix(session) + key;
  }

  private static String prefix(SessionKey session) {
    return "agentscope/" + session.id().replace("%", "%25").replace("/", "%2F") + "/";
  }

  /** The text of a document. */
  static String json(Slot slot, String value) {
    return new JsonObject().put(CREATED, slot.created()).raw(VALUE, value).toString();
  }

  Optional<String> get(Slot slot, String key) {
    return documents
        .get(slot.key().owner(), name(slot.key(), key))
        .map(document -> Json.fields(document.json()))
        .filter(fields -> String.valueOf(slot.created()).equals(fields.get(CREATED)))
        .map(fields -> fields.get(VALUE));
  }

  void put(Slot slot, String key, String value) {
    documents.put(slot.key().owner(), name(slot.key(), key), json(slot, value));
  }

  void delete(SessionKey session, String key) {
    documents.delete(session.owner(), name(session, key));
  }

  void delete(SessionKey session) {
    List<String> names = new ArrayList<>();
    for (Document document : documents.walk(session.owner(), prefix(session))) {
      names.add(document.name());
    }
    names.forEach(name -> documents.delete(session.owner(), name));
  }
}
