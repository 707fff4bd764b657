package dev.clew.server.internal.sessions;

import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.insight.Facts;
import dev.clew.insight.Storage;
import dev.clew.insight.StoreInsight;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.chat.Addressed;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.internal.runs.UsageBook.Day;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.PriceSettings;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Statistics of an owner's sessions, whichever program wrote them. Thread-safe. They are computed
 * on request with bounded work; incomplete ones say so.
 */
public record InsightApi(SessionStore store, UsageBook book, PriceSettings prices, Clock clock) {
  private static final int DAYS = 30;
  private static final int MAX_DAYS = 365;
  private static final int MONTH = "2026-03".length();

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
    SessionInsight insight = new SessionInsight(prices);
    read.facts().forEach(insight::add);
    call.reply(insight.json(info, facts.items(), !read.complete()));
  }

  private void usage(Call call) {
    LocalDate today = LocalDate.now(clock.withZone(ZoneOffset.UTC));
    LocalDate first = today.minusDays(call.query("days", DAYS, 1, MAX_DAYS) - 1L);
    long whole = ChronoUnit.DAYS.between(first.withDayOfMonth(1), today) + 1;
    List<Day> all = book.days(call.owner(), (int) whole);
    List<Day> days =
        all.stream().filter(day -> day.date().compareTo(first.toString()) >= 0).toList();
    Day total = days.stream().reduce(Day.empty(""), Day::plus);
    Map<String, Day> months = new TreeMap<>(Comparator.reverseOrder());
    for (Day day : all) {
      String month = day.date().substring(0, MONTH);
      months.merge(month, Day.empty(month).plus(day), Day::plus);
    }
    JsonObject json = new JsonObject();
    Costs.putCurrency(json, prices);
    call.reply(
        json.putAll("data", days.stream().map(day -> json("date", day)).toList())
            .putAll("months", months.values().stream().map(day -> json("month", day)).toList())
            .put("total", withCost(total, new JsonObject()))
            .putAll("models", Costs.ofModels(prices, total.models()))
            .put("storage", Storage.of(store, call.owner(), MOST_PAGES).fields(new JsonObject())));
  }

  private JsonObject json(String name, Day day) {
    return withCost(day, new JsonObject().put(name, day.date()));
  }

  private JsonObject withCost(Day day, JsonObject json) {
    Costs.put(json, prices, day.models());
    return day.fields(json);
  }
}
