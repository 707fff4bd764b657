package dev.clew.crypto;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeyStatus;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import dev.clew.ClewException.CorruptRecord;
import dev.clew.ClewException.StoreUnavailable;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys that the operator holds. They wrap only the keys of owners, so they can be replaced
 * without touching an item. Thread-safe.
 *
 * <p>The newest key wraps; the others only unwrap. If none of them wrapped something, the source is
 * read again, because another process may have rotated the keys.
 */
public final class MasterKeys {
  static {
    try {
      AeadConfig.register();
    } catch (GeneralSecurityException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The length of Tink's prefix of a ciphertext: a version and the key's id. */
  private static final int PREFIX = 5;

  private final KeySource source;
  private volatile Keyset keyset;

  /** A key, without its secret. */
  public record MasterKey(String id, boolean newest) {}

  private record Keyset(KeysetHandle handle, Aead aead) {
    static Keyset parse(KeySource source) {
      String text = source.read();
      try {
        KeysetHandle handle =
            TinkJsonProtoKeysetFormat.parseKeyset(
                text, RegistryConfiguration.get(), InsecureSecretKeyAccess.get());
        return of(handle);
      } catch (GeneralSecurityException e) {
        // Its message might quote what it could not read.
        throw new StoreUnavailable(
            "what %s holds is not a keyset for encryption; 'clew key create' makes one"
                .formatted(source.spec()),
            null,
            false);
      }
    }

    static Keyset of(KeysetHandle handle) throws GeneralSecurityException {
      return new Keyset(handle, handle.getPrimitive(RegistryConfiguration.get(), Aead.class));
    }

    boolean has(int id) {
      for (int i = 0; i < handle.size(); i++) {
        if (handle.getAt(i).getId() == id && handle.getAt(i).getStatus() == KeyStatus.ENABLED) {
          return true;
        }
      }
      return false;
    }

    List<MasterKey> keys() {
      List<MasterKey> keys = new ArrayList<>();
      for (int i = 0; i < handle.size(); i++) {
        keys.add(new MasterKey(name(handle.getAt(i).getId()), handle.getAt(i).isPrimary()));
      }
      return keys;
    }
  }

  private MasterKeys(KeySource source, Keyset keyset) {
    this.source = source;
    this.keyset = keyset;
  }

  /**
   * The keys of a source.
   *
   * @throws StoreUnavailable if they cannot be read
   */
  public static MasterKeys of(KeySource source) {
    return new MasterKeys(source, Keyset.parse(source));
  }

  /** A new keyset with one key, as text for a source. */
  public static String create() {
    return withNewKey(KeysetHandle.newBuilder());
  }

  /** Creates a key file; fails if it exists. */
  public static MasterKeys create(KeySource.InFile file) {
    new KeyFile(file.path()).create(create());
    return of(file);
  }

  /** Where they come from. */
  public KeySource source() {
    return source;
  }

  /** All of them, without their secrets. */
  public List<MasterKey> keys() {
    return keyset.keys();
  }

  /** The id of the key that wraps. */
  String newest() {
    return name(keyset.handle().getPrimary().getId());
  }

  /** This keyset with a new key, which then wraps, as text; see {@link Rotation}. */
  String withNewKey() {
    return withNewKey(KeysetHandle.newBuilder(keyset.handle()));
  }

  private static String withNewKey(KeysetHandle.Builder keys) {
    try {
      return text(
          keys.addEntry(
                  KeysetHandle.generateEntryFromParameters(PredefinedAeadParameters.AES256_GCM)
                      .withRandomId()
                      .makePrimary())
              .build());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot make a key", e);
    }
  }

  /** This keyset without a key, as text. */
  String without(String id) {
    KeysetHandle.Builder builder = KeysetHandle.newBuilder(keyset.handle());
    for (int i = 0; i < keyset.handle().size(); i++) {
      if (name(keyset.handle().getAt(i).getId()).equals(id)) {
        if (keyset.handle().getAt(i).isPrimary()) {
          throw new IllegalArgumentException(
              "key " + id + " is the newest; rotate first, then retire it");
        }
        builder.deleteAt(i);
        try {
          return text(builder.build());
        } catch (GeneralSecurityException e) {
          throw new IllegalStateException("cannot remove key " + id, e);
        }
      }
    }
    throw new IllegalArgumentException(
        "there is no key " + id + " in " + source.spec() + "; see 'clew key list'");
  }

  /** Replaces this keyset. */
  void replace(String text) {
    file().replace(text);
    reload();
  }

  /** Removes a key from the key file; returns the file that keeps the old keys. */
  Path retire(String id, Instant now) {
    String without = without(id);
    Path kept = file().keep(now);
    replace(without);
    return kept;
  }

  /**
   * Restores a retired key to the key file.
   *
   * @return the file that had kept it
   * @throws IllegalArgumentException if no file has it, or it was not retired
   */
  public Path restore(String id) {
    if (keys().stream().anyMatch(key -> key.id().equals(id))) {
      throw new IllegalArgumentException("key " + id + " is in " + source.spec() + " already");
    }
    List<Path> kept = file().kept();
    for (Path file : kept) {
      KeysetHandle old = Keyset.parse(new KeySource.InFile(file)).handle();
      for (int i = 0; i < old.size(); i++) {
        if (name(old.getAt(i).getId()).equals(id)) {
          replace(with(old.getAt(i)));
          return file;
        }
      }
    }
    throw new IllegalArgumentException(
        String.format(
            "key %s is in none of the %s files that were kept next to %s; bring the key"
                + " file back from a copy",
            id, kept.size(), source.spec()));
  }

  private String with(KeysetHandle.Entry entry) {
    try {
      return text(
          KeysetHandle.newBuilder(keyset.handle())
              .addEntry(KeysetHandle.importKey(entry.getKey()).withFixedId(entry.getId()))
              .build());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot bring back key " + name(entry.getId()), e);
    }
  }

  private KeyFile file() {
    if (!(source instanceof KeySource.InFile file)) {
      throw new IllegalArgumentException(
          "the keys of " + source.spec() + " cannot be written by this program; use file:PATH");
    }
    return new KeyFile(file.path());
  }

  private Keyset reload() {
    Keyset fresh = Keyset.parse(source);
    keyset = fresh;
    return fresh;
  }

  byte[] wrap(byte[] secret, byte[] place) {
    try {
      return keyset.aead().encrypt(secret, place);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot encrypt", e);
    }
  }

  /** The id of the key that wrapped these bytes; empty if none did. */
  static String wrappedWith(byte[] wrapped) {
    return wrapped.length > PREFIX && wrapped[0] == 1
        ? name(ByteBuffer.wrap(wrapped, 1, Integer.BYTES).getInt())
        : "";
  }

  /**
   * Unwraps bytes.
   *
   * @param what their name in errors
   * @throws StoreUnavailable if the key that wrapped them is missing
   * @throws CorruptRecord if they were tampered with
   */
  byte[] unwrap(byte[] wrapped, byte[] place, String what) {
    String with = wrappedWith(wrapped);
    if (with.isEmpty()) {
      throw new CorruptRecord(what + " was not wrapped by a master key; it was tampered with");
    }
    int id = ByteBuffer.wrap(wrapped, 1, Integer.BYTES).getInt();
    Keyset present = keyset.has(id) ? keyset : reload();
    if (!present.has(id)) {
      throw new StoreUnavailable(
          String.format(
              "%s was wrapped with the master key %s, which %s does not have (it has %s); "
                  + "%s; nothing was changed",
              what,
              with,
              source.spec(),
              String.join(", ", present.keys().stream().map(MasterKey::id).toList()),
              remedy(with)),
          null,
          false);
    }
    try {
      return present.aead().decrypt(wrapped, place);
    } catch (GeneralSecurityException e) {
      throw new CorruptRecord(what + " cannot be unwrapped; it was tampered with or moved here");
    }
  }

  private String remedy(String id) {
    return isKept(id)
        ? "it was retired; 'clew key restore " + id + "' brings it back"
        : "give the keys this store was written with";
  }

  /** Whether a file next to the key file keeps this key; one that cannot be read counts as none. */
  private boolean isKept(String id) {
    if (!(source instanceof KeySource.InFile)) {
      return false;
    }
    try {
      return file().kept().stream()
          .flatMap(kept -> Keyset.parse(new KeySource.InFile(kept)).keys().stream())
          .anyMatch(key -> key.id().equals(id));
    } catch (StoreUnavailable e) {
      return false;
    }
  }

  private static String name(int id) {
    return Integer.toUnsignedString(id);
  }

  private static String text(KeysetHandle handle) throws GeneralSecurityException {
    return TinkJsonProtoKeysetFormat.serializeKeyset(
        handle, RegistryConfiguration.get(), InsecureSecretKeyAccess.get());
  }
}
