package dev.clew.insight;

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
public final class Facts {
  /** The most items, and bytes, that an interactive answer reads. */
  public static final int MOST_ITEMS = 100_000;

  private static final long MOST_BYTES = 256L << 20;
  private static final int PAGE = 1000;
  private static final long PAGE_BYTES = 8L << 20;

  private final SessionStore store;
  private final int mostItems;
  private final long mostBytes;
  private int items;
  private long bytes;

  /** For an answer in bounded time. */
  public Facts(SessionStore store, int mostItems) {
    this(store, mostItems, MOST_BYTES);
  }

  private Facts(SessionStore store, int mostItems, long mostBytes) {
    this.store = store;
    this.mostItems = mostItems;
    this.mostBytes = mostBytes;
  }

  /** However many there are. */
  public static Facts unlimited(SessionStore store) {
    return new Facts(store, Integer.MAX_VALUE, Long.MAX_VALUE);
  }

  /** What an item is, as far as it is counted. */
  public enum Kind {
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
   * @param model which model used the tokens, else empty
   * @param bytes about how large it is
   */
  public record Fact(
      Kind kind,
      Instant at,
      String name,
      String call,
      String model,
      long inputTokens,
      long cachedTokens,
      long outputTokens,
      long bytes) {
    /** Whose model is not known. */
    public Fact(
        Kind kind,
        Instant at,
        String name,
        String call,
        long inputTokens,
        long outputTokens,
        long bytes) {
      this(kind, at, name, call, "", inputTokens, 0, outputTokens, bytes);
    }

    /** Whether a person or a model says it. */
    public boolean isMessage() {
      return kind == Kind.USER || kind == Kind.ASSISTANT;
    }
  }

  /** The facts of a session, oldest first, and whether they are all there are since that time. */
  public record Read(List<Fact> facts, boolean complete) {}

  /** How many items were read. */
  public int items() {
    return items;
  }

  /** Whether nothing more may be read. */
  public boolean isUsedUp() {
    return items >= mostItems || bytes >= mostBytes;
  }

  /** Reads from the end, as far as the budget goes and as there is anything since a time. */
  public Read of(SessionInfo info, Instant since) {
    long each = info.bytes() / Math.max(1, info.itemCount()) + 1;
    int page = (int) Math.max(1, Math.min(PAGE, PAGE_BYTES / each));
    List<Fact> facts = new ArrayList<>();
    OptionalLong before = OptionalLong.empty();
    boolean more = true;
    while (more && !isUsedUp()) {
      int limit = Math.min(page, mostItems - items);
      EntryPage read = store.session(info.key()).entries(new Range(before, true, limit, true));
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
        entry.notes().get("model") instanceof String model ? model : "",
        number(entry.notes().get("input_tokens")),
        number(entry.notes().get("cached_tokens")),
        number(entry.notes().get("output_tokens")),
        entry.item().json().length());
  }

  private static Kind kind(Role role) {
    return role == Role.USER ? Kind.USER : role == Role.ASSISTANT ? Kind.ASSISTANT : Kind.OTHER;
  }

  private static long number(@Nullable Object note) {
    return note instanceof Number number ? number.longValue() : 0;
  }
}
