package dev.clew.server.internal.sessions;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.View;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.runs.Titles;
import dev.clew.server.internal.wire.BoundedPage;
import java.util.List;
import java.util.Optional;

/** The list of a caller's sessions. Thread-safe. */
final class SessionList {
  private static final int PAGE = 25;
  private static final int MAX_PAGE = 100;

  private static final int PREVIEWED = 6;
  private static final int LONGEST_PREVIEW = 120;
  private static final int LONGEST_READ = 2_000;

  private final SessionStore store;
  private final Titles titles;

  SessionList(SessionStore store, Titles titles) {
    this.store = store;
    this.titles = titles;
  }

  void list(Call call) {
    int limit = call.query("limit", PAGE, 1, MAX_PAGE);
    Optional<String> cursor = call.query("cursor").filter(text -> !text.isEmpty());
    SessionPage page = page(query(call).limit(limit), cursor);
    call.reply(
        new JsonObject()
            .putAll("data", page.sessions().stream().map(this::listed).toList())
            .put("next_cursor", page.next().orElse(null)));
  }

  private SessionPage page(SessionQuery query, Optional<String> cursor) {
    try {
      return BoundedPage.list(store, query, cursor);
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(
          "invalid_value", "cursor", "Invalid 'cursor': no list of this order returned it.");
    }
  }

  private static SessionQuery query(Call call) {
    SessionQuery query = SessionQuery.of(call.owner()).order(order(call));
    Optional<Boolean> archived = flag(call, "archived");
    if (archived.isPresent()) {
      query = query.archived(archived.get());
    }
    Optional<Boolean> pinned = flag(call, "pinned");
    if (pinned.isPresent()) {
      query = query.pinned(pinned.get());
    }
    Optional<String> tag = call.query("tag").filter(text -> !text.isEmpty());
    if (tag.isPresent()) {
      query = query.tag(tag.get());
    }
    Optional<String> words = call.query("q").filter(text -> !text.isEmpty());
    return words.isPresent() ? query.titleContains(words.get()) : query;
  }

  private static SessionQuery.Order order(Call call) {
    return switch (call.query("order").orElse("updated")) {
      case "updated" -> SessionQuery.Order.UPDATED;
      case "created" -> SessionQuery.Order.CREATED;
      case "title" -> SessionQuery.Order.TITLE;
      default -> throw invalid("order", "'updated', 'created' and 'title'");
    };
  }

  private static Optional<Boolean> flag(Call call, String name) {
    return call.query(name)
        .map(
            text ->
                switch (text) {
                  case "true" -> true;
                  case "false" -> false;
                  default -> throw invalid(name, "'true' and 'false'");
                });
  }

  private static Problem invalid(String name, String values) {
    return Problem.invalid(
        "invalid_value", name, "Invalid '" + name + "': supported values are " + values + ".");
  }

  private JsonObject listed(SessionInfo info) {
    if (info.damaged()) {
      return damaged(info);
    }
    try {
      return SessionJson.session(info, titles.shown(info)).put("preview", preview(info));
    } catch (ClewException.CorruptRecord e) { // whoever opens it is told what is wrong
      return damaged(info);
    }
  }

  /** One that cannot be read; the others of the page can. */
  private static JsonObject damaged(SessionInfo info) {
    return SessionJson.session(info).put("preview", "").put("damaged", true);
  }

  /** The beginning of the newest message. */
  private String preview(SessionInfo info) {
    if (info.itemCount() == 0) {
      return "";
    }
    List<Entry> newest = BoundedPage.read(store, info, Range.latest(PREVIEWED)).entries();
    for (int i = newest.size() - 1; i >= 0; i--) {
      Item item = newest.get(i).item();
      if (item.view() instanceof View.Message message && !message.text().isBlank()) {
        return cut(beginning(message.text()).replaceAll("\\s+", " "));
      }
    }
    return "";
  }

  /** Enough of a text to cut a preview from, however long it is. */
  private static String beginning(String text) {
    String said = text.stripLeading();
    return said.substring(0, Math.min(said.length(), LONGEST_READ)).stripTrailing();
  }

  private static String cut(String text) {
    return text.codePointCount(0, text.length()) <= LONGEST_PREVIEW
        ? text
        : text.substring(0, text.offsetByCodePoints(0, LONGEST_PREVIEW)) + "…";
  }
}
