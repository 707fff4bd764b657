package dev.clew.server.internal.responses;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Documents.Document;
import dev.clew.Leases;
import dev.clew.SessionStore;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.responses.StoredResponse.Phase;
import dev.clew.server.internal.responses.StoredResponse.Span;
import dev.clew.server.internal.runs.TurnEngine;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The stored responses. Thread-safe.
 *
 * <p>A response that others may ask for is stored before it begins, after the model answered, and
 * when its turn is in the session. So if its server died, others can store the turn of an answered
 * one and mark any other as failed.
 */
record ResponseRecords(SessionStore store, Duration kept, UnaryOperator<String> named) {
  private static final String PREFIX = "response/";
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,128}");

  /** The same response for a missing one and for another owner's. */
  static Problem notFound(String id) {
    return Problem.notFound("Response with id '" + id + "' not found.");
  }

  /** A response, settled if its server died. */
  Optional<StoredResponse> find(String owner, String id) {
    while (true) {
      Optional<StoredResponse> found = read(owner, id);
      if (found.isEmpty() || found.get().phase() == Phase.DONE || isAlive(found.get())) {
        return found;
      }
      try {
        return Optional.of(settle(found.get()));
      } catch (ClewException.VersionConflict e) {
        // Another call was faster; what is it now?
        if (read(owner, id)
            .map(StoredResponse::version)
            .equals(found.map(StoredResponse::version))) {
          return Optional.of(put(lost(found.get())));
        }
      }
    }
  }

  /** A response as stored, without settling it. */
  Optional<StoredResponse> read(String owner, String id) {
    if (!ID.matcher(id).matches()) {
      return Optional.empty();
    }
    return store
        .documents()
        .get(owner, PREFIX + id)
        .map(record -> StoredResponse.parse(owner, id, record.version(), record.json()));
  }

  private boolean isAlive(StoredResponse response) {
    return TurnEngine.holder(store, response.home().key())
        .map(Leases.Grant::fence)
        .equals(Optional.of(response.fence()));
  }

  private StoredResponse settle(StoredResponse response) {
    return response.phase() == Phase.COMMITTING
        ? write(response, Optional.empty())
        : put(lost(response));
  }

  /** A response whose turn can no longer be finished. */
  private static StoredResponse lost(StoredResponse response) {
    return response.response(
        Phase.DONE,
        ResponseJson.failed(
            response.response(), "server_error", "The server stopped before it answered."));
  }

  /**
   * Stores a response.
   *
   * @throws ClewException.VersionConflict if it has changed since it was read
   */
  StoredResponse put(StoredResponse response) {
    Document record =
        store
            .documents()
            .put(
                response.owner(),
                PREFIX + response.id(),
                response.json(),
                OptionalLong.of(response.version()),
                Optional.of(kept));
    return response.version(record.version());
  }

  /** Stores the turn of a response in its session, and that it is done. */
  StoredResponse write(StoredResponse response, Optional<Commit.Fence> fence) {
    if (response.turn().isEmpty()) {
      return put(response.written(Span.NONE));
    }
    return response.written(
        new TurnCommit(store, kept, named).write(response, fence, PREFIX + response.id()));
  }

  /** Like {@link #write}, asynchronously if the store can. */
  CompletableFuture<Void> writeLater(StoredResponse response) {
    if (response.turn().isEmpty()) {
      var unused = put(response.written(Span.NONE));
      return CompletableFuture.completedFuture(null);
    }
    return new TurnCommit(store, kept, named).writeLater(response, PREFIX + response.id());
  }

  void writeUnkept(
      StoredResponse response,
      Optional<Commit.Fence> fence,
      Optional<IdempotencyKeys.Claim> claim) {
    if (response.turn().isEmpty()) {
      return;
    }
    try {
      new TurnCommit(store, kept, named).write(response, fence, claim);
    } catch (ClewException.VersionConflict e) {
      if (claim.isEmpty() || store.session(response.home().key()).info().isEmpty()) {
        throw e;
      }
      throw IdempotencyKeys.writtenBefore(store.documents(), claim.get());
    }
  }

  boolean delete(String owner, String id) {
    return ID.matcher(id).matches() && store.documents().delete(owner, PREFIX + id);
  }
}
