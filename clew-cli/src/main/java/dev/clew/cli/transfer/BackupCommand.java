package dev.clew.cli.transfer;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.backup.Backup;
import dev.clew.backup.BackupFolder;
import dev.clew.backup.BackupReport;
import dev.clew.backup.BackupStore;
import dev.clew.backup.BackupTotals;
import dev.clew.cli.command.Action;
import dev.clew.cli.command.AtomicFile;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.Consent;
import dev.clew.cli.command.StoreLocation;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Progress;
import dev.clew.json.JsonObject;
import dev.clew.migrate.MigrationListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code clew backup}: writes what a store has into a file. Used once, by one thread. */
@Command(name = "backup", customSynopsis = "clew backup --to=PATH [OPTIONS]")
public final class BackupCommand extends Action {

  @Option(names = "--to", paramLabel = "PATH")
  @Nullable String to;

  @Option(names = "--since", paramLabel = "FILE")
  @Nullable String since;

  @Option(names = "--keep", paramLabel = "N")
  @Nullable Integer keep;

  @Option(names = "--verify", paramLabel = "PATH")
  @Nullable String verify;

  @Mixin Consent consent = new Consent();

  @Override
  protected int run() {
    if ((to == null) == (verify == null)) {
      throw Failure.usage("name where to write with --to PATH, or what to read with --verify PATH");
    }
    if (verify != null) {
      return verify(clew.judging("--verify", verify, BackupCommand::newest));
    }
    return write(Objects.requireNonNull(to));
  }

  private int write(String name) {
    Path path = clew.judging("--to", name, AtomicFile::path);
    boolean folder = name.endsWith("/") || Files.isDirectory(path);
    if (folder && (since != null || clew.owner != null)) {
      throw Failure.usage(
          "a backup folder always holds whole stores and detects changes itself; name " + "a file");
    }
    if (!folder && keep != null) {
      throw Failure.usage("--keep is for a folder; write --to " + name + "/").in("--keep");
    }
    if (keep != null && keep < 1) {
      throw Failure.usage("--keep is " + keep + "; at least one backup is kept").in("--keep");
    }
    if (since != null) {
      clew.judging("--since", since, earlier -> requireThere(AtomicFile.path(earlier)));
    }
    if (!folder && Files.exists(path)) {
      consent.requireYesOrTerminal(clew, "replacing " + path);
      consent.ask(clew, "Replace " + path + "?");
    }
    try (SessionStore store = clew.openPlainStore(Opening.READ)) {
      clew.requireOwner(store, StoreLocation.forDisplay(clew.storeUrl()));
      BackupReport report;
      CopyProgress progress = CopyProgress.of(clew);
      try (progress) {
        report = write(store, path, folder, progress);
      }
      return answer(report, progress.problems());
    }
  }

  private BackupReport write(
      SessionStore store, Path path, boolean folder, MigrationListener listener) {
    if (folder) {
      OptionalInt count = keep == null ? OptionalInt.empty() : OptionalInt.of(keep);
      return new BackupFolder(path).add(store, count, listener);
    }
    Backup backup = Backup.of(store);
    backup = clew.namedOwner().map(backup::owner).orElse(backup);
    if (since != null) {
      backup = backup.since(AtomicFile.path(since));
    }
    return backup.writeTo(path, listener);
  }

  private int answer(BackupReport report, List<JsonObject> problems) {
    BackupTotals totals = report.totals();
    clew.answer(
        new JsonObject()
            .put("file", report.file().toString())
            .put("id", report.head().id())
            .put("made_at", report.head().madeAt().toString())
            .put("increment", report.head().isIncrement())
            .put("encrypted", report.head().encrypted())
            .put("sessions", totals.sessions())
            .put("items", totals.items())
            .put("records", totals.records())
            .put("written_sessions", report.written())
            .put("bytes", report.bytes())
            .put("unreadable", report.unreadable())
            .putAll("problems", problems),
        report.isComplete() ? clew.paint().green(text(report)) : text(report));
    return report.isComplete() ? ExitCode.OK : ExitCode.FAILED;
  }

  private static String text(BackupReport report) {
    BackupTotals totals = report.totals();
    StringBuilder text =
        new StringBuilder(
            String.format(
                "wrote and compared %s: %s with %s, %s, %s",
                report.file(),
                Humanize.count(totals.sessions(), "session"),
                Humanize.count(totals.items(), "item"),
                Humanize.count(totals.records(), "document"),
                Humanize.size(report.bytes())));
    if (report.head().isIncrement()) {
      text.append(", ").append(report.written()).append(" of the sessions new or changed");
    }
    if (report.head().encrypted()) {
      text.append(", encrypted by the store's keys");
    }
    CopyRunner.append(text, report.failed(), "session", " failed");
    CopyRunner.append(text, report.unreadable(), "item", " unreadable and left out");
    return text.toString();
  }

  private int verify(Path file) {
    try (BackupStore backup = BackupStore.open(file)) {
      compare(clew, backup);
      return clew.answer(
          new JsonObject()
              .put("file", file.toString())
              .put("id", backup.head().id())
              .put("made_at", backup.head().madeAt().toString())
              .put("encrypted", backup.head().encrypted())
              .put("files", backup.files().stream().map(Path::toString).toList())
              .put("sessions", backup.totals().sessions())
              .put("items", backup.totals().items())
              .put("records", backup.totals().records()),
          clew.paint()
              .green(
                  String.format(
                      "%s of %s is whole: %s with %s in %s",
                      file,
                      backup.head().madeAt(),
                      Humanize.count(backup.totals().sessions(), "session"),
                      Humanize.count(backup.totals().items(), "item"),
                      Humanize.count(backup.files().size(), "file"))));
    }
  }

  /** Reads a backup as a whole and shows how far that is. */
  static void compare(Clew clew, BackupStore backup) {
    try (Progress progress = Progress.of(clew.surroundings(), "bytes")) {
      progress.planned(backup.files().stream().mapToLong(file -> file.toFile().length()).sum());
      backup.verify(progress::add);
    }
  }

  private static Path requireThere(Path backup) {
    if (Files.notExists(backup)) {
      throw Failure.notFound("backup " + backup + " does not exist");
    }
    return backup;
  }

  /** A backup that is named, or the newest of a folder. */
  static Path newest(String name) {
    Path path = AtomicFile.path(name);
    if (!Files.isDirectory(path)) {
      return requireThere(path);
    }
    Optional<Path> newest = new BackupFolder(path).newest();
    return newest.orElseThrow(() -> Failure.notFound("there is no backup in the folder " + path));
  }
}
