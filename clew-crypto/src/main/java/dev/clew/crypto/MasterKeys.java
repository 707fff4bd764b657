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
 * The keys that the operator holds. They wrap the keys of owners and nothing else, so that they can
 * be replaced without touching an item. Thread-safe.
 *
 * <p>One of them is the newest and wraps; the others only unwrap what was wrapped before. When
 * something is met that none of them wrapped, the source is read once more: another process may
 * have rotated them meanwhile.
 */
public final class MasterKeys {
  static {
    try {
      AeadConfig.register();
    } catch (GeneralSecurityException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** What Tink puts before what one of several keys has encrypted: a version and the key's id. */
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
            "what "
                + source.spec()
                + " holds is not a keyset for encryption; 'clew key create' makes one",
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
   * @throws StoreUnavailable if they cannot be had
   */
  public static MasterKeys of(KeySource source) {
    return new MasterKeys(source, Keyset.parse(source));
  }

  /** A new keyset with one key, as text to be kept where a source finds it. */
  public static String create() {
    try {
      return text(
          KeysetHandle.newBuilder()
              .addEntry(
                  KeysetHandle.generateEntryFromParameters(PredefinedAeadParameters.AES256_GCM)
                      .withRandomId()
                      .makePrimary())
              .build());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot make a key", e);
    }
  }

  /** Makes a new key file; one that is there is left alone and refused. */
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

  /**
   * This keyset with another key, which is the one that wraps from now on, as text; see {@link
   * Rotation}.
   */
  String withNewKey() {
    try {
      return text(
          KeysetHandle.newBuilder(keyset.handle())
              .addEntry(
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

  /** Puts another keyset in the place of this one. */
  void replace(String text) {
    file().replace(text);
    reload();
  }

  /** Takes a key out of the key file; where the keys are kept as they were. */
  Path retire(String id, Instant now) {
    String without = without(id);
    Path kept = file().keep(now);
    replace(without);
    return kept;
  }

  /**
   * Puts a key that was retired back into the key file, from a file that was kept then.
   *
   * @return the file it was in
   * @throws IllegalArgumentException if it is in none of those, or was not retired
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
        "key "
            + id
            + " is in none of the "
            + kept.size()
            + " files that were kept next to "
            + source.spec()
            + "; bring the key file back from a copy");
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

  /** The id of the key that something was wrapped with; empty if it was not. */
  static String wrappedWith(byte[] wrapped) {
    return wrapped.length > PREFIX && wrapped[0] == 1
        ? name(ByteBuffer.wrap(wrapped, 1, Integer.BYTES).getInt())
        : "";
  }

  /**
   * What was wrapped.
   *
   * @param what names it, for the error
   * @throws StoreUnavailable if it was wrapped with a key that is not here
   * @throws CorruptRecord if it was tampered with
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
          what
              + " was wrapped with the master key "
              + with
              + ", which "
              + source.spec()
              + " does not have (it has "
              + String.join(", ", present.keys().stream().map(MasterKey::id).toList())
              + "); give the keys this store was written with; nothing was changed",
          null,
          false);
    }
    try {
      return present.aead().decrypt(wrapped, place);
    } catch (GeneralSecurityException e) {
      throw new CorruptRecord(what + " cannot be unwrapped; it was tampered with or moved here");
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
