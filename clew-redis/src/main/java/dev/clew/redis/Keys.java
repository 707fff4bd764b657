package dev.clew.redis;

import dev.clew.SessionKey;
import dev.clew.kit.Sha256;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The names of all keys of a store. Thread-safe.
 *
 * <p>Owners and ids appear as hashes of 128 bits, so that names of any length and character are
 * safe, and the keys left of an erased session for a day do not reveal it. An owner's sessions are
 * spread over {@value #BUCKETS} buckets. A bucket is a hash tag: its sessions and lists are in one
 * slot, so that one script changes a session and its places in the lists.
 *
 * <pre>
 * clew:{owner.bucket}:session:s   hash    the session: version, created, updated, title, …
 *                            :i   list    its head, then items, newest first: "position position added crc key length " json notes
 *                            :k   zset    ids of items: "key:position"
 *                            :o   hash    operations: "digest version first last"
 *                            :p   zset    operations by time
 *                            :h   zset    changes other than appends: "version kind position"
 *                            :a   list    archived items in the order they were archived
 *                            :x   hash    position → place in the archive
 *                            :q   hash    position → damaged item that was popped
 *                            :w   string  exists while somebody watches; also the name of the channel
 * clew:{owner.bucket}:u           zset    ids by time of update, newest first
 *                    :c           zset    ids by time of creation, newest first
 *                    :t           zset    "title in lower case \n id"
 *                    :g           zset    marks: "p\n id" if pinned, "a\n id" if archived, "t" tag "\n id"
 *                    :l           hash    leases: "fence end holder"
 *                    :f           string  the newest fence
 * clew:{owner.r}:r                hash    documents: "version end json"
 *               :n                zset    their names
 *               :e                zset    names by expiry
 *               :v                string  the newest version of a document
 * clew:owners                     zset    names of owners that have, or had, something
 * clew:due                        zset    what may expire, by the earliest time
 * clew:layout                     string  3
 * </pre>
 */
final class Keys {
  /** The number of slots for an owner's sessions. */
  static final int BUCKETS = 16;

  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_.:-]{1,64}");
  private static final String SESSION = "sikophaxq";
  private static final String BUCKET = "uctlg";
  private static final int CACHED = 4096;

  /** The keys of one session. */
  static final class OfSession {
    final SessionKey key;
    final String place;
    final byte[][] all;

    /** The keys that a plain append needs. */
    final byte[][] quick;

    final byte[] session;
    final byte[] items;
    final byte[] ids;
    final byte[] changes;
    final byte[] archive;
    final byte[] archivePlaces;
    final byte[] quarantine;
    final byte[] byUpdate;
    final byte[] byCreation;
    final byte[] leases;
    final byte[] watch;

    private OfSession(SessionKey key, String place, byte[][] all) {
      this.key = key;
      this.place = place;
      this.all = all;
      session = all[0];
      items = all[1];
      ids = all[2];
      changes = all[5];
      archive = all[6];
      archivePlaces = all[7];
      quarantine = all[8];
      byUpdate = all[9];
      byCreation = all[10];
      leases = all[12];
      watch = all[14];
      quick = new byte[][] {session, items, ids, byUpdate, watch};
    }
  }

  private final String prefix;
  private final AtomicReferenceArray<@Nullable OfSession> cache =
      new AtomicReferenceArray<>(CACHED);

  static void checkPrefix(String prefix) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "prefix '%s' is not usable: take up to 64 letters, digits, and any of _ . : -"
              .formatted(prefix));
    }
  }

  Keys(String prefix) {
    this.prefix = prefix;
  }

  OfSession of(SessionKey key) {
    int slot = key.hashCode() & (CACHED - 1);
    OfSession known = cache.get(slot);
    if (known == null || !known.key.equals(key)) {
      byte[] hash = hash(key.owner() + "\n" + key.id()); // neither has a line end
      known = of(key, tag(ownerHash(key.owner()), (hash[0] & 0xff) % BUCKETS), text(hash));
      cache.lazySet(slot, known);
    }
    return known;
  }

  /** The keys of the session at a {@link OfSession#place}, whose name is unknown. */
  OfSession at(SessionKey unknown, String place) {
    int colon = place.indexOf(':');
    return of(unknown, place.substring(0, colon), place.substring(colon + 1));
  }

  private OfSession of(SessionKey key, String tag, String session) {
    byte[][] all = new byte[SESSION.length() + BUCKET.length() + 1][];
    int next = 0;
    for (int i = 0; i < SESSION.length(); i++) {
      all[next++] = Wire.bytes(prefix + ":" + tag + ":" + session + ":" + SESSION.charAt(i));
    }
    for (int i = 0; i < BUCKET.length(); i++) {
      all[next++] = Wire.bytes(prefix + ":" + tag + ":" + BUCKET.charAt(i));
    }
    all[next] = Wire.bytes(prefix + ":" + tag + ":" + session + ":w");
    return new OfSession(key, tag + ":" + session, all);
  }

  /** The start of the names of all keys of an owner. */
  String start(String owner) {
    return prefix + ":{" + ownerHash(owner) + ".";
  }

  /** The start of the names of all keys of a session. */
  String start(SessionKey key) {
    return prefix + ":" + of(key).place + ":";
  }

  /** A key of one of an owner's buckets: {@code u c t g l f}. */
  byte[] bucket(String ownerHash, int bucket, char kind) {
    return Wire.bytes(prefix + ":" + tag(ownerHash, bucket) + ":" + kind);
  }

  /** A key of each of an owner's buckets. */
  List<byte[]> buckets(String owner, char kind) {
    String hash = ownerHash(owner);
    return IntStream.range(0, BUCKETS).mapToObj(i -> bucket(hash, i, kind)).toList();
  }

  /** The newest fence of the bucket of a session. */
  byte[] fences(OfSession keys) {
    return Wire.bytes(prefix + ":" + keys.place.substring(0, keys.place.indexOf(':')) + ":f");
  }

  /** The name of a lease in the bucket of its session. */
  static byte[] lease(OfSession keys, String name) {
    String session = keys.place.substring(keys.place.indexOf(':') + 1);
    return Wire.bytes(session + ":" + text(hash(name)));
  }

  /** The keys of an owner's documents: {@code r n e v}. */
  byte[][] documents(String owner) {
    return documentsAt(ownerHash(owner));
  }

  /** The keys of the documents of an owner of whom only the hash is known. */
  byte[][] documentsAt(String ownerHash) {
    String tag = prefix + ":{" + ownerHash + ".r}:";
    return new byte[][] {
      Wire.bytes(tag + "r"), Wire.bytes(tag + "n"), Wire.bytes(tag + "e"), Wire.bytes(tag + "v")
    };
  }

  byte[] owners() {
    return Wire.bytes(prefix + ":owners");
  }

  byte[] due() {
    return Wire.bytes(prefix + ":due");
  }

  byte[] layout() {
    return Wire.bytes(prefix + ":layout");
  }

  static String ownerHash(String owner) {
    return text(hash(owner));
  }

  /** A short name for an operation. */
  static byte[] operation(String id) {
    return Wire.bytes(text(hash(id)));
  }

  /** The key of an item's id; it need not be unique. */
  static String item(String itemId) {
    return text(Arrays.copyOf(hash(itemId), 9));
  }

  private static String tag(String ownerHash, int bucket) {
    return "{" + ownerHash + "." + bucket + "}";
  }

  private static String text(byte[] hash) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
  }

  private static byte[] hash(String text) {
    return Arrays.copyOf(Sha256.of(Wire.bytes(text)), 16);
  }
}
