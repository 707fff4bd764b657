package dev.clew.kit;

import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.json.JsonText;
import dev.clew.spi.Fork;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Changes of a session's description, for stores that keep a {@link SessionInfo}. Its time to live
 * is the session's own, without the default of the store. Stateless.
 */
public final class SessionInfos {
  private SessionInfos() {}

  /** Of a session that was just made. */
  public static SessionInfo created(SessionKey key, Instant at) {
    return new SessionInfo(
        key,
        0,
        0,
        0,
        at,
        at,
        "",
        Map.of(),
        Set.of(),
        false,
        false,
        Optional.empty(),
        Optional.empty(),
        false);
  }

  /** After a change of the history: {@code updatedAt} never goes back. */
  public static SessionInfo changed(
      SessionInfo info, long version, Instant at, long itemCount, long bytes) {
    return new SessionInfo(
        info.key(),
        version,
        itemCount,
        bytes,
        info.createdAt(),
        at.isAfter(info.updatedAt()) ? at : info.updatedAt(),
        info.title(),
        info.metadata(),
        info.tags(),
        info.archived(),
        info.pinned(),
        info.timeToLive(),
        info.parent(),
        false);
  }

  /**
   * After an update. Given times are never in the future; if the session would have expired by
   * them, it counts as changed now.
   */
  public static SessionInfo updated(
      SessionInfo info,
      long version,
      SessionUpdate update,
      Instant now,
      Optional<Duration> defaultTimeToLive) {
    SessionInfo after = updated(info, version, update, now);
    return update.times().isPresent() && hasExpired(after, defaultTimeToLive, now)
        ? changed(after, version, now, after.itemCount(), after.bytes())
        : after;
  }

  private static SessionInfo updated(
      SessionInfo info, long version, SessionUpdate update, Instant now) {
    Instant created =
        update
            .times()
            .map(SessionUpdate.Times::createdAt)
            .filter(info.createdAt()::isAfter)
            .orElse(info.createdAt());
    Instant updated =
        update
            .times()
            .map(SessionUpdate.Times::updatedAt)
            .map(given -> given.isAfter(now) ? now : given)
            .filter(info.updatedAt()::isBefore)
            .orElse(info.updatedAt());
    return new SessionInfo(
        info.key(),
        version,
        info.itemCount(),
        info.bytes(),
        created,
        updated,
        update.title().orElse(info.title()),
        update.metadata().orElse(info.metadata()),
        update.tags().orElse(info.tags()),
        update.archived().orElse(info.archived()),
        update.pinned().orElse(info.pinned()),
        update.timeToLive().isPresent()
            ? update.timeToLive().filter(own -> !own.isZero())
            : info.timeToLive(),
        update.parent().or(info::parent),
        false);
  }

  /** As users see it: with the default time to live of the store unless it has its own. */
  public static SessionInfo shown(SessionInfo info, Optional<Duration> defaultTimeToLive) {
    return info.timeToLive().isPresent() || defaultTimeToLive.isEmpty()
        ? info
        : updated(
            info,
            info.version(),
            SessionUpdate.none().timeToLive(defaultTimeToLive.get()),
            info.updatedAt());
  }

  /** What a fork takes over of the description of its source. */
  public static SessionUpdate forked(Fork fork, SessionInfo source) {
    return fork.transform()
        .map(transform -> transform.describe(source))
        .orElseGet(() -> SessionUpdate.none().metadata(source.metadata()).tags(source.tags()))
        .title(source.title())
        .timeToLive(source.timeToLive().orElse(Duration.ZERO))
        .parent(new SessionInfo.Parent(fork.source(), fork.upTo()));
  }

  /** About how many bytes entries take. */
  public static long bytes(Collection<Entry> entries) {
    long bytes = 0;
    for (Entry entry : entries) {
      bytes += JsonText.utf8Length(entry.item().json());
    }
    return bytes;
  }

  /** When a session expires, if it ever does. */
  public static Optional<Instant> end(SessionInfo info, Optional<Duration> defaultTimeToLive) {
    return info.timeToLive()
        .or(() -> defaultTimeToLive)
        .map(life -> TimeToLive.end(info.updatedAt(), life));
  }

  /** Whether a session has expired. */
  public static boolean hasExpired(
      SessionInfo info, Optional<Duration> defaultTimeToLive, Instant now) {
    return end(info, defaultTimeToLive).filter(end -> !end.isAfter(now)).isPresent();
  }
}
