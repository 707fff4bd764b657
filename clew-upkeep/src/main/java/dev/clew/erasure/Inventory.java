package dev.clew.erasure;

import dev.clew.ClewException;
import dev.clew.Documents.Document;
import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.copy.EntryReader;
import dev.clew.copy.SessionWalk;
import dev.clew.erasure.ErasureListener.Phase;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.kit.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What there is to erase: counted, digested, and pieces of it to look for afterwards. Immutable. It
 * is kept in the store until the erasure is done, so that one which was interrupted knows what it
 * began with.
 */
record Inventory(
    Instant begunAt, long sessions, long items, long records, String digest, Traces traces) {
  /** Of a long session the beginning is looked for, and some more. */
  private static final int ENTRIES = 200;

  /**
   * Of an owner, or of one of the owner's sessions.
   *
   * @param store as people read it
   * @param plain as it is stored
   * @param named the documents that go with it beside those of the owner
   */
  static Inventory of(
      SessionStore store,
      SessionStore plain,
      String owner,
      Optional<String> id,
      List<NamedDocuments.Place> named,
      Instant now,
      ErasureListener listener) {
    Taking taking = new Taking(store, plain, listener);
    if (id.isPresent()) {
      Optional<SessionInfo> info = plain.session(new SessionKey(owner, id.get())).info();
      taking.total = info.map(SessionInfo::itemCount).orElse(0L);
      info.ifPresent(taking::session);
    } else {
      SessionWalk walk = new SessionWalk(plain, owner, Optional.empty());
      taking.total = walk.items();
      walk.forEach(taking::session);
      plain.documents().walk(owner, "").forEach(taking::document);
    }
    for (NamedDocuments.Place place : named) {
      plain.documents().get(place.owner(), place.name()).ifPresent(taking::document);
    }
    String digest = HexFormat.of().formatHex(taking.digest.digest());
    return new Inventory(now, taking.sessions, taking.items, taking.records, digest, taking.traces);
  }

  /** Going through. Used by one thread. */
  private static final class Taking {
    private final SessionStore store;
    private final SessionStore plain;
    private final ErasureListener listener;
    private final MessageDigest digest = Sha256.begin();
    private final Traces traces = new Traces();
    private long sessions;
    private long items;
    private long records;
    private long total;

    Taking(SessionStore store, SessionStore plain, ErasureListener listener) {
      this.store = store;
      this.plain = plain;
      this.listener = listener;
    }

    private void session(SessionInfo info) {
      sessions++;
      update(info.key().id());
      int taken = 0;
      EntryReader reader = EntryReader.of(plain, info);
      while (reader.hasMore()) {
        for (Entry entry : reader.next()) {
          items++;
          update(entry.item().json());
          if (taken++ < ENTRIES || taken % ENTRIES == 0) {
            traces.add(entry.item().json());
          }
        }
        listener.progressed(Phase.READING, items, Math.max(items, total));
      }
      words(info.key());
    }

    /** What people see of it, in whatever form it may be found again. */
    private void words(SessionKey key) {
      try {
        store.session(key).info().ifPresent(this::words);
      } catch (ClewException.CorruptRecord e) {
        // Nobody can read it; its bytes are looked for all the same.
      }
    }

    private void words(SessionInfo info) {
      traces.addWords(info.title());
      Words.all(Json.write(info.metadata()), traces::addWords);
      int taken = 0;
      EntryReader reader = EntryReader.of(store, info);
      while (reader.hasMore()) {
        for (Entry entry : reader.next()) {
          if (taken++ < ENTRIES || taken % ENTRIES == 0) {
            Words.said(entry.item().json(), traces::addWords);
          }
        }
      }
    }

    private void document(Document document) {
      records++;
      update(document.name());
      update(document.json());
      traces.add(document.json());
    }

    private void update(String text) {
      digest.update(text.getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
    }
  }

  String json() {
    List<String> hashes = traces.hashes().stream().map(Long::toHexString).toList();
    return new JsonObject()
        .put("begun", begunAt.toString())
        .put("sessions", sessions)
        .put("items", items)
        .put("records", records)
        .put("digest", digest)
        .put("traces", hashes)
        .json();
  }

  static Inventory parse(String json) {
    Map<String, String> fields = Json.fields(json);
    Set<Long> hashes = new HashSet<>();
    for (String hash : Json.elements(fields.getOrDefault("traces", "[]"))) {
      hashes.add(Long.parseUnsignedLong(String.valueOf(Json.string(hash)), 16));
    }
    return new Inventory(
        Instant.parse(String.valueOf(Json.string(fields.get("begun")))),
        number(fields, "sessions"),
        number(fields, "items"),
        number(fields, "records"),
        String.valueOf(Json.string(fields.get("digest"))),
        new Traces(hashes));
  }

  private static long number(Map<String, String> fields, String name) {
    return Long.parseLong(fields.getOrDefault(name, "0"));
  }
}
