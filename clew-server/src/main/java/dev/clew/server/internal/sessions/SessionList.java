package dev.clew.server.internal.sessions;

import dev.clew.SessionInfo;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.json.JsonObject;
import dev.clew.kit.BoundedPage;
import dev.clew.kit.Family;
import dev.clew.kit.Marks;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.sessions.SessionSummaries.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The list of a caller's sessions. Thread-safe. */
record SessionList(SessionStore store, SessionSummaries summaries) {
  private static final int PAGE = 25;
  private static final int MAX_PAGE = 100;

  /** Looks for tags in at most a hundred thousand sessions, and says if there are more. */
  private static final int MOST_PAGES = 100;

  private static final int MOST_TAGS = 1_000;

  void list(Call call) {
    int limit = call.query("limit", PAGE, 1, MAX_PAGE);
    Optional<String> cursor = call.queryText("cursor");
    SessionPage page = page(query(call).limit(limit), cursor);
    List<Summary> shown = summaries.of(page.sessions());
    List<JsonObject> rows = new ArrayList<>();
    for (int i = 0; i < shown.size(); i++) {
      rows.add(listed(page.sessions().get(i), shown.get(i)));
    }
    call.replyPage(rows, page.next());
  }

  /** The tags of a caller's newest sessions, and how many have each. */
  void tags(Call call) {
    Map<String, Integer> counts = new TreeMap<>();
    SessionQuery query = SessionQuery.of(call.owner()).limit(SessionQuery.MAX_LIMIT);
    Optional<String> next = Optional.empty();
    int pages = 0;
    do {
      SessionPage page = store.list(next.map(query::cursor).orElse(query));
      page.sessions().stream()
          .filter(Family::isListed)
          .flatMap(info -> Family.visible(info.tags()).stream())
          .forEach(tag -> counts.merge(tag, 1, Integer::sum));
      next = page.next();
    } while (next.isPresent() && ++pages < MOST_PAGES && counts.size() < MOST_TAGS);
    call.reply(
        new JsonObject()
            .putAll(
                "data",
                counts.entrySet().stream()
                    .limit(MOST_TAGS)
                    .map(
                        each ->
                            new JsonObject()
                                .put("tag", each.getKey())
                                .put("sessions", each.getValue()))
                    .toList())
            .put("partial", next.isPresent()));
  }

  private SessionPage page(SessionQuery query, Optional<String> cursor) {
    try {
      return BoundedPage.list(store, query, cursor);
    } catch (IllegalArgumentException e) {
      throw Problem.invalidValue("cursor", "it is not a cursor of a list in this order");
    }
  }

  private static SessionQuery query(Call call) {
    SessionQuery query = filters(call, SessionQuery.of(call.owner()).order(order(call)));
    return call.queryText("q").map(query::titleContains).orElse(query);
  }

  /** With what a call says about the sessions it wants. */
  static SessionQuery filters(Call call, SessionQuery all) {
    SessionQuery query = flag(call, "archived").map(all::archived).orElse(all);
    query = flag(call, "pinned").map(query::pinned).orElse(query);
    return tag(call).map(query::tag).orElse(query);
  }

  /** Stores look for one tag. */
  private static Optional<String> tag(Call call) {
    List<String> tags = new ArrayList<>();
    call.queryText("tag").ifPresent(tags::add);
    call.queryText("project").map(Marks::ofProject).ifPresent(tags::add);
    flag(call, "temporary").filter(is -> is).map(is -> Marks.TEMPORARY).ifPresent(tags::add);
    if (tags.size() > 1) {
      throw Problem.invalid(
          "invalid_value", "tag", "Only one of 'tag', 'project' and 'temporary' can be given.");
    }
    return tags.stream().findFirst();
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
    return Problem.invalidValue(name, "supported values are " + values);
  }

  private static JsonObject listed(SessionInfo info, Summary summary) {
    JsonObject row = SessionJson.session(info, summary.title()).put("preview", summary.preview());
    return summary.damaged() ? row.put("damaged", true) : row;
  }
}
