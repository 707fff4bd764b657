package dev.clew.crypto;

import dev.clew.ClewException.CorruptRecord;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.PositionedEncoder;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Seals and opens the content of one session. Immutable and thread-safe.
 *
 * <p>A sealed item is an item too:
 *
 * <pre>
 * {"type":"clew.sealed","id":"keyed hash of the item's id","data":"…"}
 * </pre>
 *
 * without {@code id} if the item has none. The plaintext is the item's text and, after a line end,
 * its notes. It opens only in its own session at its own position.
 */
final class SessionSeal implements PositionedEncoder {
  private static final String NAME = "clew.sealed";
  private static final String TYPE = "{\"type\":\"" + NAME + "\",";
  private static final String ID = "\"id\":\"";
  private static final String DATA = "\"data\":\"";
  private static final String END = "\"}";
  private static final long DESCRIPTION = 0;

  private final SessionKey key;
  private final int ownerKey;
  private final Cipher cipher;

  SessionSeal(SessionKey key, int ownerKey, Cipher cipher) {
    this.key = key;
    this.ownerKey = ownerKey;
    this.cipher = cipher;
  }

  /** The key of the owner it is derived from. */
  int ownerKey() {
    return ownerKey;
  }

  @Override
  public Draft seal(Draft draft, long position) {
    Item item = draft.item();
    String text =
        draft.notes().isEmpty() ? item.json() : item.json() + "\n" + Json.write(draft.notes());
    Optional<String> hidden = item.id().map(this::id);
    String id = hidden.orElse("");
    byte[] sealed = cipher.encrypt(text.getBytes(StandardCharsets.UTF_8), itemPlace(id, position));
    StringBuilder json = new StringBuilder(sealed.length * 4 / 3 + 96).append(TYPE);
    if (!id.isEmpty()) {
      json.append(ID).append(id).append("\",");
    }
    json.append(DATA).append(new Sealed(ownerKey, sealed).text()).append(END);
    return Draft.of(Item.trusted(json.toString(), NAME, hidden));
  }

  @Override
  public String digest(String digest) {
    return cipher.hash("operation " + digest);
  }

  /** The id that a store keeps instead of an item's id. */
  String id(String itemId) {
    return cipher.hash("item " + itemId);
  }

  private byte[] itemPlace(String id, long position) {
    return Cipher.place("clew item 1 " + id, key.owner(), key.id(), position);
  }

  /** The owner's key that a sealed item needs; empty if it is not sealed. */
  static Optional<Integer> ownerKey(Item item) {
    Parts parts = Parts.of(item.json());
    return parts == null ? Optional.empty() : Optional.of(parts.sealed().ownerKey());
  }

  /** The parts of a sealed item's text. */
  private record Parts(String id, Sealed sealed) {
    static @Nullable Parts of(String json) {
      if (!json.startsWith(TYPE) || !json.endsWith(END)) {
        return null;
      }
      int at = TYPE.length();
      String id = "";
      if (json.startsWith(ID, at)) {
        int quote = json.indexOf('"', at + ID.length());
        id = json.substring(at + ID.length(), Math.max(quote, at + ID.length()));
        at = quote + 2;
        if (quote < 0 || id.isEmpty() || json.charAt(at - 1) != ',') {
          return null;
        }
      }
      if (!json.startsWith(DATA, at) || json.length() < at + DATA.length() + END.length()) {
        return null;
      }
      Sealed sealed =
          Sealed.parse(json.substring(at + DATA.length(), json.length() - END.length()));
      return sealed == null ? null : new Parts(id, sealed);
    }
  }

  Entry open(Entry entry) {
    Draft draft = open(entry.item(), entry.position());
    if (!entry.notes().isEmpty()) {
      throw corrupt(entry.position(), "has notes that are not encrypted");
    }
    return new Entry(
        entry.position(), draft.item(), entry.addedAt(), draft.notes(), entry.compacted());
  }

  /**
   * Opens an item.
   *
   * @throws CorruptRecord if it was not sealed for this place, or not at all
   */
  Draft open(Item item, long position) {
    Parts parts = Parts.of(item.json());
    if (parts == null) {
      throw corrupt(position, "is not encrypted, and this store takes nothing else");
    }
    byte[] plain =
        parts.sealed().ownerKey() == ownerKey
            ? cipher.decrypt(parts.sealed().bytes(), itemPlace(parts.id(), position))
            : null;
    if (plain == null) {
      throw corrupt(
          position, "cannot be decrypted: it was changed, moved here, or its key was deleted");
    }
    int end = plain.length;
    for (int i = 0; i < plain.length; i++) {
      if (plain[i] == '\n') {
        end = i;
        break;
      }
    }
    Item opened = Item.trusted(new String(plain, 0, end, StandardCharsets.UTF_8));
    Map<String, Object> notes =
        end == plain.length
            ? Map.of()
            : Json.readObject(
                new String(plain, end + 1, plain.length - end - 1, StandardCharsets.UTF_8));
    return new Draft(opened, notes);
  }

  /** Seals title, metadata and tags. */
  String sealDescription(String text) {
    byte[] place = Cipher.place("clew description 1", key.owner(), key.id(), DESCRIPTION);
    byte[] sealed = cipher.encrypt(text.getBytes(StandardCharsets.UTF_8), place);
    return new Sealed(ownerKey, sealed).text();
  }

  /** The opened text, or null if it was not sealed for this session. */
  @Nullable String openDescription(String text) {
    byte[] place = Cipher.place("clew description 1", key.owner(), key.id(), DESCRIPTION);
    Sealed sealed = Sealed.parse(text);
    byte[] plain =
        sealed == null || sealed.ownerKey() != ownerKey
            ? null
            : cipher.decrypt(sealed.bytes(), place);
    return plain == null ? null : new String(plain, StandardCharsets.UTF_8);
  }

  private CorruptRecord corrupt(long position, String why) {
    return corrupt(key, position, why);
  }

  static CorruptRecord corrupt(SessionKey key, long position, String why) {
    return new CorruptRecord(
        String.format(
            "the item at position %s of session %s %s; nothing was removed, see 'clew doctor'",
            position, key, why));
  }
}
