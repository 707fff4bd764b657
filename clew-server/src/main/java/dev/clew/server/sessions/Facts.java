package dev.clew.server.sessions;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.Role;
import dev.clew.SessionInfo;
import dev.clew.SessionStore;
import dev.clew.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What there is to count in a session, without what was said. Not thread-safe: it has a budget,
 * which readings use up. What compactions replaced counts too, for it was said.
 */
final class Facts {
  /** How many items one answer may be made of, and how many bytes. */
  static final int MOST_ITEMS = 100_000;

  private static final long MOST_BYTES = 256L << 20;
  private static final int PAGE = 1000;
  private static final long PAGE_BYTES = 8L << 20;

  private final SessionStore store;
  private final int mostItems;
  private int items;
  private long bytes;

  Facts(SessionStore store, int mostItems) {
    this.store = store;
    this.mostItems = mostItems;
  }

  /** What an item is, as far as it is counted. */
  enum Kind {
    USER,
    ASSISTANT,
    CALL,
    RESULT,
    COMPACTION,
    OTHER
  }

  /**
   * One item. Immutable.
   *
   * @param name the tool that is called, else empty
   * @param call which call it is or answers, else empty
   */
  record Fact(
      Kind kind, Instant at, String name, String call, long inputTokens, long outputTokens) {
    boolean isMessage() {
      return kind == Kind.USER || kind == Kind.ASSISTANT;
    }
  }

  /** The facts of a session, oldest first, and whether they are all there are since that time. */
  record Read(List<Fact> facts, boolean complete) {}

  /** How many items were read. */
  int items() {
    return items;
  }

  boolean isUsedUp() {
    return items >= mostItems || bytes >= MOST_BYTES;
  }

  /** Reads from the end, as far as the budget goes and as there is anything since a time. */
  Read of(SessionInfo info, Instant since) {
    long each = info.bytes() / Math.max(1, info.itemCount()) + 1;
    int page = (int) Math.max(1, Math.min(PAGE, PAGE_BYTES / each));
    List<Fact> facts = new ArrayList<>();
    OptionalLong before = OptionalLong.empty();
    boolean more = true;
    while (more && !isUsedUp()) {
      int limit = Math.min(page, mostItems - items);
      EntryPage read = store.read(info.key(), new Range(before, true, limit, true));
      List<Entry> entries = read.entries();
      boolean recent = false;
      for (int i = entries.size() - 1; i >= 0; i--) {
        Entry entry = entries.get(i);
        bytes += entry.item().json().length();
        facts.add(fact(entry));
        recent |= !entry.addedAt().isBefore(since);
      }
      items += entries.size();
      more = read.hasMore() && recent; // nothing is added before what is there
      before = entries.isEmpty() ? before : OptionalLong.of(entries.get(0).position());
    }
    Collections.reverse(facts);
    return new Read(facts, !more);
  }

  private static Fact fact(Entry entry) {
    Kind kind = Kind.OTHER;
    String name = "";
    String call = "";
    View view = entry.item().view();
    if (view instanceof View.Message message) {
      kind = kind(message.role());
    } else if (view instanceof View.FunctionCall asked) {
      kind = Kind.CALL;
      name = asked.name();
      call = asked.callId();
    } else if (view instanceof View.FunctionCallOutput answered) {
      kind = Kind.RESULT;
      call = answered.callId();
    } else if (view instanceof View.Compaction) {
      kind = Kind.COMPACTION;
    }
    return new Fact(
        kind,
        entry.addedAt(),
        name,
        call,
        number(entry.notes().get("input_tokens")),
        number(entry.notes().get("output_tokens")));
  }

  private static Kind kind(Role role) {
    return role == Role.USER ? Kind.USER : role == Role.ASSISTANT ? Kind.ASSISTANT : Kind.OTHER;
  }

  private static long number(@Nullable Object note) {
    return note instanceof Number number ? number.longValue() : 0;
  }
}
