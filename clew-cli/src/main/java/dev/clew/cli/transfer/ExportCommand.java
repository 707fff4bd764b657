package dev.clew.cli.transfer;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.cli.command.AtomicFile;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.command.StoreLocation;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Progress;
import dev.clew.json.JsonObject;
import dev.clew.kit.Marks;
import dev.clew.transcript.ExportFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew export}: sessions as files. Used once, by one thread. */
@Command(name = "export")
public final class ExportCommand extends StoreAction {
  @Parameters(paramLabel = "ID", arity = "0..*")
  List<String> ids = List.of();

  @Option(names = "--all")
  boolean all;

  @Option(names = "--format", paramLabel = "FORMAT")
  String formatName = "json";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE")
  @Nullable String output;

  @Option(names = "--to", paramLabel = "FOLDER")
  @Nullable String folder;

  private ExportFormat format = ExportFormat.JSON;
  private long sessions;
  private long items;
  private long damaged;

  @Override
  protected void beforeOpening() {
    format =
        ExportFormat.of(formatName)
            .orElseThrow(
                () ->
                    Failure.usage(
                            "--format is '" + formatName + "'; there are " + ExportFormat.names())
                        .in("--format"));
    if (all == !ids.isEmpty()) {
      throw Failure.usage("name the sessions, or all of them with --all");
    }
    if (output != null && folder != null) {
      throw Failure.usage("use either --output for one file or --to for a file per session");
    }
    boolean one = ids.size() == 1 || format == ExportFormat.CSV;
    if (!one && folder == null) {
      throw Failure.usage("several sessions need --to FOLDER; csv alone puts them into one file");
    }
  }

  @Override
  protected int run(SessionStore store) {
    if (all) {
      clew.requireOwner(store, StoreLocation.forDisplay(clew.storeUrl()));
    }
    if (folder != null) {
      Path into = clew.judging("--to", folder, AtomicFile::folder);
      try (Progress progress = Progress.of(clew.surroundings(), "sessions")) {
        each(
            store,
            (info, entries) -> {
              String name = format.fileName(info.key().id());
              AtomicFile.write(into.resolve(name), out -> out.print(format.write(info, entries)));
              progress.add(1);
            });
      }
      told(folder);
    } else if (output != null) {
      Path file = clew.judging("--output", output, AtomicFile::named);
      AtomicFile.write(file, out -> writeAll(store, out));
      told(output);
    } else {
      writeAll(store, clew.out());
    }
    return damaged == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  /** Several are in one document as CSV only, whose header stands there once. */
  private void writeAll(SessionStore store, Output out) {
    if (format == ExportFormat.CSV) {
      out.print(ExportFormat.csvHeader());
      each(store, (info, entries) -> out.print(ExportFormat.csvRows(info, entries)));
    } else {
      each(store, (info, entries) -> out.print(format.write(info, entries)));
    }
  }

  private void each(SessionStore store, BiConsumer<SessionInfo, List<Entry>> writer) {
    Consumer<SessionInfo> one =
        info -> {
          // One read, so of one moment.
          List<Entry> entries =
              store.session(info.key()).entries(Range.latest(Integer.MAX_VALUE)).entries();
          writer.accept(info, entries);
          sessions++;
          items += entries.size();
        };
    for (String id : ids) {
      one.accept(clew.existing(store.session(clew.key(id))));
    }
    if (all) {
      SessionQuery query = SessionQuery.of(clew.owner()).limit(SessionQuery.MAX_LIMIT);
      for (SessionInfo info : query.walk(store::list)) {
        if (!Marks.isTemporary(info)) { // a file would outlast it
          unlessDamaged(info, one);
        }
      }
    }
  }

  /** Of all sessions those that can be read are wanted, and the names of the others. */
  private void unlessDamaged(SessionInfo info, Consumer<SessionInfo> one) {
    try {
      one.accept(info);
      if (info.damaged()) {
        tellDamage("exported without title, tags and metadata of session " + info.key());
      }
    } catch (ClewException.CorruptRecord e) {
      tellDamage("left out: " + e.getMessage());
    }
  }

  private void tellDamage(String what) {
    damaged++;
    clew.surroundings().err().line(clew.paint().red(what));
  }

  private void told(String place) {
    JsonObject answer = new JsonObject();
    String what = Humanize.count(sessions, "session");
    if (ids.size() == 1) {
      SessionKey key = clew.key(ids.get(0));
      answer.put("id", key.id());
      what = "session " + key;
    }
    answer.put("owner", clew.owner()).put("exported", items);
    if (ids.size() != 1) {
      answer.put("sessions", sessions);
    }
    clew.answer(
        answer.put(folder == null ? "file" : "folder", place),
        String.format("wrote %s of %s to %s", Humanize.count(items, "item"), what, place));
  }
}
