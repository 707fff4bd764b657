package dev.clew.jsonl;

import dev.clew.json.Json;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Reads times that other programs wrote. Stateless and thread-safe. */
final class Times {
  /** Smaller numbers are seconds: as such they mean times before the year 5138. */
  private static final long FIRST_MILLIS = 100_000_000_000L;

  private Times() {}

  /** The time in a raw JSON value: seconds, milliseconds or ISO 8601. */
  static Instant parse(@Nullable String raw, Instant otherwise) {
    if (raw == null) {
      return otherwise;
    }
    String text = Json.string(raw);
    try {
      if (text == null) {
        BigDecimal number = new BigDecimal(raw);
        boolean seconds = number.abs().compareTo(BigDecimal.valueOf(FIRST_MILLIS)) < 0;
        return Instant.ofEpochMilli(
            (seconds ? number.movePointRight(3) : number).toBigInteger().longValueExact());
      }
      return text.matches(".*(Z|[+-]\\d\\d:?\\d\\d)$")
          ? OffsetDateTime.parse(text).toInstant()
          : LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      return otherwise;
    }
  }
}
