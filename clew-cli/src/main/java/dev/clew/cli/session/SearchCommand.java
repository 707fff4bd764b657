package dev.clew.cli.session;

import dev.clew.Entry;
import dev.clew.Range;
import dev.clew.Role;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.cli.command.JsonFields;
import dev.clew.cli.command.Limit;
import dev.clew.cli.command.PointInTime;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Snippets;
import dev.clew.cli.terminal.Transcript;
import dev.clew.json.JsonObject;
import dev.clew.kit.SearchFilter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew search}: full-text search in an owner's sessions. Used once, by one thread. */
@Command(name = "search")
public final class SearchCommand extends StoreAction {
  private static final int OPEN_ITEMS = 10;
  private static final int MOST_CONTEXT = 100;

  @Parameters(paramLabel = "WORDS", arity = "1..*")
  List<String> words = List.of();

  @Option(names = "--limit", paramLabel = "N")
  int limit = 20;

  @Option(names = "--session", paramLabel = "ID")
  @Nullable String session;

  @Option(names = "--since", paramLabel = "TIME")
  @Nullable String since;

  @Option(names = "--until", paramLabel = "TIME")
  @Nullable String until;

  @Option(names = "--role", paramLabel = "ROLE")
  @Nullable Role role;

  @Option(names = "--tool", paramLabel = "NAME")
  @Nullable String tool;

  @Option(names = "--tag", paramLabel = "TAG")
  @Nullable String tag;

  @Option(
      names = {"-C", "--context"},
      paramLabel = "N")
  int context;

  @Option(names = "--open")
  boolean open;

  private SearchQuery query = SearchQuery.of("", "");
  private SearchFilter filter =
      new SearchFilter(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  @Override
  protected void beforeOpening() {
    if (context < 0 || context > MOST_CONTEXT) {
      throw Failure.usage("--context is " + context + "; it must be 0 to " + MOST_CONTEXT)
          .in("--context");
    }
    SearchQuery all = SearchQuery.of(clew.owner(), String.join(" ", words));
    query = all.limit(Limit.checked(limit, SessionQuery.MAX_LIMIT)).limit(open ? 1 : limit);
    if (session != null) {
      query = query.within(clew.judging("--session", session, clew::key).id());
    }
    filter =
        new SearchFilter(
            time("--since", since),
            time("--until", until),
            Optional.ofNullable(role),
            Optional.ofNullable(tool),
            Optional.ofNullable(tag));
  }

  private static Optional<Instant> time(String option, @Nullable String text) {
    return Optional.ofNullable(text).map(time -> PointInTime.parse(option, time, Instant.now()));
  }

  @Override
  protected int run(SessionStore store) {
    if (session != null) {
      clew.existing(store.session(clew.key(session)));
    }
    SearchResult result = filter.search(store, query);
    if (clew.json) {
      return clew.answer(json(store, result));
    }
    Snippets snippets = new Snippets(clew.paint());
    for (SearchResult.Hit hit : result.hits()) {
      clew.out().line(snippets.place(hit)).line("  " + snippets.text(hit));
      int around = open ? Math.max(context, OPEN_ITEMS) : context;
      if (around > 0) {
        show(around(store, hit, around));
      }
    }
    if (result.hits().isEmpty()) {
      clew.note("nothing found");
    }
    if (result.partial()) {
      clew.note("there may be more: the index is still catching up, or too much was found");
    }
    return ExitCode.OK;
  }

  /** The items before it, itself, and those after it. */
  private static List<Entry> around(SessionStore store, SearchResult.Hit hit, int count) {
    List<Entry> entries =
        new ArrayList<>(
            store.session(hit.key()).entries(Range.before(hit.position(), count)).entries());
    entries.addAll(
        store.session(hit.key()).entries(Range.after(hit.position() - 1, count + 1)).entries());
    return entries;
  }

  private void show(List<Entry> entries) {
    clew.out().line("");
    Transcript transcript = new Transcript(clew.out(), clew.paint(), clew.width(), true, !open);
    entries.forEach(transcript::add);
    clew.out().line("");
  }

  private JsonObject json(SessionStore store, SearchResult result) {
    List<JsonObject> hits = new ArrayList<>();
    for (SearchResult.Hit hit : result.hits()) {
      JsonObject json = JsonFields.hit(hit);
      if (context > 0) {
        json.putAll(
            "context", around(store, hit, context).stream().map(JsonFields::entry).toList());
      }
      hits.add(json);
    }
    return new JsonObject().putAll("hits", hits).put("partial", result.partial());
  }
}
