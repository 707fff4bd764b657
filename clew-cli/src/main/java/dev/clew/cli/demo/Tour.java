package dev.clew.cli.demo;

import dev.clew.Item;
import dev.clew.Opening;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionInfo;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.cli.terminal.Columns;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Snippets;
import dev.clew.cli.terminal.Transcript;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What the demo does, step by step, on a store of its own. Not thread-safe.
 *
 * <p>The Java shown for a step is what the lines below it do; a test compiles and runs all of it.
 */
record Tour(
    String url,
    BiFunction<String, Opening, SessionStore> stores,
    Snippets snippets,
    Consumer<Step> audience) {
  /**
   * One step that was taken. Immutable.
   *
   * @param title what it shows
   * @param java the same as a Java program would write it
   * @param result what came back
   * @param nanos how long the store took
   */
  record Step(String title, List<String> java, List<String> result, long nanos) {}

  private static final String OWNER = "";

  void run() {
    SessionStore opened =
        step(
            "Open a store: one file, created if needed",
            List.of("SessionStore store = Stores.open(\"" + url + "\");"),
            () -> stores.apply(url, Opening.CREATE),
            store -> List.of("a store that survives: " + survives(store)));
    try (opened) {
      write(opened);
      read(opened);
      change(opened);
    }
    reopen();
  }

  private static String survives(SessionStore store) {
    return switch (store.traits().durability()) {
      case VOLATILE -> "nothing, it is in memory";
      case PROCESS_CRASH -> "a crash of the program";
      case POWER_LOSS -> "a power loss, once a write has returned";
      case AS_THE_SERVER -> "what its server survives";
    };
  }

  private void write(SessionStore store) {
    StoredSession trip = store.session("trip");
    step(
        "Append a turn: both items or none",
        List.of(
            "StoredSession trip = store.session(\"trip\");",
            "trip.addItems(List.of(",
            "    Item.user(\"What city is the Golden Gate Bridge in?\"),",
            "    Item.assistant(\"San Francisco.\")));"),
        () -> {
          trip.addItems(
              List.of(
                  Item.user("What city is the Golden Gate Bridge in?"),
                  Item.assistant("San Francisco.")));
          return 2;
        },
        count -> List.of(count + " items are on disk"));
    step(
        "A turn with a tool call; any JSON object can be an item",
        List.of(
            "trip.addItems(List.of(",
            "    Item.user(\"Is it foggy there?\"),",
            "    Item.functionCall(\"call_1\", \"get_weather\", \"{\\\"city\\\":\\\"San"
                + " Francisco\\\"}\"),",
            "    Item.functionCallOutput(\"call_1\", \"14 °C, fog\"),",
            "    Item.assistant(\"Yes, fog at 14 °C.\")));"),
        () -> {
          trip.addItems(
              List.of(
                  Item.user("Is it foggy there?"),
                  Item.functionCall("call_1", "get_weather", "{\"city\":\"San Francisco\"}"),
                  Item.functionCallOutput("call_1", "14 °C, fog"),
                  Item.assistant("Yes, fog at 14 °C.")));
          return 4;
        },
        count -> List.of(count + " items are on disk"));
    step(
        "Another session, in Chinese, with a title",
        List.of(
            "StoredSession kyoto = store.session(\"kyoto\");",
            "kyoto.addItems(List.of(",
            "    Item.user(\"京都有哪些值得看的寺庙？\"), Item.assistant(\"清水寺和金阁寺。\")));",
            "kyoto.update(SessionUpdate.none().title(\"京都之旅\"));"),
        () -> {
          StoredSession kyoto = store.session("kyoto");
          kyoto.addItems(List.of(Item.user("京都有哪些值得看的寺庙？"), Item.assistant("清水寺和金阁寺。")));
          return kyoto.update(SessionUpdate.none().title("京都之旅"));
        },
        info -> List.of(info.title() + ": " + Humanize.count(info.itemCount(), "item")));
  }

  private void read(SessionStore store) {
    StoredSession trip = store.session("trip");
    step(
        "Read the newest items; what comes before them is not read",
        List.of("List<Item> newest = trip.getItems(2);"),
        () -> trip.getItems(2),
        items -> items.stream().map(item -> Transcript.preview(item, 70)).toList());
    step(
        "Search all sessions",
        List.of("SearchResult bridge = store.search(\"golden gate\");"),
        () -> store.search(SearchQuery.of(OWNER, "golden gate")),
        this::hits);
    step(
        "Search for a Chinese word of two characters",
        List.of("SearchResult temples = store.search(\"寺庙\");"),
        () -> store.search(SearchQuery.of(OWNER, "寺庙")),
        this::hits);
  }

  private List<String> hits(SearchResult result) {
    List<String> lines = new ArrayList<>();
    result.hits().forEach(hit -> lines.add(snippets.place(hit) + "  " + snippets.text(hit)));
    return lines.isEmpty() ? List.of("nothing found") : lines;
  }

  private void change(SessionStore store) {
    StoredSession trip = store.session("trip");
    step(
        "Fork: continue from the first answer in another direction",
        List.of(
            "long answer = trip.entries(Range.first(2)).entries().get(1).position();",
            "StoredSession byTrain = trip.fork(\"by-train\", answer);"),
        () -> {
          long answer = trip.entries(Range.first(2)).entries().get(1).position();
          return trip.fork("by-train", answer);
        },
        fork -> List.of("by-train has " + items(fork) + ", trip still " + items(trip)));
    step(
        "Undo the last turn of trip, tool call and all, as one change",
        List.of("List<Item> undone = trip.undoTurn();"),
        trip::undoTurn,
        undone ->
            List.of(
                "%s removed, trip has %s left"
                    .formatted(Humanize.count(undone.size(), "item"), items(trip)),
                "the turn began with " + Transcript.preview(undone.get(0), 50)));
    step(
        "List the sessions, a page at a time",
        List.of("SessionPage page = store.list(SessionQuery.of(\"\"));"),
        () -> store.list(SessionQuery.of(OWNER)),
        page -> page.sessions().stream().map(Tour::describe).toList());
  }

  private void reopen() {
    SessionStore again =
        step(
            "Close the file, open it again",
            List.of("store.close();", "store = Stores.open(\"" + url + "\");"),
            () -> stores.apply(url, Opening.CREATE),
            store -> List.of("trip has " + items(store.session("trip")) + ", as before"));
    again.close();
  }

  private static String describe(SessionInfo info) {
    String title = info.title().isEmpty() ? "" : "  " + info.title();
    return Columns.pad(info.key().id(), 10) + Humanize.count(info.itemCount(), "item") + title;
  }

  private static String items(StoredSession session) {
    return Humanize.count(session.info().map(SessionInfo::itemCount).orElse(0L), "item");
  }

  /** Only the call itself is timed, not the words about it. */
  private <T> T step(
      String title, List<String> java, Supplier<T> call, Function<T, List<String>> describe) {
    long start = System.nanoTime();
    T result = call.get();
    long nanos = System.nanoTime() - start;
    audience.accept(new Step(title, java, describe.apply(result), nanos));
    return result;
  }
}
