package dev.clew.cli.session;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.cli.command.JsonFields;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.retention.RetentionRows;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Paint;
import dev.clew.cli.terminal.SafeText;
import dev.clew.cli.terminal.Transcript;
import dev.clew.copy.EntryReader;
import dev.clew.retention.LegalHolds;
import dev.clew.retention.LegalHolds.Hold;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew sessions show}: the transcript of a session. Used once, by one thread. */
@Command(name = "show")
final class SessionsShowCommand extends StoreAction {
  @Parameters(paramLabel = "ID")
  String id = "";

  @Option(names = "--limit", paramLabel = "N")
  int limit = 20;

  @Option(names = "--all")
  boolean all;

  @Option(names = "--before", paramLabel = "POSITION")
  @Nullable Long before;

  @Option(names = "--compacted")
  boolean compacted;

  @Option(names = "--positions")
  boolean positions;

  @Option(names = "--short")
  boolean cut;

  @Override
  protected void beforeOpening() {
    if (limit < 1) {
      throw Failure.usage("--limit is " + limit + "; it must be at least 1").in("--limit");
    }
    if (all && before != null) {
      throw Failure.usage("--all and --before cannot be combined; use --limit with --before")
          .in("--before");
    }
  }

  @Override
  protected int run(SessionStore store) {
    StoredSession session = store.session(clew.key(id));
    SessionInfo info = clew.existing(session);
    if (clew.json) {
      showJson(session, info, new LegalHolds(store).on(info.key()));
    } else {
      showText(session, info, new LegalHolds(store).on(info.key()));
    }
    return ExitCode.OK;
  }

  private void showText(StoredSession session, SessionInfo info, Optional<Hold> hold) {
    Output out = clew.out();
    out.line(heading(info));
    hold.ifPresent(it -> out.line(clew.paint().yellow(SafeText.line(it.toString()))));
    Transcript transcript = new Transcript(out, clew.paint(), clew.width(), positions, cut);
    boolean hasMore = read(session, info, transcript::add);
    if (hasMore) {
      clew.note("\nthere are earlier items: --all shows them, --limit N more of them");
    }
  }

  private String heading(SessionInfo info) {
    Paint paint = clew.paint();
    String facts =
        String.format(
            "%s · %s · %s · updated %s%s",
            info.key().id(),
            Humanize.count(info.itemCount(), "item"),
            Humanize.size(info.bytes()),
            Humanize.ago(info.updatedAt(), Instant.now()),
            info.parent()
                .map(parent -> " · forked from " + parent.key() + " at " + parent.position())
                .orElse(""));
    String title = SafeText.line(info.title());
    return title.isEmpty() ? paint.dim(facts) : paint.bold(title) + "  " + paint.dim(facts);
  }

  private void showJson(StoredSession session, SessionInfo info, Optional<Hold> hold) {
    Output out = clew.out();
    String held = hold.map(it -> ",\"hold\":" + RetentionRows.json(it)).orElse("");
    out.print("{\"session\":" + JsonFields.session(info) + held + ",\"entries\":[");
    boolean hasMore =
        read(
            session,
            info,
            new Consumer<>() {
              private boolean first = true;

              @Override
              public void accept(Entry entry) {
                out.print(first ? "" : ",").print(JsonFields.entry(entry).toString());
                first = false;
              }
            });
    out.line("],\"has_more\":" + hasMore + "}");
  }

  /** Passes on the entries that were asked for; whether there are earlier ones. */
  private boolean read(StoredSession session, SessionInfo info, Consumer<Entry> reader) {
    if (!all) {
      OptionalLong cursor = before == null ? OptionalLong.empty() : OptionalLong.of(before);
      EntryPage page = session.entries(new Range(cursor, true, limit, compacted));
      page.entries().forEach(reader);
      return page.hasMore();
    }
    EntryReader everything =
        compacted
            ? EntryReader.of(session.store(), info)
            : EntryReader.ofHistory(session.store(), info);
    while (everything.hasMore()) {
      everything.next().forEach(reader);
    }
    return false;
  }
}
