package dev.clew.server.internal.completions;

import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import dev.clew.kit.Sha256;
import dev.clew.server.internal.completions.Steps.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Where the history of a client continues, as documents of the owner. Thread-safe. Samples:
 *
 * <pre>{@code
 * chat/<digest of the last exchange>/<digest of everything said>/<time, the newest first>
 *   {"session_id":"trip","root":"trip","position":12,"system":"8e3f…","calls":["call_1"]}
 * chats/<digest of the session's id>
 *   {"session_id":"trip"}
 * }</pre>
 *
 * <p>There is one of the first kind for every answer, even if another chat said the same; the note
 * {@code chat} of its last item names it, so that it can be removed with the session. One of the
 * second kind says that a session has such notes.
 */
record ChatRecords(SessionStore store) {
  static final String NOTE = "chat";
  static final String COMPLETION_NOTE = "completion";
  static final Duration KEPT = Duration.ofDays(400);
  static final String PLACE = "chat/";

  /** How many sessions with the same history, or the same last exchange, are looked at. */
  private static final int CANDIDATES = 8;

  /** How many are read to find so many with the same last exchange and different histories. */
  private static final int READ = 4 * CANDIDATES;

  /**
   * Where a history ends that a client may send again. Immutable.
   *
   * @param root the session that the client names, if it does
   * @param position of the last item
   * @param chain the digest of everything said
   * @param system the digest of the instructions
   * @param calls the ids of the tool calls at the end
   */
  record Known(
      String session, String root, long position, String chain, String system, List<String> calls) {
    String json() {
      return new JsonObject()
          .put("session_id", session)
          .put("root", root)
          .put("position", position)
          .put("system", system)
          .array("calls", calls.stream().map(Json::quote).toList())
          .toString();
    }

    static Known parse(Document document) {
      Map<String, String> fields = UncheckedJson.fields(document.json());
      String name = document.name();
      return new Known(
          text(fields, "session_id"),
          text(fields, "root"),
          Long.parseLong(fields.getOrDefault("position", "-1")),
          ChatRecords.chain(name),
          text(fields, "system"),
          UncheckedJson.elements(fields.getOrDefault("calls", "[]")).stream()
              .map(raw -> String.valueOf(Json.string(raw)))
              .toList());
    }

    private static String text(Map<String, String> fields, String name) {
      return String.valueOf(Json.string(fields.getOrDefault(name, "\"\"")));
    }
  }

  /** The digest of the last two steps of a history. */
  static String tail(List<Step> steps) {
    int from = Math.max(0, steps.size() - 2);
    StringBuilder all = new StringBuilder();
    steps.subList(from, steps.size()).forEach(step -> all.append(step.digest()));
    return Sha256.brief(all.toString());
  }

  /**
   * The name of the document of an answer.
   *
   * @param completion its id, because two answers may have the same time
   */
  static String name(String tail, String chain, Instant time, String completion) {
    String newestFirst = String.format("%016x", Long.MAX_VALUE - time.toEpochMilli());
    return PLACE + tail + "/" + chain + "/" + newestFirst + Sha256.brief(completion);
  }

  /** The digest of everything said, in the name of a document. */
  static String chain(String name) {
    return name.split("/", -1)[2];
  }

  /** The newest histories that say the same. */
  List<Known> find(String owner, String tail, String chain) {
    return list(owner, tail + "/" + chain, CANDIDATES).toList();
  }

  /** Histories that end with the same exchange, the newest of each that says something else. */
  List<Known> candidates(String owner, String tail) {
    Map<String, Known> newest = new LinkedHashMap<>();
    list(owner, tail + "/", READ).forEach(known -> newest.putIfAbsent(known.chain(), known));
    return newest.values().stream().limit(CANDIDATES).toList();
  }

  private Stream<Known> list(String owner, String prefix, int limit) {
    return documents().list(owner, PLACE + prefix, Optional.empty(), limit).stream()
        .map(Known::parse);
  }

  /** Remembers that a session has notes. */
  void mark(SessionKey key) {
    documents()
        .put(
            key.owner(),
            SaidBefore.mark(key.id()),
            new JsonObject().put("session_id", key.id()).toString(),
            OptionalLong.empty(),
            Optional.of(KEPT));
  }

  private Documents documents() {
    return store.documents();
  }
}
