package dev.clew.erasure;

import dev.clew.json.JsonObject;
import dev.clew.kit.Sha256;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What was erased and how it was checked. Immutable. It has numbers, names and digests, and no word
 * of what was erased.
 *
 * @param owner the owner
 * @param session the session; everything of the owner without one
 * @param store which store, as the caller names it
 * @param begunAt when it was started, before any interruption
 * @param endedAt when it was done
 * @param sessions how many sessions there were
 * @param items how many items they had, those that compactions replaced included
 * @param records how many documents were erased
 * @param digest of all of that, as it was read before
 * @param traces how many pieces of it were searched for
 * @param places how many tables or keys of a database were searched
 * @param files how many files were searched
 * @param bytes how many bytes they have
 * @param leftovers where something was found; empty after a complete erasure
 */
public record ErasureCertificate(
    String owner,
    Optional<String> session,
    String store,
    Instant begunAt,
    Instant endedAt,
    long sessions,
    long items,
    long records,
    String digest,
    int traces,
    long places,
    long files,
    long bytes,
    List<String> leftovers) {
  /** Makes the list unmodifiable. */
  public ErasureCertificate {
    leftovers = List.copyOf(leftovers);
  }

  /** Whether nothing was found. */
  public boolean isClean() {
    return leftovers.isEmpty();
  }

  /** The certificate as a document, with a digest of its own at the end. */
  public String json() {
    JsonObject json =
        new JsonObject()
            .put("clew", "erasure")
            .put("format", 1)
            .put("store", store)
            .put("owner", owner)
            .put("session", session.orElse(null))
            .put("begun_at", begunAt.toString())
            .put("ended_at", endedAt.toString())
            .put(
                "erased",
                new JsonObject()
                    .put("sessions", sessions)
                    .put("items", items)
                    .put("records", records)
                    .put("sha256", digest))
            .put(
                "searched",
                new JsonObject()
                    .put("traces", traces)
                    .put("places", places)
                    .put("files", files)
                    .put("bytes", bytes))
            .put("leftovers", leftovers);
    return json.put("sha256", Sha256.hex(json.json())).json();
  }
}
