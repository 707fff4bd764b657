package dev.clew.cli.transfer;

import dev.clew.ClewException;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.StoreLocation;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Progress;
import dev.clew.cli.terminal.SafeText;
import dev.clew.decorate.RetryingStore;
import dev.clew.imports.Import;
import dev.clew.imports.ImportFormat;
import dev.clew.imports.ImportListener;
import dev.clew.imports.ImportReport;
import dev.clew.imports.ImportReport.Outcome;
import dev.clew.imports.Losses;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Imports what another program keeps, and tells of it. Used once, by one thread. */
final class ImportRunner {
  private static final int PLACES_SHOWN = 3;

  private final Clew clew;
  private final ImportFormat format;
  private final String source;
  private final @Nullable String id;
  private final boolean dryRun;
  private final List<JsonObject> problems = new ArrayList<>();

  ImportRunner(Clew clew, ImportFormat format, String source, @Nullable String id, boolean dryRun) {
    this.clew = clew;
    this.format = format;
    this.source = source;
    this.id = id;
    this.dryRun = dryRun;
  }

  int run(SessionStore store) {
    Import wanted = Import.of(format, source, new RetryingStore(store)).owner(clew.owner());
    wanted = id == null ? wanted : wanted.as(id);
    wanted = dryRun ? wanted.dryRun() : wanted;
    Listener listener = new Listener();
    ImportReport report;
    try {
      report = wanted.run(listener);
    } catch (ClewException.StoreUnavailable | ClewException.OutcomeUnknown e) {
      throw CopyRunner.interrupted(e);
    } finally {
      listener.clear();
    }
    if (clew.json) {
      clew.answer(json(report));
    } else {
      tell(report);
    }
    return report.count(Outcome.REFUSED) > 0 ? ExitCode.CONFLICT : ExitCode.OK;
  }

  /** A bar for looking through the source, another for writing. */
  private final class Listener implements ImportListener {
    private @Nullable Progress progress;
    private long sessions;
    private long planned;

    @Override
    public void looking(long read, long size, String units) {
      if (progress == null) {
        progress = Progress.of(clew.surroundings(), units);
        progress.planned(size);
        progress.detail("looking through " + format.name());
      }
      progress.at(read);
    }

    @Override
    public void planned(long sessionCount, long itemCount) {
      clear();
      planned = sessionCount;
      progress = Progress.of(clew.surroundings(), "items");
      progress.planned(itemCount);
    }

    @Override
    public void finished(SessionKey key, Outcome outcome, long items, String message) {
      sessions++;
      if (progress != null) {
        progress.detail(sessions + " of " + Humanize.count(planned, "session"));
        progress.add(items);
      }
      if (!message.isEmpty()) {
        problem(key, outcome, message);
      }
    }

    private void problem(SessionKey key, Outcome outcome, String message) {
      problems.add(
          new JsonObject()
              .put("id", key.id())
              .put("owner", key.owner())
              .put("outcome", Humanize.word(outcome))
              .put("message", message));
      if (!clew.json) {
        clear();
        clew.out()
            .line(
                String.format(
                    "%s session %s: %s",
                    clew.paint().red(Humanize.word(outcome)), key, SafeText.line(message)))
            .flush();
      }
    }

    void clear() {
      if (progress != null) {
        progress.clear();
      }
    }
  }

  private JsonObject json(ImportReport report) {
    JsonObject counts = new JsonObject();
    for (Outcome outcome : Outcome.values()) {
      counts.put(Humanize.word(outcome), report.count(outcome));
    }
    return new JsonObject()
        .put("format", format.name())
        .put("source", StoreLocation.forDisplay(source))
        .put("owner", clew.owner())
        .put("dry_run", dryRun)
        .put("sessions", counts)
        .put("items", report.items())
        .putAll("problems", problems)
        .putAll(
            "losses",
            report.losses().stream()
                .map(
                    loss ->
                        new JsonObject()
                            .put("reason", loss.reason())
                            .put("count", loss.count())
                            .put("places", loss.places()))
                .toList());
  }

  private void tell(ImportReport report) {
    StringBuilder text = new StringBuilder(dryRun ? "would import " : "imported ");
    text.append(Humanize.count(report.count(Outcome.IMPORTED), "session"))
        .append(" with ")
        .append(Humanize.count(report.items(), "item"))
        .append(" from ")
        .append(format.name());
    CopyRunner.append(text, report.count(Outcome.CONTINUED), "", " continued");
    CopyRunner.append(text, report.count(Outcome.ALREADY_THERE), "", " already there");
    CopyRunner.append(text, report.count(Outcome.REFUSED), "", " refused");
    clew.out().line(clew.paint().green(text.toString()));
    if (!report.losses().isEmpty()) {
      clew.out().line("lost or changed:");
    }
    for (Losses.Loss loss : report.losses()) {
      clew.out().line("  " + loss.count() + " × " + SafeText.line(loss.reason()));
      for (String place : loss.places().subList(0, Math.min(PLACES_SHOWN, loss.places().size()))) {
        clew.out().line("      " + SafeText.line(StoreLocation.forDisplay(place)));
      }
      if (loss.count() > PLACES_SHOWN) {
        clew.out().line("      and " + (loss.count() - PLACES_SHOWN) + " more");
      }
    }
  }
}
