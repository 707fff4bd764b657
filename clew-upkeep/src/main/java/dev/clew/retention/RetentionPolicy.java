package dev.clew.retention;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which sessions to remove or compress. Immutable. A session is affected as soon as it exceeds one
 * of the limits.
 *
 * @param name its name
 * @param owner whose sessions; empty for all owners
 * @param tag only sessions with this tag
 * @param maxAge the age, from its creation, at which a session is affected
 * @param maxIdle the time since its last update at which a session is affected
 * @param maxCount how many sessions an owner keeps, those updated last
 * @param action what is done with the others
 */
public record RetentionPolicy(
    String name,
    Optional<String> owner,
    Optional<String> tag,
    Optional<Duration> maxAge,
    Optional<Duration> maxIdle,
    OptionalInt maxCount,
    Action action) {

  /** What is done with a session that exceeds a limit. */
  public enum Action {
    /** It is removed. */
    REMOVE,
    /** It stays, in less space, see {@link dev.clew.spi.Compression}. */
    COMPRESS
  }

  /** A policy that removes. */
  public RetentionPolicy(
      String name,
      Optional<String> owner,
      Optional<String> tag,
      Optional<Duration> maxAge,
      Optional<Duration> maxIdle,
      OptionalInt maxCount) {
    this(name, owner, tag, maxAge, maxIdle, maxCount, Action.REMOVE);
  }

  /** The same, but what it would remove is compressed. */
  public RetentionPolicy compressing() {
    return new RetentionPolicy(name, owner, tag, maxAge, maxIdle, maxCount, Action.COMPRESS);
  }

  /** Checks that it has a limit. */
  public RetentionPolicy {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
      throw new IllegalArgumentException(
          "the policy's name '%s' is not 1 to 64 letters, digits, dots, dashes or underscores"
              .formatted(name));
    }
    owner.ifPresent(SessionKey::checkOwner);
    if (maxAge.isEmpty() && maxIdle.isEmpty() && maxCount.isEmpty()) {
      throw new IllegalArgumentException(
          "policy '" + name + "' does nothing; give it an age, an idle time or a count");
    }
    if (maxAge.filter(Duration::isNegative).isPresent()
        || maxIdle.filter(Duration::isNegative).isPresent()
        || maxCount.orElse(0) < 0) {
      throw new IllegalArgumentException("policy '" + name + "' has a negative limit");
    }
  }

  /** Whether it applies to an owner's sessions. */
  public boolean appliesTo(String name) {
    return owner.map(name::equals).orElse(true);
  }

  /** Whether it is about a session of an owner it applies to. */
  boolean isAbout(SessionInfo info) {
    return tag.map(info.tags()::contains).orElse(true);
  }

  /**
   * Why a session goes, if it does.
   *
   * @param newer how many sessions it is about were updated after this one
   */
  Optional<String> reason(SessionInfo info, long newer, Instant now) {
    if (maxAge.filter(life -> isOver(info.createdAt(), life, now)).isPresent()) {
      return Optional.of("age");
    }
    if (maxIdle.filter(life -> isOver(info.updatedAt(), life, now)).isPresent()) {
      return Optional.of("idle");
    }
    return maxCount.isPresent() && newer >= maxCount.getAsInt()
        ? Optional.of("count")
        : Optional.empty();
  }

  private static boolean isOver(Instant since, Duration life, Instant now) {
    return since.plus(life).isBefore(now);
  }

  String json() {
    JsonObject json = new JsonObject().put("name", name);
    owner.ifPresent(value -> json.put("owner", value));
    tag.ifPresent(value -> json.put("tag", value));
    maxAge.ifPresent(value -> json.put("max_age_s", value.toSeconds()));
    maxIdle.ifPresent(value -> json.put("max_idle_s", value.toSeconds()));
    maxCount.ifPresent(value -> json.put("max_count", value));
    if (action == Action.COMPRESS) {
      json.put("action", "compress");
    }
    return json.json();
  }

  static RetentionPolicy parse(String json) {
    Map<String, String> fields = Json.fields(json);
    String count = fields.get("max_count");
    RetentionPolicy policy =
        new RetentionPolicy(
            String.valueOf(Json.string(fields.get("name"))),
            Optional.ofNullable(Json.string(fields.get("owner"))),
            Optional.ofNullable(Json.string(fields.get("tag"))),
            seconds(fields, "max_age_s"),
            seconds(fields, "max_idle_s"),
            count == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(count)));
    return "compress".equals(Json.string(fields.get("action"))) ? policy.compressing() : policy;
  }

  private static Optional<Duration> seconds(Map<String, String> fields, String name) {
    return Optional.ofNullable(fields.get(name)).map(Long::parseLong).map(Duration::ofSeconds);
  }
}
