package dev.clew.server.internal.sessions;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.Role;
import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.View;
import dev.clew.json.JsonObject;
import dev.clew.kit.BoundedPage;
import dev.clew.kit.Contended;
import dev.clew.server.internal.chat.Addressed;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.wire.Entries;
import dev.clew.server.operate.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The history of a session, as items and as plain messages. Thread-safe. */
public record HistoryApi(SessionStore store, boolean strict) {
  private static final int PAGE = 50;
  private static final int MAX_PAGE = 100;
  private static final int MAX_MESSAGES = 1000;
  private static final int CHUNK = 200;

  private static final int RATING_BYTES = 1 << 16;
  private static final int LONGEST_REASON = 2_000;

  public List<Route> routes() {
    return List.of(
        Route.get(Addressed.PATH + "/items", Scope.READ, "Lists a session's items.", this::items),
        Route.patch(
                Addressed.PATH + "/items/{position}", Scope.WRITE, "Rates an answer.", this::rate)
            .taking(RATING_BYTES),
        Route.get(
            Addressed.PATH + "/files/{position}/{part}",
            Scope.READ,
            "Retrieves an image or a file of an item.",
            new Attachments(store)::send),
        Route.get(
            Addressed.PATH + "/messages",
            Scope.READ,
            "Lists the messages of user and assistant.",
            this::messages));
  }

  private void items(Call call) {
    int limit = call.query("limit", PAGE, 1, MAX_PAGE);
    OptionalLong before = position(call, "before");
    OptionalLong after = position(call, "after");
    if (before.isPresent() && after.isPresent()) {
      throw Problem.invalid("invalid_value", "after", "Give either 'before' or 'after', not both.");
    }
    boolean archive = call.queryFlag("compacted");
    UnaryOperator<Entry> shown = Attachments.shown(call);
    // The version first: a reader that watches from it may see a change twice but misses none.
    SessionInfo info = Addressed.info(store, call);
    boolean backward = after.isEmpty();
    call.needs(BoundedPage.estimate(info, limit));
    EntryPage page =
        BoundedPage.read(
            store, info, new Range(backward ? before : after, backward, limit, archive));
    call.reply(
        new JsonObject()
            .putAll("data", page.entries().stream().map(shown).map(SessionJson::entry).toList())
            .put("has_more", page.hasMore())
            .put("version", info.version()));
  }

  private static OptionalLong position(Call call, String name) {
    Optional<String> text = call.query(name);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(text.get()));
    } catch (NumberFormatException e) {
      throw Problem.invalid(
          "invalid_type",
          name,
          "Invalid type for '" + name + "': expected a position, an integer.");
    }
  }

  private void messages(Call call) {
    int limit = call.query("limit", PAGE, 1, MAX_MESSAGES);
    SessionInfo info = Addressed.info(store, call);
    call.needs(BoundedPage.estimate(info, limit));
    List<JsonObject> newestFirst = new ArrayList<>();
    boolean more = false;
    long bytes = 0;
    for (Entry entry : Range.latest(CHUNK).walk(range -> BoundedPage.read(store, info, range))) {
      Optional<JsonObject> message = message(entry);
      if (message.isPresent()) {
        bytes += entry.item().json().length();
        more = bytes > BoundedPage.MOST_BYTES && !newestFirst.isEmpty();
        more |= newestFirst.size() == limit;
        if (more) {
          break;
        }
        newestFirst.add(message.get());
      }
    }
    Collections.reverse(newestFirst);
    call.reply(new JsonObject().putAll("data", newestFirst).put("has_more", more));
  }

  private static Optional<JsonObject> message(Entry entry) {
    return entry.item().view() instanceof View.Message message
            && (message.role() == Role.USER || message.role() == Role.ASSISTANT)
        ? Optional.of(
            new JsonObject()
                .put("role", message.role().wire())
                .put("content", message.text())
                .put("timestamp", SessionJson.time(entry.addedAt())))
        : Optional.empty();
  }

  /** Sets the note {@code {"rating":"up"}} of an item, perhaps with a {@code reason}. */
  private void rate(Call call) {
    Fields body = Fields.of(call, strict, Set.of("rating", "reason"));
    if (body.given("rating").isEmpty()) {
      throw Problem.missing("rating");
    }
    Optional<String> rating = body.text("rating");
    Optional<String> reason = body.text("reason", LONGEST_REASON);
    if (rating.isPresent() && !Set.of("up", "down").contains(rating.get())) {
      throw Problem.invalidValue("rating", "supported values are 'up', 'down' and null");
    }
    call.reply(SessionJson.entry(Contended.repeat(() -> rated(call, rating, reason))));
  }

  private Entry rated(Call call, Optional<String> rating, Optional<String> reason) {
    SessionInfo info = Addressed.info(store, call);
    Entry entry = entry(call, info);
    Map<String, Object> notes = new LinkedHashMap<>(entry.notes());
    notes.remove("reason");
    notes.remove("rating");
    rating.ifPresent(value -> notes.put("rating", value));
    rating.flatMap(value -> reason).ifPresent(text -> notes.put("reason", text));
    var unused =
        store
            .session(info.key())
            .commit(
                Commit.replaceItem(entry.position(), new Draft(entry.item(), notes))
                    .expectVersion(info.version()));
    return new Entry(entry.position(), entry.item(), entry.addedAt(), notes, entry.compacted());
  }

  private Entry entry(Call call, SessionInfo info) {
    String text = call.path("position");
    long position = text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    return Entries.at(store.session(info.key()), position, false)
        .orElseThrow(
            () ->
                Problem.refused(
                    404, "item_not_found", null, "The session has no item at '" + text + "'."));
  }
}
