package dev.clew.server.internal.sessions;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.kit.Family;
import dev.clew.kit.Marks;
import dev.clew.kit.SessionChange;
import dev.clew.server.internal.chat.Addressed;
import dev.clew.server.internal.chat.Belonging;
import dev.clew.server.internal.chat.SessionPreferences;
import dev.clew.server.internal.chat.SessionTurns;
import dev.clew.server.internal.completions.SaidBefore;
import dev.clew.server.internal.describe.ServerMetadata;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.runs.Titles;
import dev.clew.server.internal.wire.Entries;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.ServerModels;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** Operations on whole sessions: describe, change, fork, undo, delete. Thread-safe. */
public record SessionsApi(
    SessionStore store,
    SessionTurns turns,
    Titles titles,
    SessionSummaries summaries,
    Shares shares,
    ServerModels models,
    boolean strict) {
  static final int MOST_TAGS = 100;
  private static final Set<String> PATCHED =
      Set.of(
          "title",
          "metadata",
          "tags",
          "pinned",
          "archived",
          "ttl_seconds",
          "temporary",
          "project",
          "model",
          "instructions",
          "model_settings");
  private static final Duration LONGEST_LIFE = Duration.ofDays(36_500);

  public List<Route> routes() {
    String one = Addressed.PATH;
    return List.of(
        Route.get(
            "/api/sessions",
            Scope.READ,
            "Lists sessions.",
            new SessionList(store, summaries)::list),
        Route.delete(
            "/api/sessions", Scope.WRITE, "Deletes all sessions of the caller.", this::deleteAll),
        Route.patch("/api/sessions", Scope.WRITE, "Archives or pins all sessions.", this::patchAll),
        Route.get(
            "/api/tags",
            Scope.READ,
            "Lists the tags of sessions.",
            new SessionList(store, summaries)::tags),
        Route.get(one, Scope.READ, "Retrieves a session.", this::info),
        Route.patch(one, Scope.WRITE, "Updates a session.", this::patch),
        Route.delete(one, Scope.WRITE, "Deletes a session.", this::delete),
        Route.post(one + "/fork", Scope.WRITE, "Forks a session up to a position.", this::fork),
        Route.post(one + "/undo", Scope.WRITE, "Removes the last turn.", this::undo));
  }

  private void info(Call call) {
    SessionInfo info = Addressed.info(store, call);
    JsonObject json = SessionJson.session(info, summaries.of(info).title());
    if (Family.isOlder(info)) {
      json.put("current", new Family(store).current(info).key().id());
    }
    call.reply(json);
  }

  private void patch(Call call) {
    Fields body = Fields.of(call, strict, PATCHED);
    SessionUpdate update = update(body);
    SessionPreferences wishes = SessionPreferences.read(body, models);
    Belonging belonging = Belonging.read(body, turns.library(), call.owner());
    SessionKey key = Addressed.key(call);
    SessionInfo after =
        SessionChange.change(
                store.session(key),
                info -> Optional.of(remembering(info, wishes, update(info, update, belonging))))
            .orElseThrow(() -> Addressed.notFound(key.id()));
    for (SessionInfo branch : new Family(store).branches(after)) {
      if (!branch.key().equals(key)) {
        SessionChange.change(
            store.session(branch.key()), info -> Optional.of(shared(info, update, belonging)));
      }
    }
    call.reply(SessionJson.session(after));
  }

  /** An older branch stays archived; the current one is what people archive or pin. */
  private static SessionUpdate update(SessionInfo info, SessionUpdate given, Belonging belonging) {
    SessionUpdate update = belonging.of(info, given);
    return Family.isOlder(info) ? update.archived(true).pinned(false) : update;
  }

  /** What the branches of a conversation have in common. */
  private static SessionUpdate shared(SessionInfo info, SessionUpdate given, Belonging belonging) {
    SessionUpdate update = SessionUpdate.none();
    if (given.title().isPresent()) {
      update = update.title(given.title().get());
      update = update.metadata(ServerMetadata.of(info).chosen().with(ServerMetadata.visible(info)));
    }
    update = given.tags().isPresent() ? update.tags(given.tags().get()) : update;
    update = given.timeToLive().isPresent() ? update.timeToLive(given.timeToLive().get()) : update;
    update = given.pinned().isPresent() ? update.pinned(given.pinned().get()) : update;
    update = given.archived().isPresent() ? update.archived(given.archived().get()) : update;
    return update(info, update, belonging);
  }

  private static SessionUpdate remembering(
      SessionInfo info, SessionPreferences wishes, SessionUpdate update) {
    ServerMetadata before = ServerMetadata.of(info);
    ServerMetadata after = wishes.of(update.title().isPresent() ? before.chosen() : before);
    return update.metadata().isEmpty() && after.equals(before)
        ? update
        : update.metadata(after.with(update.metadata().orElse(info.metadata())));
  }

  private static SessionUpdate update(Fields body) {
    SessionUpdate update = SessionUpdate.none();
    String field = "title";
    try {
      if (body.given("title").isPresent()) {
        update = update.title(body.text("title").orElse(""));
      }
      field = "metadata";
      if (body.given("metadata").isPresent()) {
        body.object("metadata");
        update = update.metadata(Json.readObject(body.rawOr("metadata", "{}")));
      }
      field = "tags";
      if (body.given("tags").isPresent()) {
        update = update.tags(tags(body.texts("tags")));
      }
      if (body.has("pinned")) {
        update = update.pinned(body.flag("pinned", false));
      }
      if (body.has("archived")) {
        update = update.archived(body.flag("archived", false));
      }
      field = "ttl_seconds";
      if (body.given("ttl_seconds").isPresent()) {
        long seconds = body.number("ttl_seconds").orElse(0);
        if (seconds > LONGEST_LIFE.toSeconds()) {
          throw new IllegalArgumentException("it is more than " + LONGEST_LIFE.toDays() + " days");
        }
        update = update.timeToLive(Duration.ofSeconds(seconds));
      }
    } catch (IllegalArgumentException e) {
      throw Problem.invalidValue(field, e.getMessage());
    }
    return update;
  }

  private static Set<String> tags(List<String> tags) {
    if (new LinkedHashSet<>(tags).size() > MOST_TAGS) {
      throw new IllegalArgumentException("there are more than " + MOST_TAGS);
    }
    return new LinkedHashSet<>(tags);
  }

  private void delete(Call call) {
    SessionKey key = Addressed.key(call);
    if (store.session(key).info().isEmpty()) {
      call.reply(deleted(key, false));
      return;
    }
    call.replyLater(
        turns
            .delete(key, call.requestId())
            .thenApply(
                gone -> {
                  gone.forEach(shares::forget);
                  return deleted(key, gone.contains(key)).toString();
                }));
  }

  private void deleteAll(Call call) {
    call.replyLater(
        turns
            .deleteAll(all(call, "deletes every session"), call.requestId(), shares::forget)
            .thenApply(count -> new JsonObject().put("deleted", count).toString()));
  }

  private void patchAll(Call call) {
    Fields body = Fields.of(call, strict, Set.of("archived", "pinned"));
    SessionUpdate update = update(body);
    call.replyLater(
        turns
            .forAll(
                all(call, "changes every session"),
                call.requestId(),
                info -> SessionChange.change(store.session(info.key()), now -> Optional.of(update)))
            .thenApply(count -> new JsonObject().put("changed", count).toString()));
  }

  /** All sessions of the caller, or those of a list. */
  private static SessionQuery all(Call call, String what) {
    if (!call.queryFlag("all")) {
      throw Problem.invalid(
          "missing_required_parameter", "all", "This " + what + "; confirm with '?all=true'.");
    }
    return SessionList.filters(call, SessionQuery.of(call.owner()));
  }

  private static JsonObject deleted(SessionKey key, boolean was) {
    return new JsonObject().put("session_id", key.id()).put("deleted", was);
  }

  private void fork(Call call) {
    Fields body = Fields.of(call, strict, Set.of("at", "session_id"));
    OptionalLong at = body.number("at");
    SessionKey source = Addressed.info(store, call).key();
    String id = body.text("session_id").orElseGet(() -> UUID.randomUUID().toString());
    SessionKey target = Addressed.given(call.owner(), id);
    if (store.session(target).info().isPresent()) {
      throw Addressed.exists(id);
    }
    at.ifPresent(position -> Addressed.checkItem(store, source, position));
    long upTo =
        at.orElseGet(() -> Entries.newest(store.session(source)).map(Entry::position).orElse(0L));
    SessionInfo made = store.session(source).forkTo(target, upTo);
    Set<String> tags = Marks.lasting(Family.others(made.tags()));
    SessionUpdate copied = SessionUpdate.none().tags(tags);
    call.reply(
        SessionJson.session(
            tags.equals(made.tags())
                ? made
                : store
                    .session(target)
                    .update(Marks.isTemporary(made) ? copied.timeToLive(Duration.ZERO) : copied)));
  }

  private void undo(Call call) {
    SessionKey key = Addressed.info(store, call).key();
    call.replyLater(turns.between(key, call.requestId(), this::undo));
  }

  private String undo(StoredSession session) {
    if (session.info().isEmpty()) {
      throw Addressed.notFound(session.id());
    }
    Runnable saidBefore = SaidBefore.ofItems(store, session.key());
    List<Item> removed = session.undoTurn();
    saidBefore.run();
    titles.emptied(session.key());
    return new JsonObject()
        .put("session_id", session.id())
        .array("removed", removed.stream().map(Item::json).toList())
        .toString();
  }
}
