package dev.clew.crypto;

import dev.clew.ClewException.CorruptRecord;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.json.Json;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Title, metadata and tags of a session, sealed together. Immutable.
 *
 * <p>The wrapped store keeps them as metadata with the one key {@value #SEALED}, an empty title,
 * and a keyed hash for each tag, so that lists can be filtered by tag.
 */
record Description(String title, Map<String, Object> metadata, Set<String> tags) {
  static final Description NONE = new Description("", Map.of(), Set.of());
  private static final String SEALED = "clew.sealed";

  Description with(SessionUpdate update) {
    return new Description(
        update.title().orElse(title),
        update.metadata().orElse(metadata),
        update.tags().orElse(tags));
  }

  /** What the wrapped store keeps as metadata. */
  Map<String, Object> seal(SessionSeal seal) {
    if (equals(NONE)) {
      return Map.of();
    }
    Map<String, Object> all =
        Map.of("title", title, "metadata", metadata, "tags", List.copyOf(new TreeSet<>(tags)));
    return Map.of(SEALED, seal.sealDescription(Json.write(all)));
  }

  /** What the wrapped store keeps as tags. */
  Set<String> hiddenTags(OwnerKey owner) {
    return tags.stream().map(owner.tags()::hash).collect(Collectors.toCollection(TreeSet::new));
  }

  /** Whether a stored session has nothing to open. */
  static boolean isEmpty(SessionInfo info) {
    return info.metadata().isEmpty() && info.tags().isEmpty() && info.title().isEmpty();
  }

  /** Whether a stored session was sealed with this key of the owner. */
  static boolean isSealedWith(OwnerKey owner, SessionInfo info) {
    Sealed sealed = info.metadata().get(SEALED) instanceof String text ? Sealed.parse(text) : null;
    return sealed != null && sealed.ownerKey() == owner.id();
  }

  /**
   * Opens the description of a stored session.
   *
   * @throws CorruptRecord if it was not sealed for this session, or not at all
   */
  static Description open(SessionInfo info, OwnerKey owner, SessionSeal seal) {
    if (isEmpty(info)) {
      return NONE;
    }
    SessionKey key = info.key();
    Object sealed = info.metadata().get(SEALED);
    if (!info.title().isEmpty()
        || info.metadata().size() != 1
        || !(sealed instanceof String text)) {
      throw corrupt(key, "is not encrypted, and this store takes nothing else");
    }
    String plain = seal.openDescription(text);
    if (plain == null) {
      throw corrupt(key, "cannot be decrypted: it was changed, moved here, or its key was deleted");
    }
    Description opened = read(Json.readObject(plain));
    if (!opened.hiddenTags(owner).equals(info.tags())) {
      throw corrupt(key, "has other tags than were written");
    }
    return opened;
  }

  @SuppressWarnings("unchecked")
  private static Description read(Map<String, Object> all) {
    Set<String> tags = new TreeSet<>((List<String>) value(all.get("tags")));
    return new Description(
        (String) value(all.get("title")),
        (Map<String, Object>) value(all.get("metadata")),
        Collections.unmodifiableSet(tags));
  }

  private static Object value(@Nullable Object value) {
    if (value == null) {
      throw new IllegalStateException("a description of another version");
    }
    return value;
  }

  SessionInfo of(SessionInfo info) {
    return of(info, false);
  }

  /** A session in a list whose description cannot be read. */
  static SessionInfo damaged(SessionInfo info) {
    return NONE.of(info, true);
  }

  private SessionInfo of(SessionInfo info, boolean damaged) {
    return new SessionInfo(
        info.key(),
        info.version(),
        info.itemCount(),
        info.bytes(),
        info.createdAt(),
        info.updatedAt(),
        title,
        metadata,
        tags,
        info.archived(),
        info.pinned(),
        info.timeToLive(),
        info.parent(),
        damaged);
  }

  static CorruptRecord corrupt(SessionKey key, String why) {
    return new CorruptRecord(
        "the description of session %s %s; nothing was removed, see 'clew doctor'"
            .formatted(key, why));
  }
}
