package dev.clew.cli;

import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionStore;
import dev.clew.internal.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew search}: full-text search in an owner's sessions. Used once, by one thread. */
@Command(
    name = "search",
    description = {
      "Finds messages and tool outputs that have all the words, best first.",
      "Words in double quotes must stand together; the last word may be the beginning of one."
    },
    footer = {
      "",
      "Examples:",
      "  clew search golden gate",
      "  clew search '\"golden gate\" bridge' --limit 5",
      "  clew search 京都 --session trip",
      "  clew search getItems --json",
      "",
      "Finding nothing is no error: the exit code is 0."
    })
final class SearchCommand extends StoreAction {
  @Parameters(paramLabel = "WORDS", arity = "1..*", description = "What to look for.")
  List<String> words = List.of();

  @Option(names = "--limit", paramLabel = "N", description = "How many, 1 to 1000. Default: 20.")
  int limit = 20;

  @Option(names = "--session", paramLabel = "ID", description = "Only in this session.")
  @Nullable String session;

  SearchCommand(Clew clew) {
    super(clew);
  }

  @Override
  int run(SessionStore store) {
    SearchQuery query = SearchQuery.of(clew().owner(), String.join(" ", words)).limit(limit);
    if (session != null) {
      clew().existing(store.session(clew().key(session)));
      query = query.within(session);
    }
    SearchResult result = store.search(query);
    if (clew().json) {
      clew()
          .out()
          .line(
              new JsonObject()
                  .putAll("hits", result.hits().stream().map(JsonFields::hit).toList())
                  .put("partial", result.partial())
                  .toString());
      return ExitCode.OK;
    }
    Snippets snippets = new Snippets(clew().paint());
    for (SearchResult.Hit hit : result.hits()) {
      clew().out().line(snippets.place(hit)).line("  " + snippets.text(hit));
    }
    if (result.hits().isEmpty()) {
      clew().note("nothing found");
    }
    if (result.partial()) {
      clew().note("the index is still catching up, so there may be more; search again later");
    }
    return ExitCode.OK;
  }
}
