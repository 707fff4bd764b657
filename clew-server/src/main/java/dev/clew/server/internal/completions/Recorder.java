package dev.clew.server.internal.completions;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Commit.DocumentPut;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.kit.Family;
import dev.clew.server.internal.branches.Branches;
import dev.clew.server.internal.completions.Place.Kind;
import dev.clew.server.internal.completions.Said.Written;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records answered requests: the new messages and the answer as one commit. Thread-safe. Nothing is
 * locked while a model answers; if the session has changed by then, the record becomes a branch.
 */
record Recorder(SessionStore store, Recognition recognition) {
  private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);
  private static final int MOST_CONFLICTS = 20;
  private static final int TRIES = 3;

  /**
   * Where a request was recorded.
   *
   * @param last the position of the last message that the client sent
   */
  record Recorded(SessionKey session, long last) {}

  /** Records what was said; nothing if the session was deleted meanwhile. */
  Optional<Recorded> record(Said said, Optional<SessionKey> named, Place found) {
    Place place = found;
    for (int attempt = 1; ; attempt++) {
      try {
        return write(said.at(place));
      } catch (ClewException.VersionConflict e) {
        if (attempt == MOST_CONFLICTS) {
          throw e;
        }
        if (place.kind() != Kind.NEW && store.session(place.session()).info().isEmpty()) {
          return Optional.empty();
        }
        place = recognition.find(place.session().owner(), named, said.given());
      }
    }
  }

  private Optional<Recorded> write(Written written) {
    if (written.drafts().isEmpty()) {
      return Optional.empty();
    }
    Place place = written.place();
    SessionKey key = place.session();
    Commit append = Commit.appendDrafts(written.drafts()).operationId(written.said().completion());
    switch (place.kind()) {
      case NEW ->
          append =
              append.expectVersion(store.session(key).info().map(SessionInfo::version).orElse(0L));
      case APPEND -> append = append.expectTail(place.position().orElseThrow());
      case BRANCH -> {
        key = branch(place);
        append = append.expectExisting();
      }
    }
    SessionKey target = key;
    if (written.name().isPresent()) {
      append =
          append.document(
              new DocumentPut(
                  written.name().get(),
                  OptionalLong.empty(),
                  Optional.of(ChatRecords.KEPT),
                  receipt ->
                      written.known(target.id(), receipt.lastPosition().orElseThrow()).json()));
      if (!place.marked() || place.kind() == Kind.BRANCH) {
        new ChatRecords(store).mark(target);
      }
    }
    Receipt receipt = commit(target, append);
    if (place.kind() == Kind.APPEND) {
      makeCurrent(target);
    }
    return Optional.of(
        new Recorded(target, receipt.firstPosition().orElseThrow() + written.asked() - 1));
  }

  /** Lists then show the branch that was continued. */
  private void makeCurrent(SessionKey key) {
    try {
      new Family(store).makeCurrent(key);
    } catch (ClewException e) { // the turn is recorded
      LOG.warn("could not make a branch the current one", e);
    }
  }

  private SessionKey branch(Place place) {
    SessionInfo source =
        store
            .session(place.session())
            .info()
            .orElseThrow(
                () ->
                    new ClewException.VersionConflict(
                        "the session of a branch was deleted meanwhile"));
    SessionKey target = new SessionKey(place.session().owner(), UUID.randomUUID().toString());
    return new Branches(store).create(source, place.position().orElseThrow(), target).key();
  }

  /** The operation id makes it safe to repeat. */
  private Receipt commit(SessionKey key, Commit append) {
    for (int attempt = 1; ; attempt++) {
      try {
        return store.session(key).commit(append);
      } catch (ClewException.OutcomeUnknown | ClewException.StoreUnavailable e) {
        if (attempt == TRIES) {
          throw e;
        }
      }
    }
  }
}
