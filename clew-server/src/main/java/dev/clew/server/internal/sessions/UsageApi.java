package dev.clew.server.internal.sessions;

import dev.clew.SessionStore;
import dev.clew.agent.Usage;
import dev.clew.insight.Storage;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.operate.Scope;
import java.util.List;

/** What a caller has used, and what is kept for it. Thread-safe. */
public final class UsageApi {
  private static final int DAYS = 30;
  private static final int MAX_DAYS = 365;

  /** Beyond a hundred thousand sessions the storage is said to be at least what was counted. */
  private static final int MOST_PAGES = 100;

  private final SessionStore store;
  private final UsageBook book;

  public UsageApi(SessionStore store, UsageBook book) {
    this.store = store;
    this.book = book;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/api/usage", Scope.READ, "Tells what was used on each day.", this::usage));
  }

  private void usage(Call call) {
    List<UsageBook.Day> days = book.days(call.owner(), call.query("days", DAYS, 1, MAX_DAYS));
    UsageBook.Day total =
        days.stream().reduce(new UsageBook.Day("", 0, Usage.NONE), UsageBook.Day::plus);
    call.reply(
        new JsonObject()
            .putAll(
                "data",
                days.stream()
                    .map(day -> day.fields(new JsonObject().put("date", day.date())))
                    .toList())
            .put("total", total.fields(new JsonObject()))
            .put("storage", Storage.of(store, call.owner(), MOST_PAGES).fields(new JsonObject())));
  }
}
