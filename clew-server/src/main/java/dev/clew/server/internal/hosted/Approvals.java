package dev.clew.server.internal.hosted;

import dev.clew.ClewException;
import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.kit.Sha256;
import dev.clew.server.internal.http.Problem;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which requests for an approval were answered with one, so that a person who approves a call
 * approves it once, however often and to whichever server the answer is sent. Thread-safe. Sample:
 *
 * <pre>{@code
 * approved/<digest of the request's id>  {"response":"resp_…","mark":"…"}
 * }</pre>
 *
 * <p>The mark is set before the call is made, and withdrawn only if it certainly was not: should
 * the server die, the call was made at most once.
 */
public final class Approvals {
  private static final Logger LOG = LoggerFactory.getLogger(Approvals.class);

  private final Documents records;
  private final Duration kept;

  /**
   * In the documents of a store.
   *
   * @param kept how long; at least as long as the responses that may be followed
   */
  public Approvals(Documents records, Duration kept) {
    this.records = records;
    this.kept = kept;
  }

  /** One call that may be made. Thread-safe; close it when the response is over. */
  final class Mark implements AutoCloseable {
    private final String owner;
    private final String name;
    private final String json;
    private volatile boolean made;

    private Mark(String owner, String name, String json) {
      this.owner = owner;
      this.name = name;
      this.json = json;
    }

    /** The call is made now. */
    void made() {
      made = true;
    }

    private boolean isSet() {
      return records.get(owner, name).map(Document::json).equals(Optional.of(json));
    }

    /** Withdraws the mark unless the call was made. */
    @Override
    public void close() {
      try {
        if (!made && isSet()) {
          var unused = records.delete(owner, name);
        }
      } catch (ClewException e) { // then it cannot be approved again, which does no harm
        LOG.warn("could not withdraw the mark {} of a call that was not made", name, e);
      }
    }
  }

  /**
   * Marks a request as answered by a response.
   *
   * @param place of the answer in the request for the response
   * @throws Problem if another response has answered it
   */
  Mark mark(String owner, String request, String response, String place) {
    String name = "approved/" + Sha256.hex(request);
    String json =
        new JsonObject()
            .put("response", response)
            .put("mark", UUID.randomUUID().toString())
            .toString();
    Mark mark = new Mark(owner, name, json);
    while (true) {
      try {
        var unused = records.put(owner, name, json, OptionalLong.of(0), Optional.of(kept));
        return mark;
      } catch (ClewException.VersionConflict e) {
        Optional<Document> before = records.get(owner, name);
        if (before.isPresent()) { // otherwise it was withdrawn just now
          throw answered(request, before.get(), place);
        }
      } catch (ClewException e) {
        mark.close(); // it may have been set
        throw e;
      }
    }
  }

  private static Problem answered(String request, Document mark, String place) {
    return Problem.invalid(
        "approval_already_used",
        place,
        "The approval of '"
            + request
            + "' was used by response '"
            + Json.string(Json.fields(mark.json()).get("response"))
            + "', and allows one call, which may have been made even if that response failed."
            + " Retrieve or follow that response, or follow the one before without this approval"
            + " and have the model ask again.");
  }
}
