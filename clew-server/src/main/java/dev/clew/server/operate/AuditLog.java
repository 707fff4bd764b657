package dev.clew.server.operate;

import dev.clew.ClewException;
import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.json.JsonObject;
import dev.clew.kit.Sha256;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who did what, and the outcome: tokens, sign-ins, deletions, exports, imports, reads by
 * administrators, refused access. Thread-safe. Entries are documents of {@link #OWNER} that never
 * change and expire. Names are hashed, so the log keeps nothing of an erased owner. Sample:
 *
 * <pre>{@code
 * {"at":"2026-03-04T10:00:00.000000Z","who":"token 1f2e3d4c5b6a","owner":"9f86d081884c7d65",
 *  "what":"DELETE /api/sessions/{session_id}","key":"60303ae22b998861","result":"200",
 *  "request_id":"req_…"}
 * }</pre>
 */
public final class AuditLog {
  /** The owner of the server's own documents. */
  public static final String OWNER = "@clew";

  /** How long entries are kept by default. */
  public static final Duration KEPT = Duration.ofDays(90);

  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
  private static final String PREFIX = "audit/";

  private final Documents records;
  private final Clock clock;
  private final Duration kept;
  private final SecureRandom random = new SecureRandom();

  public AuditLog(Documents records, Clock clock, Duration kept) {
    this.records = records;
    this.clock = clock;
    this.kept = kept;
  }

  /** A page of entries, newest first. Immutable. */
  public record Page(List<String> entries, Optional<String> next) {}

  /** A hash that identifies something of an owner. */
  public static String key(@Nullable String owner, String id) {
    return Sha256.brief(owner + "\n" + id);
  }

  /**
   * Adds an entry. It never throws, because what it records has happened.
   *
   * @param owner whose data it concerns
   * @param key a hash of what it concerns
   */
  public void note(
      String who,
      @Nullable String owner,
      String what,
      @Nullable String key,
      String result,
      @Nullable String requestId) {
    Instant now = clock.instant();
    String entry =
        new JsonObject()
            .put("at", now.truncatedTo(ChronoUnit.MICROS).toString())
            .put("who", who)
            .put("owner", owner == null ? null : Sha256.brief(owner))
            .put("what", what)
            .put("key", key)
            .put("result", result)
            .put("request_id", requestId)
            .toString();
    try {
      records.put(OWNER, PREFIX + name(now), entry, OptionalLong.of(0), Optional.of(kept));
    } catch (ClewException e) {
      LOG.error("could not write an audit log entry: {}; {}", entry, e.toString());
    }
  }

  /** Names whose order is newest first, because documents are listed by name. */
  private String name(Instant now) {
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, now);
    return String.format(Locale.ROOT, "%016x-%08x", Long.MAX_VALUE - micros, random.nextInt());
  }

  /** The newest entries, or those after a cursor. */
  public Page read(Optional<String> cursor, int limit) {
    List<Document> found = records.list(OWNER, PREFIX, cursor.map(PREFIX::concat), limit);
    return new Page(
        found.stream().map(Document::json).toList(),
        found.size() < limit
            ? Optional.empty()
            : Optional.of(found.get(limit - 1).name().substring(PREFIX.length())));
  }
}
