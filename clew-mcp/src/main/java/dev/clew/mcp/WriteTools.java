package dev.clew.mcp;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Lease;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.json.JsonObject;
import dev.clew.kit.Family;
import dev.clew.kit.SessionChange;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * The tools that add to sessions and change their descriptions; none removes items. Thread-safe.
 */
final class WriteTools {
  private static final int MOST_TAGS = 100;
  private static final String KEY = "idempotency_key";

  /** The lease that a turn holds; see {@code Runner}. */
  private static final String TURN = "turn";

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** How many calls may wait for turns: each takes one of the threads that serve everybody. */
  private static final int MOST_WAITING = 8;

  private final SessionStore store;
  private final Duration patience;
  private final Semaphore waiting;

  WriteTools(SessionStore store) {
    this(store, PATIENCE, MOST_WAITING);
  }

  WriteTools(SessionStore store, Duration patience, int mostWaiting) {
    this.store = store;
    this.patience = patience;
    this.waiting = new Semaphore(mostWaiting);
  }

  Map<String, Tool.Work> all() {
    return Map.of(
        "append_message", this::append,
        "rename_conversation", this::rename,
        "tag_conversation", this::tag,
        "fork_conversation", this::fork);
  }

  private JsonObject append(McpCaller caller, Arguments given) {
    boolean known = given.has(ReadTools.SESSION);
    Optional<String> key = given.text(KEY);
    SessionKey at =
        known
            ? ReadTools.existing(store, given.session(caller.owner())).key()
            : new SessionKey(caller.owner(), newId(caller, key));
    String text = given.needText("text");
    Item item =
        switch (given.needText("role")) {
          case "user" -> Item.user(text);
          case "assistant" -> Item.assistant(text);
          default -> Item.developer(text);
        };
    StoredSession session = store.session(at);
    try (Lease lease = lease(session)) {
      new Family(store).makeCurrent(at);
      Commit commit = Commit.append(List.of(item)).fence(lease.fence());
      commit = known ? commit.expectExisting() : commit;
      commit = key.isPresent() ? commit.operationId("mcp:" + key.get()) : commit;
      long position = session.commit(commit).lastPosition().orElseThrow();
      return new JsonObject().put(ReadTools.SESSION, at.id()).put("position", position);
    } catch (ClewException.VersionConflict e) {
      if (known && session.info().isEmpty()) {
        throw ToolFailure.noSession(at.id());
      }
      throw e;
    }
  }

  /** Waits briefly for a turn that is running, unless many calls do. */
  private Lease lease(StoredSession session) {
    boolean mayWait = waiting.tryAcquire();
    try {
      return session.lease(TURN, LEASE, mayWait ? patience : Duration.ZERO);
    } finally {
      if (mayWait) {
        waiting.release();
      }
    }
  }

  /** A repeated call with a key must find the session that the first one began. */
  private static String newId(McpCaller caller, Optional<String> key) {
    return key.map(
            text ->
                UUID.nameUUIDFromBytes(
                    ("mcp\0" + caller.owner() + "\0" + text).getBytes(StandardCharsets.UTF_8)))
        .orElseGet(UUID::randomUUID)
        .toString();
  }

  private JsonObject rename(McpCaller caller, Arguments given) {
    String title = given.text("title").orElse("");
    return change(caller, given, info -> SessionUpdate.none().title(title));
  }

  private JsonObject tag(McpCaller caller, Arguments given) {
    return change(
        caller,
        given,
        info -> {
          Set<String> tags = new TreeSet<>(Family.visible(info.tags()));
          tags.addAll(given.texts("add"));
          given.texts("remove").forEach(tags::remove);
          if (tags.size() > MOST_TAGS) {
            throw new ToolFailure("A conversation has at most " + MOST_TAGS + " tags.");
          }
          return SessionUpdate.none().tags(Family.tags(info, tags));
        });
  }

  private JsonObject change(
      McpCaller caller, Arguments given, Function<SessionInfo, SessionUpdate> update) {
    SessionKey key = given.session(caller.owner());
    try {
      return changed(
          SessionChange.change(store.session(key), info -> Optional.of(update.apply(info)))
              .orElseThrow(() -> ToolFailure.noSession(key.id())));
    } catch (IllegalArgumentException e) { // a control character, or too long
      throw new ToolFailure(String.valueOf(e.getMessage()) + ".");
    }
  }

  private JsonObject fork(McpCaller caller, Arguments given) {
    SessionInfo source = ReadTools.existing(store, given.session(caller.owner()));
    StoredSession session = store.session(source.key());
    Optional<Long> position = given.whole("position");
    Range wanted =
        position
            .map(at -> new Range(OptionalLong.of(at - 1), false, 1, false))
            .orElse(Range.latest(1));
    long upTo =
        session.entries(wanted).entries().stream().mapToLong(Entry::position).findFirst().orElse(0);
    if (position.isPresent() && position.get() != upTo) {
      throw new ToolFailure("There is no entry at position " + position.get() + ".");
    }
    SessionKey target = new SessionKey(caller.owner(), UUID.randomUUID().toString());
    return changed(session.forkTo(target, upTo));
  }

  private static JsonObject changed(SessionInfo info) {
    return new JsonObject()
        .put(ReadTools.SESSION, info.key().id())
        .put("title", info.title())
        .put("created_at", info.createdAt().toString())
        .put("updated_at", info.updatedAt().toString())
        .put("items", info.itemCount())
        .put("tags", Family.visible(info.tags()));
  }
}
