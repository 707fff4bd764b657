package dev.clew.kit;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.Role;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SearchResult.Hit;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Further conditions on the hits of a search. Immutable.
 *
 * <p>It is applied after the search, so that it works on every store: of the best thousand hits it
 * keeps those that match. If there were a thousand and fewer are left than requested, or there was
 * too much to scan, the result says that it is partial.
 *
 * @param since added at that time or later
 * @param until added before that time
 * @param role a message of that role
 * @param tool a call of that tool, or its answer, with or without its server ({@code office__send})
 * @param tag in a session with that tag
 */
public record SearchFilter(
    Optional<Instant> since,
    Optional<Instant> until,
    Optional<Role> role,
    Optional<String> tool,
    Optional<String> tag) {
  /** A tool answers soon after it was called. */
  private static final int BACK_TO_THE_CALL = 100;

  private static final int STEP_BACK = 10;

  /** Searches, and keeps the hits that match. */
  public SearchResult search(SessionStore store, SearchQuery query) {
    if (since.isEmpty() && until.isEmpty() && role.isEmpty() && tool.isEmpty() && tag.isEmpty()) {
      return store.search(query);
    }
    SearchResult all = store.search(query.limit(SessionQuery.MAX_LIMIT));
    SearchBudget budget = new SearchBudget(query, SearchBudget.TIME);
    List<Hit> kept = new ArrayList<>();
    Map<SessionKey, Boolean> tagged = new HashMap<>();
    for (Hit hit : all.hits()) {
      if (kept.size() == query.limit()) {
        return new SearchResult(kept, all.partial());
      }
      if (budget.isSpent()) {
        return new SearchResult(kept, true);
      }
      if (since.filter(time -> hit.addedAt().isBefore(time)).isEmpty()
          && until.filter(time -> !hit.addedAt().isBefore(time)).isEmpty()
          && tagged.computeIfAbsent(hit.key(), key -> hasTag(store, key))
          && fits(store, hit, budget)) {
        kept.add(hit);
      }
    }
    boolean cut = all.hits().size() == SessionQuery.MAX_LIMIT && kept.size() < query.limit();
    return new SearchResult(kept, all.partial() || cut);
  }

  private boolean hasTag(SessionStore store, SessionKey key) {
    return tag.isEmpty()
        || store
            .session(key)
            .info()
            .map(SessionInfo::tags)
            .filter(tags -> tags.contains(tag.get()))
            .isPresent();
  }

  private boolean fits(SessionStore store, Hit hit, SearchBudget budget) {
    if (role.isEmpty() && tool.isEmpty()) {
      return true;
    }
    List<Entry> found =
        store.session(hit.key()).entries(Range.after(hit.position() - 1, 1)).entries();
    if (found.isEmpty() || found.get(0).position() != hit.position()) {
      return false; // removed meanwhile
    }
    Item item = found.get(0).item();
    budget.spend(item.json().length());
    return isOfRole(item) && isOfTool(store, hit, item, budget);
  }

  private boolean isOfRole(Item item) {
    return role.isEmpty()
        || (item.view() instanceof View.Message message && message.role() == role.get());
  }

  private boolean isOfTool(SessionStore store, Hit hit, Item item, SearchBudget budget) {
    if (tool.isEmpty()) {
      return true;
    }
    View view = item.view();
    if (view instanceof View.FunctionCall call) {
      return isTool(call.name());
    }
    if (!(view instanceof View.FunctionCallOutput output)) {
      return false;
    }
    return isCalledBefore(store, hit, output.callId(), budget);
  }

  /** Whether a name, which may have that of the tool's server before it, is what was asked for. */
  private boolean isTool(String name) {
    return name.equals(tool.orElseThrow()) || name.endsWith("__" + tool.orElseThrow());
  }

  /** Whether the call that was answered is one of the tool. */
  private boolean isCalledBefore(SessionStore store, Hit hit, String callId, SearchBudget budget) {
    long before = hit.position();
    for (int back = 0; back < BACK_TO_THE_CALL && !budget.isSpent(); back += STEP_BACK) {
      EntryPage page = store.session(hit.key()).entries(Range.before(before, STEP_BACK));
      for (Item item : page.items()) {
        budget.spend(item.json().length());
        if (item.view() instanceof View.FunctionCall call
            && call.callId().equals(callId)
            && isTool(call.name())) {
          return true;
        }
      }
      if (!page.hasMore()) {
        return false;
      }
      before = page.entries().get(0).position();
    }
    return false;
  }
}
