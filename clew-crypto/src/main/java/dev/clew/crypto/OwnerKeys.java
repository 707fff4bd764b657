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
 * The keys of the owners, wrapped by the master keys and kept as records. Thread-safe.
 *
 * <p>A record for each key, of an owner of its own that nobody else can use, so that erasing that
 * one leaves nothing of the key in any file:
 *
 * <pre>
 * &#64;clew.keys/SHA-256 of the owner's name   key   {"owner":"ann","key":1234567,"wrapped":"…"}
 * </pre>
 *
 * <p>For reading, a key that is known is used for a few seconds without looking whether it is still
 * there. For writing it is looked up each time unless this process is alone.
 */
final class OwnerKeys {
  /** What the owners of key records are called, or begin with. */
  static final String OWNER = EncryptionMark.OWNER;

  /** Comes after all of them. */
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
   * Makes sure that these master keys are those of the store, and marks a store that has no mark.
   *
   * @param isEmpty whether there is nothing in the store yet
   */
  void check(Supplier<Boolean> isEmpty, Supplier<RuntimeException> notEmpty) {
    Documents records = store.documents();
    Optional<Document> mark = records.get(OWNER, STORE);
    if (mark.isEmpty()) {
      if (!isEmpty.get()) {
        throw notEmpty.get();
      }
      byte[] wrapped = master.wrap(new byte[0], markPlace());
      try {
        String json = json(Optional.empty(), wrapped);
        records.put(OWNER, STORE, json, OptionalLong.of(0), Optional.empty());
        return;
      } catch (NotSupported e) {
        return; // it may only be read, and is empty
      } catch (VersionConflict e) {
        mark = records.get(OWNER, STORE); // another was faster
      }
    }
    Document found = mark.orElseThrow();
    master.unwrap(wrapped(found), markPlace(), "this store");
  }

  /** The key of an owner, unless she has none. */
  Optional<OwnerKey> find(String owner) {
    Known known = owners.get(owner);
    long now = nanoTime.getAsLong();
    if (known != null && now - known.since() < FRESH) {
      return Optional.of(known.key());
    }
    return remember(owner, read(owner, known == null ? null : known.key()));
  }

  private Optional<OwnerKey> remember(String owner, Optional<OwnerKey> key) {
    if (key.isPresent()) {
      owners.put(owner, new Known(key.get(), nanoTime.getAsLong()));
    } else {
      owners.remove(owner);
    }
    return key;
  }

  /**
   * The key as it is now: another process may have erased the owner, and nothing may be written
   * with a key that is gone.
   */
  Optional<OwnerKey> current(String owner) {
    if (alone) {
      return find(owner);
    }
    Known known = owners.get(owner);
    return remember(owner, read(owner, known == null ? null : known.key()));
  }

  /** The key of an owner as it is now, made if she has none. */
  OwnerKey need(String owner) {
    refuseOwn(owner);
    return current(owner).orElseGet(() -> make(owner));
  }

  /** Nobody but this class uses the records of the keys. */
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
      // Another was faster; its key is the one.
    }
    return remember(owner, read(owner, null))
        .orElseThrow(() -> new VersionConflict("owner '" + owner + "' is being erased; try again"));
  }

  private Optional<OwnerKey> read(String owner, @Nullable OwnerKey known) {
    return store
        .documents()
        .get(name(owner), KEY)
        .map(
            record -> {
              int id = id(record);
              return known != null && known.id() == id ? known : open(owner, id, record);
            });
  }

  private OwnerKey open(String owner, int id, Document record) {
    return new OwnerKey(
        owner,
        id,
        master.unwrap(wrapped(record), place(owner, id), "the key of owner '" + owner + "'"));
  }

  /** Deletes the key of an owner: what was written with it can never be read again. */
  void delete(String owner) {
    forget(owner);
    store.erase(name(owner));
    forget(owner);
  }

  private void forget(String owner) {
    owners.remove(owner);
    sessions.removeIf(key -> key.owner().equals(owner));
  }

  /** What opens a session, unless its owner has no key. */
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

  /** Wraps a record again with the newest master key; whether it had another. */
  static boolean rewrap(Documents records, MasterKeys master, Document record) {
    byte[] wrapped = wrapped(record);
    if (MasterKeys.wrappedWith(wrapped).equals(master.newest())) {
      return false;
    }
    boolean mark = record.name().equals(STORE);
    String owner = mark ? "" : text(record, "owner");
    byte[] place = mark ? markPlace() : place(owner, id(record));
    String what = mark ? "this store" : "the key of owner '" + owner + "'";
    byte[] secret = master.unwrap(wrapped, place, what);
    byte[] again = master.wrap(secret, place);
    records.put(
        record.owner(),
        record.name(),
        mark
            ? json(Optional.empty(), again)
            : json(Optional.of(new OwnerKey(owner, id(record), secret)), again),
        OptionalLong.of(record.version()),
        Optional.empty());
    return true;
  }

  /** Calls for each key record of a store, in bounded steps. */
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

  /** The id of the master key that a record was wrapped with. */
  static String masterKey(Document record) {
    return MasterKeys.wrappedWith(wrapped(record));
  }

  private static String json(Optional<OwnerKey> key, byte[] wrapped) {
    JsonObject json = new JsonObject();
    key.ifPresent(it -> json.put("owner", it.owner()).put("key", it.id()));
    return json.put("wrapped", Base64.getUrlEncoder().withoutPadding().encodeToString(wrapped))
        .json();
  }

  private static byte[] wrapped(Document record) {
    try {
      return Base64.getUrlDecoder().decode(text(record, "wrapped"));
    } catch (IllegalArgumentException e) {
      throw corrupt(record);
    }
  }

  private static int id(Document record) {
    try {
      return Integer.parseInt(String.valueOf(fields(record).get("key")));
    } catch (NumberFormatException e) {
      throw corrupt(record);
    }
  }

  private static String text(Document record, String field) {
    String text = Json.string(fields(record).get(field));
    if (text == null) {
      throw corrupt(record);
    }
    return text;
  }

  private static Map<String, String> fields(Document record) {
    try {
      return Json.fields(record.json());
    } catch (IllegalArgumentException e) {
      throw corrupt(record);
    }
  }

  private static CorruptRecord corrupt(Document record) {
    return new CorruptRecord(
        "the key record '" + record.owner() + "' is not what was written; nothing was changed");
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
