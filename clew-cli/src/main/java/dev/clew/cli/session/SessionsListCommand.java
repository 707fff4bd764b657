package dev.clew.cli.session;

import dev.clew.SessionInfo;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.cli.command.JsonFields;
import dev.clew.cli.command.Limit;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.Columns;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.SafeText;
import dev.clew.json.JsonObject;
import dev.clew.kit.BoundedPage;
import dev.clew.kit.Family;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code clew sessions list}: one page of an owner's sessions. Used once, by one thread. */
@Command(name = "list")
final class SessionsListCommand extends StoreAction {
  private static final int WIDEST_ID = 40;

  @Option(names = "--limit", paramLabel = "N")
  int limit = 50;

  @Option(names = "--cursor", paramLabel = "CURSOR")
  @Nullable String cursor;

  @Option(names = "--archived")
  boolean archived;

  @Option(names = "--tag", paramLabel = "TAG")
  @Nullable String tag;

  @Option(names = "--title", paramLabel = "TEXT")
  @Nullable String title;

  @Option(names = "--order", paramLabel = "ORDER")
  SessionQuery.Order order = SessionQuery.Order.UPDATED;

  @Override
  protected int run(SessionStore store) {
    SessionPage page = page(store);
    if (clew.json) {
      return clew.answer(
          new JsonObject()
              .putAll("sessions", page.sessions().stream().map(JsonFields::session).toList())
              .put("next", page.next().orElse(null)));
    }
    if (page.sessions().isEmpty()) {
      boolean some = archived || tag != null || title != null || cursor != null;
      clew.note(some ? "no such sessions" : "no sessions; 'clew add my-session Hello' makes one");
    } else {
      print(page.sessions());
    }
    page.next().ifPresent(next -> clew.note("there are more: add --cursor " + next));
    return ExitCode.OK;
  }

  private SessionPage page(SessionStore store) {
    SessionQuery query = query();
    try {
      return BoundedPage.list(store, query, Optional.ofNullable(cursor));
    } catch (IllegalArgumentException e) {
      if (cursor == null) {
        throw e;
      }
      throw Failure.usage(
              "--cursor is not one that this list printed; leave it out to start again, and keep"
                  + " the same --order from page to page")
          .in("--cursor");
    }
  }

  private SessionQuery query() {
    SessionQuery all = SessionQuery.of(clew.owner()).order(order).archived(archived);
    SessionQuery query = all.limit(Limit.checked(limit, SessionQuery.MAX_LIMIT));
    if (tag != null) {
      query = query.tag(tag);
    }
    return title == null ? query : query.titleContains(title);
  }

  private void print(List<SessionInfo> sessions) {
    Instant now = Instant.now();
    int widestId =
        sessions.stream().mapToInt(info -> Columns.width(info.key().id())).max().orElse(0);
    int ids = Math.max(2, Math.min(WIDEST_ID, widestId));
    clew.out().line(clew.paint().dim(row(ids, "ID", "ITEMS", "UPDATED", "TITLE")));
    for (SessionInfo info : sessions) {
      String title =
          info.damaged()
              ? clew.paint().red(clew.program().in("(damaged; see 'clew doctor')"))
              : SafeText.line(info.title()) + tags(info);
      String row =
          row(
              ids,
              info.key().id(),
              String.valueOf(info.itemCount()),
              Humanize.ago(info.updatedAt(), now),
              info.pinned() ? "* " + title : title);
      clew.out().line(row);
    }
  }

  private static String tags(SessionInfo info) {
    Set<String> tags = Family.visible(info.tags());
    return tags.isEmpty() ? "" : "  [" + SafeText.line(String.join(", ", tags)) + "]";
  }

  /** Ids are never cut, because people copy them; a long one pushes its row to the right. */
  private static String row(int ids, String id, String items, String updated, String title) {
    return Columns.row(
        List.of(ids, 6, 14),
        id,
        " ".repeat(Math.max(0, 6 - items.length())) + items,
        updated,
        title);
  }
}
