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
record Arrival(SessionStore store, SessionKey key, Conversation conversation, boolean dryRun) {
  private static final int PAGE = 500;

  /**
   * The result for the conversation.
   *
   * @param written how many items were written, or would be
   * @param message why it was refused; empty if it was not
   */
  record Result(Outcome outcome, long written, String message) {
    static Result refused(String why) {
      return new Result(Outcome.REFUSED, 0, why);
    }
  }

  Result run() {
    Optional<SessionInfo> there = store.session(key).info();
    int known = there.isEmpty() ? 0 : compare();
    if (known < 0) {
      return Result.refused(
          "there is another session of that name; it differs from item "
              + -known
              + " on. Delete it to import this one, or import for another owner");
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
      return Result.refused("it was changed during the import; run the import again");
    }
    Outcome outcome = rest.isEmpty() ? Outcome.ALREADY_THERE : Outcome.CONTINUED;
    return new Result(there.isEmpty() ? Outcome.IMPORTED : outcome, rest.size(), "");
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
