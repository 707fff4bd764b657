package dev.clew.kit;

import dev.clew.ClewException.SessionBusy;
import dev.clew.ClewException.VersionConflict;
import dev.clew.Commit;
import dev.clew.Commit.Fence;
import dev.clew.SessionKey;
import java.util.OptionalLong;

/** Exceptions for expectations that do not hold. Stateless. */
public final class Conflicts {
  private Conflicts() {}

  /** The session does not have the expected version. */
  public static VersionConflict version(SessionKey key, long expected, long found) {
    return new VersionConflict(
        "session %s has version %s%s, not %s; read it again, then retry"
            .formatted(key, found, found == 0 ? " (it does not exist)" : "", expected));
  }

  /** The session was expected to exist and does not. */
  public static VersionConflict absent(SessionKey key) {
    return new VersionConflict("session " + key + " does not exist; it was expected to");
  }

  /** The session does not end where it was expected to. */
  public static VersionConflict tail(SessionKey key, long expected, OptionalLong found) {
    return new VersionConflict(
        String.format(
            "session %s%s, the expected end was position %s; read it again, then retry",
            key,
            found.isPresent() ? " ends at position " + found.getAsLong() : " has no items",
            expected));
  }

  /** The session does not end with the expected items. */
  public static VersionConflict suffix(SessionKey key, int expected) {
    return new VersionConflict(
        "session %s does not end with the %s expected items; read it again, then retry"
            .formatted(key, expected));
  }

  /** There is nothing to replace up to that position. */
  public static VersionConflict noPrefix(SessionKey key, long upTo) {
    return new VersionConflict(
        "session %s has nothing at or before position %s to replace; read it again, then retry"
            .formatted(key, upTo));
  }

  /** What a step changes is not there. */
  public static VersionConflict missing(SessionKey key, Commit.Step step) {
    if (step instanceof Commit.ReplaceSuffix suffix) {
      return suffix(key, suffix.expected().size());
    }
    if (step instanceof Commit.ReplacePrefix prefix) {
      return noPrefix(key, prefix.upTo());
    }
    return noItem(
        key,
        step instanceof Commit.ReplaceItem item
            ? item.position()
            : ((Commit.RemoveItem) step).position());
  }

  /** The session to fork does not exist. */
  public static VersionConflict noSource(SessionKey source) {
    return new VersionConflict("session " + source + " does not exist, so it cannot be forked");
  }

  /** The target of a fork already exists. */
  public static VersionConflict targetExists(SessionKey target) {
    return new VersionConflict("session " + target + " exists already; fork into a new id");
  }

  /** There is no item at that position. */
  public static VersionConflict noItem(SessionKey key, long position) {
    return new VersionConflict(
        String.format(
            "session %s has no item at position %s; it was removed or replaced meanwhile, "
                + "read it again",
            key, position));
  }

  /** The document does not have the expected version. */
  public static VersionConflict document(String owner, String name, long expected, long found) {
    return new VersionConflict(
        String.format(
            "document '%s' of owner '%s' has version %s%s, not %s; read it again, then retry",
            name, owner, found, found == 0 ? " (it does not exist)" : "", expected));
  }

  /** The operation id was used for other content. */
  public static VersionConflict otherContent(SessionKey key, String operationId) {
    return new VersionConflict(
        String.format(
            "operation '%s' of session %s was done before with other content; use a new "
                + "operation id",
            operationId, key),
        true);
  }

  /** The lease has changed hands since the fence was granted. */
  public static SessionBusy fence(SessionKey key, Fence fence, long newest) {
    return new SessionBusy(
        String.format(
            "the '%s' lease of session %s has changed hands (fence %s, now %s); take the"
                + " lease again and repeat the turn",
            fence.lease(), key, fence.number(), newest));
  }
}
