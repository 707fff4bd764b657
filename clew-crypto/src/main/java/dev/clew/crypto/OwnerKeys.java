package dev.clew.crypto;

import dev.clew.ClewException.CorruptRecord;
import dev.clew.ClewException.NotSupported;
import dev.clew.ClewException.VersionConflict;
import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.kit.EncryptionMark;
import dev.clew.kit.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the owners, wrapped by the master keys and kept as documents. Thread-safe.
 *
 * <p>Each key is the document of an owner of its own that nobody else can use, so that erasing that
 * owner leaves nothing of the key in any file:
 *
 * <pre>
 * &#64;clew.keys/SHA-256 of the owner's name   key   {"owner":"ann","key":1234567,"wrapped":"…"}
 * </pre>
 *
 * <p>For reading, a known key is used for a few seconds without a look at its document. For writing
 * it is looked up each time unless this process is alone.
 */
final class OwnerKeys {
  /** The name, or the prefix, of the owners of key documents. */
  static final String OWNER = EncryptionMark.OWNER;

  /** Sorts after all of them. */
  static final String BEHIND = OWNER + "/~";

  private static final String STORE = EncryptionMark.NAME;
  private static final String KEY = "key";
  private static final int PAGE = 100;
  private static final int MOST_OWNERS = 10_000;
  private static final int MOST_SESSIONS = 10_000;
  private static final long FRESH = Duration.ofSeconds(5).toNanos();

  private final SessionStore store;
  private final MasterKeys master;
  private final boolean alone;
  private final LongSupplier nanoTime;
  private final SecureRandom random = new SecureRandom();
  private final Recent<String, Known> owners = new Recent<>(MOST_OWNERS, known -> 1);
  private final Recent<SessionKey, SessionSeal> sessions = new Recent<>(MOST_SESSIONS, seal -> 1);

  private record Known(OwnerKey key, long since) {}

  /**
   * @param alone whether no other process can erase an owner
   */
  OwnerKeys(SessionStore store, MasterKeys master, boolean alone, LongSupplier nanoTime) {
    this.alone = alone;
    this.store = store;
    this.master = master;
    this.nanoTime = nanoTime;
  }

  /**
   * Checks that these master keys belong to the store, and marks an empty store.
   *
   * @param isEmpty whether the store is empty
   */
  void check(Supplier<Boolean> isEmpty, Supplier<RuntimeException> notEmpty) {
    Documents documents = store.documents();
    Optional<Document> mark = documents.get(OWNER, STORE);
    if (mark.isEmpty()) {
      if (!isEmpty.get()) {
        throw notEmpty.get();
      }
      byte[] wrapped = master.wrap(new byte[0], markPlace());
      try {
        String json = json(Optional.empty(), wrapped);
        documents.put(OWNER, STORE, json, OptionalLong.of(0), Optional.empty());
        return;
      } catch (NotSupported e) {
        return; // an empty store that was opened to read
      } catch (VersionConflict e) {
        mark = documents.get(OWNER, STORE); // another process was faster
      }
    }
    Document found = mark.orElseThrow();
    master.unwrap(wrapped(found), markPlace(), "this store");
  }

  /** The key of an owner, if there is one. */
  Optional<OwnerKey> find(String owner) {
    Known known = owners.get(owner);
    long now = nanoTime.getAsLong();
    if (known != null && now - known.since() < FRESH) {
      return Optional.of(known.key());
    }
    return reread(owner, known);
  }

  private Optional<OwnerKey> remember(String owner, Optional<OwnerKey> key) {
    if (key.isPresent()) {
      owners.put(owner, new Known(key.get(), nanoTime.getAsLong()));
    } else {
      owners.remove(owner);
    }
    return key;
  }

  /** The current key, for writing: another process may have erased the owner. */
  Optional<OwnerKey> current(String owner) {
    if (alone) {
      return find(owner);
    }
    return reread(owner, owners.get(owner));
  }

  private Optional<OwnerKey> reread(String owner, @Nullable Known known) {
    return remember(owner, read(owner, known == null ? null : known.key()));
  }

  /** The current key of an owner, created if there is none. */
  OwnerKey need(String owner) {
    refuseOwn(owner);
    return current(owner).orElseGet(() -> make(owner));
  }

  /** Only this class uses the documents of the keys. */
  static void refuseOwn(String owner) {
    if (isOwn(owner)) {
      throw new IllegalArgumentException("the owner '" + owner + "' is for keys only");
    }
  }

  static boolean isOwn(String owner) {
    return owner.startsWith(OWNER);
  }

  private OwnerKey make(String owner) {
    byte[] secret = new byte[Cipher.KEY_BYTES];
    random.nextBytes(secret);
    int id = random.nextInt();
    byte[] wrapped = master.wrap(secret, place(owner, id));
    try {
      String json = json(Optional.of(new OwnerKey(owner, id, secret)), wrapped);
      store.documents().put(name(owner), KEY, json, OptionalLong.of(0), Optional.empty());
    } catch (VersionConflict e) {
      // Another process was faster; its key counts.
    }
    return remember(owner, read(owner, null))
        .orElseThrow(() -> new VersionConflict("owner '" + owner + "' is being erased; try again"));
  }

  private Optional<OwnerKey> read(String owner, @Nullable OwnerKey known) {
    return store
        .documents()
        .get(name(owner), KEY)
        .map(
            document -> {
              int id = id(document);
              return known != null && known.id() == id ? known : open(owner, id, document);
            });
  }

  private OwnerKey open(String owner, int id, Document document) {
    return new OwnerKey(
        owner,
        id,
        master.unwrap(wrapped(document), place(owner, id), "the key of owner '" + owner + "'"));
  }

  /** Deletes the key of an owner: its content can never be read again. */
  void delete(String owner) {
    forget(owner);
    store.erase(name(owner));
    forget(owner);
  }

  private void forget(String owner) {
    owners.remove(owner);
    sessions.removeIf(key -> key.owner().equals(owner));
  }

  /** The seal of a session, if its owner has a key. */
  Optional<SessionSeal> seal(SessionKey key) {
    return find(key.owner()).map(owner -> seal(owner, key));
  }

  SessionSeal seal(OwnerKey owner, SessionKey key) {
    SessionSeal seal = sessions.get(key);
    if (seal == null || seal.ownerKey() != owner.id()) {
      seal = owner.session(key);
      sessions.put(key, seal);
    }
    return seal;
  }

  /** Wraps a key with the newest master key; returns false if it is already. */
  static boolean rewrap(Documents documents, MasterKeys master, Document document) {
    byte[] wrapped = wrapped(document);
    if (MasterKeys.wrappedWith(wrapped).equals(master.newest())) {
      return false;
    }
    boolean mark = document.name().equals(STORE);
    String owner = mark ? "" : text(document, "owner");
    byte[] place = mark ? markPlace() : place(owner, id(document));
    String what = mark ? "this store" : "the key of owner '" + owner + "'";
    byte[] secret = master.unwrap(wrapped, place, what);
    byte[] again = master.wrap(secret, place);
    documents.put(
        document.owner(),
        document.name(),
        mark
            ? json(Optional.empty(), again)
            : json(Optional.of(new OwnerKey(owner, id(document), secret)), again),
        OptionalLong.of(document.version()),
        Optional.empty());
    return true;
  }

  /** Passes on each key document of a store, in bounded steps. */
  static void each(SessionStore store, Consumer<Document> use) {
    store.documents().get(OWNER, STORE).ifPresent(use);
    Optional<String> after = Optional.of(OWNER + "/");
    while (after.isPresent()) {
      List<String> owners = store.owners(after, PAGE);
      after = Optional.empty();
      for (String owner : owners) {
        if (isOwn(owner)) {
          store.documents().get(owner, KEY).ifPresent(use);
          after = Optional.of(owner);
        }
      }
    }
  }

  /** The id of the master key that wraps a key. */
  static String masterKey(Document document) {
    return MasterKeys.wrappedWith(wrapped(document));
  }

  private static String json(Optional<OwnerKey> key, byte[] wrapped) {
    JsonObject json = new JsonObject();
    key.ifPresent(it -> json.put("owner", it.owner()).put("key", it.id()));
    return json.put("wrapped", Base64.getUrlEncoder().withoutPadding().encodeToString(wrapped))
        .json();
  }

  private static byte[] wrapped(Document document) {
    try {
      return Base64.getUrlDecoder().decode(text(document, "wrapped"));
    } catch (IllegalArgumentException e) {
      throw corrupt(document);
    }
  }

  private static int id(Document document) {
    try {
      return Integer.parseInt(String.valueOf(fields(document).get("key")));
    } catch (NumberFormatException e) {
      throw corrupt(document);
    }
  }

  private static String text(Document document, String field) {
    String text = Json.string(fields(document).get(field));
    if (text == null) {
      throw corrupt(document);
    }
    return text;
  }

  private static Map<String, String> fields(Document document) {
    try {
      return Json.fields(document.json());
    } catch (IllegalArgumentException e) {
      throw corrupt(document);
    }
  }

  private static CorruptRecord corrupt(Document document) {
    return new CorruptRecord(
        "the key document '" + document.owner() + "' is not what was written; nothing was changed");
  }

  private static byte[] place(String owner, int id) {
    return Cipher.place("clew owner key 1", owner, "", id);
  }

  private static byte[] markPlace() {
    return Cipher.place("clew store 1", "", "", 0);
  }

  private static String name(String owner) {
    byte[] hash = Sha256.of(owner.getBytes(StandardCharsets.UTF_8));
    return OWNER + "/" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
  }
}
