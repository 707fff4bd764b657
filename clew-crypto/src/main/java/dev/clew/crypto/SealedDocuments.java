package dev.clew.crypto;

import dev.clew.ClewException.CorruptRecord;
import dev.clew.Commit;
import dev.clew.Commit.DocumentPut;
import dev.clew.Documents;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.kit.DocumentRules;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Documents whose text is sealed for its owner and name. Thread-safe. Owners, names, versions and
 * times are not encrypted.
 */
record SealedDocuments(Documents delegate, OwnerKeys keys) implements Documents {
  private static final String SEALED = "clew.sealed";

  @Override
  public Optional<Document> get(String owner, String name) {
    OwnerKeys.refuseOwn(owner);
    return delegate.get(owner, name).map(this::open);
  }

  @Override
  public Document put(
      String owner,
      String name,
      String json,
      OptionalLong expectedVersion,
      Optional<Duration> timeToLive) {
    OwnerKeys.refuseOwn(owner);
    DocumentRules.checkName(owner, name);
    DocumentRules.checkJson(name, json);
    String sealed = seal(keys.need(owner), name, json);
    return plain(delegate.put(owner, name, sealed, expectedVersion, timeToLive), json);
  }

  /** The same commit with its document sealed. */
  static Commit seal(OwnerKey key, Commit commit) {
    return commit.document().map(put -> commit.document(seal(key, put))).orElse(commit);
  }

  private static DocumentPut seal(OwnerKey key, DocumentPut put) {
    return new DocumentPut(
        put.name(),
        put.expectedVersion(),
        put.timeToLive(),
        receipt -> {
          String json = put.json().apply(receipt);
          DocumentRules.checkJson(put.name(), json);
          return seal(key, put.name(), json);
        });
  }

  private static String seal(OwnerKey key, String name, String json) {
    byte[] sealed =
        key.documents().encrypt(json.getBytes(StandardCharsets.UTF_8), place(key.owner(), name));
    return new JsonObject().put(SEALED, new Sealed(key.id(), sealed).text()).json();
  }

  @Override
  public boolean delete(String owner, String name) {
    OwnerKeys.refuseOwn(owner);
    return delegate.delete(owner, name);
  }

  @Override
  public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
    OwnerKeys.refuseOwn(owner);
    return delegate.list(owner, prefix, after, limit).stream().map(this::open).toList();
  }

  private Document open(Document document) {
    Sealed sealed = sealed(document.json());
    if (sealed == null) {
      throw corrupt(document, "is not encrypted, and this store takes nothing else");
    }
    byte[] plain =
        keys.find(document.owner())
            .filter(key -> key.id() == sealed.ownerKey())
            .or(() -> keys.current(document.owner()))
            .filter(key -> key.id() == sealed.ownerKey())
            .map(
                key ->
                    key.documents()
                        .decrypt(sealed.bytes(), place(document.owner(), document.name())))
            .orElse(null);
    if (plain == null) {
      throw corrupt(
          document, "cannot be decrypted: it was changed, moved here, or its key was deleted");
    }
    return plain(document, new String(plain, StandardCharsets.UTF_8));
  }

  private static @Nullable Sealed sealed(String json) {
    try {
      Map<String, String> fields = Json.fields(json);
      String text = Json.string(fields.get(SEALED));
      return text == null || fields.size() != 1 ? null : Sealed.parse(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static Document plain(Document document, String json) {
    return new Document(
        document.owner(), document.name(), json, document.version(), document.expiresAt());
  }

  private static byte[] place(String owner, String name) {
    return Cipher.place("clew record 1", owner, name, 0);
  }

  private static CorruptRecord corrupt(Document document, String why) {
    return new CorruptRecord(
        "the document '%s' of owner '%s' %s; nothing was removed"
            .formatted(document.name(), document.owner(), why));
  }
}
