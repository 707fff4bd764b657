package dev.clew.server.internal.sessions;

import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.agent.Usage;
import dev.clew.insight.Facts;
import dev.clew.insight.Storage;
import dev.clew.insight.StoreInsight;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.chat.Addressed;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.operate.Scope;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Statistics of an owner's sessions, whichever program wrote them. Thread-safe. They are computed
 * on request with bounded work; incomplete ones say so.
 */
public record InsightApi(SessionStore store, UsageBook book, Clock clock) {
  private static final int DAYS = 30;
  private static final int MAX_DAYS = 365;

  /** Counts the storage of at most a hundred thousand sessions, and says if there are more. */
  private static final int MOST_PAGES = 100;

  public List<Route> routes() {
    return List.of(
        Route.get("/api/usage", Scope.READ, "Returns the usage of each day.", this::usage),
        Route.get("/api/insight", Scope.READ, "Returns the statistics of each day.", this::days),
        Route.get(
            Addressed.PATH + "/insight",
            Scope.READ,
            "Returns the statistics of a session.",
            this::session));
  }

  private void days(Call call) {
    int days = call.query("days", DAYS, 1, MAX_DAYS);
    LocalDate first = LocalDate.now(clock.withZone(ZoneOffset.UTC)).minusDays(days - 1L);
    StoreInsight insight =
        new StoreInsight(
            store,
            new Facts(store, Facts.MOST_ITEMS),
            first.atStartOfDay(ZoneOffset.UTC).toInstant());
    insight.count(call.owner());
    call.reply(insight.json());
  }

  private void session(Call call) {
    SessionInfo info = Addressed.info(store, call);
    Facts facts = new Facts(store, Facts.MOST_ITEMS);
    Facts.Read read = facts.of(info, Instant.MIN);
    SessionInsight insight = new SessionInsight();
    read.facts().forEach(insight::add);
    call.reply(insight.json(info, facts.items(), !read.complete()));
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
