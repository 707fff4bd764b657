package dev.clew.cli.transfer;

import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Opening;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.cli.command.Consent;
import dev.clew.cli.command.ItemInput;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Utf8Input;
import dev.clew.imports.ImportFormat;
import dev.clew.imports.ImportFormats;
import dev.clew.json.JsonObject;
import dev.clew.kit.Family;
import dev.clew.transcript.ExportedSession;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code clew import}: a session from a JSON document, or all that another program keeps. Used
 * once, by one thread.
 */
@Command(name = "import")
public final class ImportCommand extends StoreAction {
  @Parameters(paramLabel = "SOURCE")
  String file = "";

  @Option(names = "--from", paramLabel = "FORMAT")
  @Nullable String from;

  @Option(names = "--session", paramLabel = "ID")
  @Nullable String id;

  @Option(names = "--dry-run")
  boolean dryRun;

  /** How a document of 'clew export' begins. */
  private static final Pattern OWN_DOCUMENT = Pattern.compile("\\s*\\{\\s*\"session_id\"");

  private static final Pattern ZIP = Pattern.compile("PK\\x03\\x04");

  @Mixin Consent consent = new Consent();

  private Optional<ImportFormat> format = Optional.empty();
  private SessionUpdate description = SessionUpdate.none();
  private ExportedSession document = ExportedSession.of("", List.of());

  public ImportCommand() {
    super(Opening.CREATE);
  }

  @Override
  protected void beforeOpening() {
    format =
        from == null ? detected() : Optional.of(clew.judging("--from", from, ImportFormats::named));
    if (id != null) {
      clew.judging("--session", id, clew::key);
    }
    if (format.isPresent()) {
      if (!file.contains(":") && !new File(file).exists()) {
        throw Failure.notFound("there is no file '" + file + "'");
      }
      return;
    }
    document = ItemInput.document(Utf8Input.read(file, clew.surroundings().in()), file);
    if (dryRun) {
      throw Failure.usage(
          "--dry-run is only for the data of other programs; this is an export of Clew");
    }
    // Whatever it was before, it is found again.
    description = document.description().tags(Family.visible(document.tags()));
  }

  /** The format the source looks like; none for a document of our own. */
  private Optional<ImportFormat> detected() {
    if (file.equals("-") || Utf8Input.begins(file, OWN_DOCUMENT)) {
      return Optional.empty();
    }
    Optional<ImportFormat> found = ImportFormats.of(file);
    boolean zip = found.isEmpty() && Utf8Input.begins(file, ZIP);
    if (zip) {
      requireWhole(file);
    }
    if (found.isEmpty() && (zip || file.contains("://") || new File(file).isDirectory())) {
      throw Failure.usage(
          String.format(
              "'%s' looks like none of the formats %s; if it is one of them, name it "
                  + "with --from",
              file, ImportFormats.names()));
    }
    return found;
  }

  private static void requireWhole(String zip) {
    try {
      new ZipFile(zip).close();
    } catch (IOException e) {
      throw Failure.usage(
          String.format(
              "'%s' is a zip that is cut off or damaged: %s; nothing was written",
              zip, Humanize.reason(e)));
    }
  }

  @Override
  protected SessionStore open() {
    return dryRun ? clew.openToTry() : super.open();
  }

  @Override
  protected int run(SessionStore store) {
    if (format.isPresent()) {
      return new ImportRunner(clew, format.get(), file, id, dryRun).run(store);
    }
    StoredSession session = store.session(clew.key(id == null ? document.sessionId() : id));
    Optional<SessionInfo> before = session.info();
    long replaced = before.map(SessionInfo::itemCount).orElse(0L);
    if (replaced > 0) {
      agree(session, before.get());
    }
    long version = replace(session, before.map(SessionInfo::version).orElse(0L));
    if (before.isEmpty() && isDescribed()) {
      version = session.update(description).version();
    }
    int count = document.drafts().size();
    return clew.answer(
        new JsonObject()
            .put("id", session.id())
            .put("owner", session.key().owner())
            .put("imported", count)
            .put("replaced", replaced)
            .put("version", version),
        String.format(
            "imported %s into session %s%s",
            Humanize.count(count, "item"),
            session.key(),
            replaced == 0 ? "" : ", replacing " + Humanize.count(replaced, "item")));
  }

  private boolean isDescribed() {
    return !document.title().isEmpty()
        || !document.tags().isEmpty()
        || !document.metadata().isEmpty()
        || document.times().isPresent();
  }

  private void agree(StoredSession session, SessionInfo info) {
    consent.requireYesOrTerminal(clew, "replacing the items of session " + session.key());
    consent.ask(
        clew,
        String.format(
            "Replace the %s of session %s by %s?",
            Humanize.count(info.itemCount(), "item"),
            session.key(),
            Humanize.count(document.drafts().size(), "other")));
  }

  /** Replaces what was shown and nothing else: any change since then is a conflict. */
  private long replace(StoredSession session, long version) {
    List<Draft> drafts = document.drafts();
    List<Entry> newest = session.entries(Range.latest(1)).entries();
    if (!newest.isEmpty()) {
      long last = newest.get(0).position();
      return session.commit(Commit.dropPrefixDrafts(last, drafts).expectVersion(version)).version();
    }
    return drafts.isEmpty()
        ? session.update(SessionUpdate.none().expectVersion(version)).version()
        : session.commit(Commit.appendDrafts(drafts).expectVersion(version)).version();
  }
}
