package dev.clew.server.responses;

import dev.clew.ClewException;
import dev.clew.Records;
import dev.clew.internal.Json;
import dev.clew.internal.JsonObject;
import dev.clew.internal.Slices;
import dev.clew.server.auth.Sha256;
import dev.clew.server.http.Problem;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which response answers the request with an idempotency key, so that a request that is sent again
 * is not answered again. Thread-safe. Keys are remembered for a day.
 */
final class OnceKeys {
  private static final Duration KEPT = Duration.ofDays(1);
  private static final int LONGEST = 255;

  private final Records records;

  OnceKeys(Records records) {
    this.records = records;
  }

  /**
   * Takes a key for a response.
   *
   * @return the response that has it already, if the same was asked before
   * @throws Problem if something else was asked with it
   */
  Optional<String> claim(String owner, String key, String body, String id) {
    if (key.isEmpty() || key.length() > LONGEST) {
      throw Problem.invalid(
          "invalid_value",
          "Idempotency-Key",
          "An Idempotency-Key has 1 to " + LONGEST + " characters.");
    }
    String digest = Sha256.hex(body);
    String json = new JsonObject().put("response", id).put("digest", digest).toString();
    while (true) {
      try {
        records.put(owner, name(key), json, OptionalLong.of(0), Optional.of(KEPT));
        return Optional.empty();
      } catch (ClewException.VersionConflict e) {
        Optional<Records.StoredRecord> taken = records.get(owner, name(key));
        if (taken.isPresent()) {
          Map<String, String> fields = Slices.fields(taken.get().json());
          if (!digest.equals(Json.string(fields.get("digest")))) {
            throw Problem.invalid(
                "idempotency_key_reused",
                "Idempotency-Key",
                "This Idempotency-Key came with another request before; use a new one.");
          }
          return Optional.of(Objects.requireNonNull(Json.string(fields.get("response"))));
        }
      }
    }
  }

  /** Lets a request be tried again that came to nothing. */
  void forget(String owner, String key) {
    records.delete(owner, name(key));
  }

  private static String name(String key) {
    return "once/" + Sha256.hex(key);
  }
}
