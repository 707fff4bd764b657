package dev.clew.server.internal.sessions;

import dev.clew.Role;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.json.JsonObject;
import dev.clew.kit.Family;
import dev.clew.kit.SearchFilter;
import dev.clew.server.internal.chat.Addressed;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.limits.FewAtOnce;
import dev.clew.server.operate.Scope;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Full-text search in a caller's sessions. Thread-safe. */
public final class SearchApi {
  private static final int PAGE = 20;
  private static final int MAX_PAGE = 100;
  private static final int LONGEST = 1000;

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  /**
   * A person sends a search per word typed; a program may send many. No caller gets more than half
   * of the processors.
   */
  private static final int OF_ONE_CALLER = Math.max(1, Math.min(2, PROCESSORS / 2));

  private static final int WAITING = 6 - OF_ONE_CALLER;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final SessionStore store;
  private final FewAtOnce turns =
      new FewAtOnce("searches", Math.max(4, PROCESSORS), OF_ONE_CALLER, WAITING, PATIENCE);

  public SearchApi(SessionStore store) {
    this.store = store;
  }

  public List<Route> routes() {
    return List.of(Route.get("/api/search", Scope.READ, "Searches all sessions.", this::search));
  }

  private void search(Call call) {
    String words = call.query("q").orElseThrow(() -> Problem.missing("q"));
    if (words.isBlank() || words.length() > LONGEST) {
      throw Problem.invalidValue("q", "search for 1 to " + LONGEST + " characters");
    }
    int limit = call.query("limit", PAGE, 1, MAX_PAGE);
    int from = cursor(call);
    // Ranked hits have no stable cursor; a page is a slice of the best thousand.
    int wanted = Math.min(from + limit + 1, SessionQuery.MAX_LIMIT);
    SearchQuery query = SearchQuery.of(call.owner(), words).limit(wanted).wanted(call::isWanted);
    Optional<String> session = call.query("session_id");
    SearchFilter filter = filter(call);
    session.ifPresent(id -> Addressed.given(call.owner(), id));
    SearchResult result = search(filter, session.map(query::within).orElse(query));
    List<SearchResult.Hit> hits = result.hits();
    int end = Math.min(from + limit, hits.size());
    Map<SessionKey, Optional<String>> families = new HashMap<>();
    call.reply(
        new JsonObject()
            .putAll(
                "data",
                hits.subList(Math.min(from, end), end).stream()
                    .map(hit -> hit(hit, families.computeIfAbsent(hit.key(), this::family)))
                    .toList())
            .put("next_cursor", end < hits.size() ? String.valueOf(end) : null)
            .put("partial", result.partial()));
  }

  /**
   * Searches when it is the owner's turn. The branches of a conversation are one, see {@link
   * Family}.
   *
   * @throws Problem if too many searches wait
   */
  public SearchResult search(SearchFilter filter, SearchQuery query) {
    return turns.run(query.owner(), () -> new Family(store).search(filter, query));
  }

  private static SearchFilter filter(Call call) {
    return new SearchFilter(
        time(call, "since"),
        time(call, "until"),
        call.queryText("role")
            .map(
                role ->
                    Role.of(role)
                        .orElseThrow(
                            () ->
                                Problem.invalidValue(
                                    "role",
                                    "supported values are 'user', 'assistant', 'system' and 'developer'"))),
        call.queryText("tool"),
        call.queryText("tag"));
  }

  private static Optional<Instant> time(Call call, String name) {
    try {
      return call.queryText(name).map(Instant::parse);
    } catch (DateTimeParseException e) {
      throw Problem.invalidValue(name, "use a time such as 2026-01-31T10:00:00Z");
    }
  }

  private static int cursor(Call call) {
    Optional<String> cursor = call.queryText("cursor");
    if (cursor.isEmpty()) {
      return 0;
    }
    if (!cursor.get().matches("\\d{1,3}")) {
      throw Problem.invalidValue("cursor", "it is not a cursor of a search");
    }
    return Integer.parseInt(cursor.get());
  }

  private Optional<String> family(SessionKey key) {
    return store.session(key).info().flatMap(Family::name);
  }

  private static JsonObject hit(SearchResult.Hit hit, Optional<String> family) {
    JsonObject json = new JsonObject();
    family.ifPresent(name -> json.put("family", name));
    return json.put("session_id", hit.key().id())
        .put("title", hit.title())
        .put("position", hit.position())
        .put("at", SessionJson.time(hit.addedAt()))
        .put("score", hit.score())
        .put("snippet", hit.snippet())
        .putAll(
            "highlights",
            hit.highlights().stream()
                .map(place -> new JsonObject().put("start", place.start()).put("end", place.end()))
                .toList());
  }
}
