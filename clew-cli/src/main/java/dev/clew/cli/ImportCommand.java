package dev.clew.cli;

import dev.clew.Entry;
import dev.clew.HistoryTransaction;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.internal.JsonObject;
import dev.clew.transcript.ExportedSession;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew import}: a session from a JSON document. Used once, by one thread. */
@Command(
    name = "import",
    description = {
      "Makes the history of a session what a document of 'clew export' says, as one change.",
      "Asks if the session has items, because they are replaced. Title and tags stay."
    },
    footer = {
      "",
      "Examples:",
      "  clew import trip.json",
      "  clew import trip.json --session trip-again --yes",
      "  cat trip.json | clew import - --store sqlite:other.db"
    })
final class ImportCommand extends StoreAction {
  @Parameters(paramLabel = "FILE", description = "The document; - is standard input.")
  String file = "";

  @Option(
      names = "--session",
      paramLabel = "ID",
      description = "The session. Default: the one the document names.")
  @Nullable String id;

  @Mixin Consent consent = new Consent();

  private ExportedSession document = ExportedSession.of("", List.of());

  ImportCommand(Clew clew) {
    super(clew);
  }

  @Override
  void beforeOpening() {
    document = ItemInput.document(Utf8Input.read(file, clew().surroundings().in()), file);
  }

  @Override
  int run(SessionStore store) {
    StoredSession session = store.session(clew().key(id == null ? document.sessionId() : id));
    Optional<SessionInfo> before = session.info();
    long replaced = before.map(SessionInfo::itemCount).orElse(0L);
    if (replaced > 0) {
      agree(session, before.get());
    }
    long version = replace(session, before.map(SessionInfo::version).orElse(0L));
    int count = document.items().size();
    clew()
        .out()
        .line(
            clew().json
                ? new JsonObject()
                    .put("id", session.id())
                    .put("owner", session.key().owner())
                    .put("imported", count)
                    .put("replaced", replaced)
                    .put("version", version)
                    .toString()
                : "imported "
                    + Words.count(count, "item")
                    + " into session "
                    + session.key()
                    + (replaced == 0 ? "" : ", replacing " + Words.count(replaced, "item")));
    return ExitCode.OK;
  }

  private void agree(StoredSession session, SessionInfo info) {
    consent.requireYesOrTerminal(clew(), "replacing the items of session " + session.key());
    if (consent.mustAsk()) {
      consent.ask(
          clew(),
          String.format(
              "Replace the %s of session %s by %s?",
              Words.count(info.itemCount(), "item"),
              session.key(),
              Words.count(document.items().size(), "other")));
    }
  }

  /** Replaces what was shown and nothing else: any change since then is a conflict. */
  private long replace(StoredSession session, long version) {
    List<Item> items = document.items();
    List<Entry> newest = session.entries(Range.latest(1)).entries();
    if (!newest.isEmpty()) {
      long last = newest.get(0).position();
      return session
          .apply(HistoryTransaction.dropPrefix(last, items).expectVersion(version))
          .version();
    }
    return items.isEmpty()
        ? session.update(SessionUpdate.none().expectVersion(version)).version()
        : session.apply(HistoryTransaction.append(items).expectVersion(version)).version();
  }
}
