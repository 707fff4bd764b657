package dev.clew.imports;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.imports.ImportReport.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One conversation arriving in a store. Not thread-safe: made for one conversation.
 *
 * <p>Nothing is ever there twice: what the session has is compared, and only what follows is
 * written, expecting the version that was compared.
 */
final class Arrival {
  private static final int PAGE = 500;

  private final SessionStore store;
  private final SessionKey key;
  private final Conversation conversation;
  private final boolean dryRun;
  private long written;
  private String message = "";

  Arrival(SessionStore store, SessionKey key, Conversation conversation, boolean dryRun) {
    this.store = store;
    this.key = key;
    this.conversation = conversation;
    this.dryRun = dryRun;
  }

  SessionKey key() {
    return key;
  }

  /** How many items were written, or would be. */
  long written() {
    return written;
  }

  /** Why it was refused; empty if it was not. */
  String message() {
    return message;
  }

  Outcome run() {
    Optional<SessionInfo> there = store.session(key).info();
    int known = there.isEmpty() ? 0 : compare();
    if (known < 0) {
      message =
          "there is another session of that name; it differs from item "
              + -known
              + " on. Delete it to import this one, or import for another owner";
      return Outcome.REFUSED;
    }
    List<Draft> rest = conversation.drafts().subList(known, conversation.drafts().size());
    try {
      if (!dryRun) {
        write(rest, there.map(SessionInfo::version).orElse(0L));
        if (there.map(Arrival::isBlank).orElse(true)) {
          store.session(key).update(conversation.description());
        }
      }
    } catch (ClewException.VersionConflict e) {
      message = "it was changed by somebody else meanwhile; run the import again";
      return Outcome.REFUSED;
    }
    written = rest.size();
    if (there.isEmpty()) {
      return Outcome.IMPORTED;
    }
    return rest.isEmpty() ? Outcome.ALREADY_THERE : Outcome.CONTINUED;
  }

  private void write(List<Draft> drafts, long version) {
    if (!drafts.isEmpty()) {
      store
          .session(key)
          .commit(
              Commit.appendDrafts(drafts).operationId("import-" + version).expectVersion(version));
    }
  }

  /**
   * How many of the items the session has; the negative number of the first one that differs, from
   * 1. What the session has beyond them was said here and is no difference.
   */
  private int compare() {
    List<Draft> drafts = conversation.drafts();
    int same = 0;
    OptionalLong after = OptionalLong.empty();
    boolean more = true;
    while (more && same < drafts.size()) {
      EntryPage page = store.session(key).entries(new Range(after, false, PAGE, true));
      for (Entry entry : page.entries()) {
        if (same == drafts.size()) {
          return same;
        }
        if (!entry.item().equals(drafts.get(same).item())) {
          return -(same + 1);
        }
        same++;
        after = OptionalLong.of(entry.position());
      }
      more = page.hasMore() && !page.entries().isEmpty();
    }
    return same;
  }

  /** So a run that was interrupted between the history and the description is completed. */
  private static boolean isBlank(SessionInfo info) {
    return info.title().isEmpty() && info.metadata().isEmpty() && info.tags().isEmpty();
  }
}
