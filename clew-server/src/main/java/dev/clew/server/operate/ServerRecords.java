package dev.clew.server.operate;

import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.SessionKey;
import dev.clew.erasure.SessionDocuments;
import dev.clew.json.Json;
import dev.clew.json.UncheckedJson;
import dev.clew.kit.Sha256;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The documents that servers keep about a session and that are erased with it. Immutable. How they
 * refer to the session depends on their kind:
 *
 * <pre>{@code
 * share/<digest>                        field session_id
 * shared/<digest>, @clew: share/<…>     as share/<digest>
 * turn/, stop/, run/<session>           digest of the session's id
 * queue/, queued/<session>/…            digest of the session's id
 * deleted-item/<session>/<item>         digest of the session's id
 * log/<turns of session>/…              digest of "session " and its id
 * response/<id>                         field session
 * log/<response>/…                      as response/<id>, digest of its id
 * once/<key>                            as response/<id>, by the field response
 * approved/<request>                    as once/<key>
 * chats/<session>                       digest of the session's id
 * chat/<digest>/<digest>                field session_id
 * completion/<id>                       field session_id
 * }</pre>
 *
 * Other documents belong to the owner, not to a session: {@code usage/<date>}, {@code projects},
 * {@code prompts}, {@code preferences} and the {@code schedule} of the offline model's tools.
 */
public final class ServerRecords implements SessionDocuments {
  private static final String LINK = "share/";
  private static final String RESPONSE = "response/";

  @Override
  public void each(Documents records, SessionKey key, BiConsumer<String, String> found) {
    String owner = key.owner();
    for (Document link : records.walk(owner, LINK)) {
      if (says(link, "session_id", key.id())) {
        String digest = link.name().substring(LINK.length());
        ifPresent(records, Tokens.OWNER, link.name(), found);
        ifPresent(records, owner, "shared/" + digest, found);
        found.accept(owner, link.name());
      }
    }
    String session = Sha256.hex(key.id());
    for (String kind : new String[] {"turn/", "stop/", "run/"}) {
      ifPresent(records, owner, kind + session, found);
    }
    for (String kind : new String[] {"deleted-item/", "queue/", "queued/"}) {
      beginningWith(records, owner, kind + session + "/", found);
    }
    beginningWith(records, owner, "log/" + Sha256.hex("session " + key.id()) + "/", found);
    for (String kind : new String[] {"chat/", "completion/"}) {
      for (Document document : records.walk(owner, kind)) {
        if (says(document, "session_id", key.id())) {
          found.accept(owner, document.name());
        }
      }
    }
    ifPresent(records, owner, "chats/" + session, found);
    responses(records, key, found);
  }

  private static void responses(
      Documents records, SessionKey key, BiConsumer<String, String> found) {
    String owner = key.owner();
    Set<String> ids = new HashSet<>();
    for (Document response : records.walk(owner, RESPONSE)) {
      if (says(response, "session", key.id())) {
        ids.add(response.name().substring(RESPONSE.length()));
      }
    }
    if (ids.isEmpty()) {
      return;
    }
    for (String kind : new String[] {"once/", "approved/"}) {
      for (Document document : records.walk(owner, kind)) {
        if (ids.stream().anyMatch(id -> says(document, "response", id))) {
          found.accept(owner, document.name());
        }
      }
    }
    for (String id : ids) {
      beginningWith(records, owner, "log/" + Sha256.hex(id) + "/", found);
      found.accept(owner, RESPONSE + id);
    }
  }

  private static boolean says(Document record, String field, String value) {
    Map<String, String> fields = UncheckedJson.fields(record.json());
    return value.equals(Json.string(fields.get(field)));
  }

  private static void ifPresent(
      Documents records, String owner, String name, BiConsumer<String, String> found) {
    if (records.get(owner, name).isPresent()) {
      found.accept(owner, name);
    }
  }

  private static void beginningWith(
      Documents records, String owner, String prefix, BiConsumer<String, String> found) {
    records.walk(owner, prefix).forEach(record -> found.accept(owner, record.name()));
  }
}
