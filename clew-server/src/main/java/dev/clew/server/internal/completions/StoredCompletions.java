package dev.clew.server.internal.completions;

import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import dev.clew.kit.BoundedPage;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.wire.ConversationIds;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Completions that clients can retrieve, as documents of the owner. Thread-safe. The messages are
 * those of the session. Sample, the document {@code completion/chatcmpl-…}:
 *
 * <pre>{@code
 * {"session_id":"trip","last":11,"messages":3,"completion":{…}}
 * }</pre>
 *
 * <p>Ids begin with the time, so that the documents are in the order in which they were made. One
 * that is too long is not kept, because many of them are read at a time.
 */
record StoredCompletions(SessionStore store, Clock clock, Duration kept) {
  static final String PREFIX = "completion/";
  private static final String ID = "chatcmpl-";
  private static final Pattern IDS = Pattern.compile("chatcmpl-[0-9a-f]{48}");
  private static final int TIME_DIGITS = 12;
  private static final int PAGE = 20;

  /** In characters. */
  static final int LONGEST = 1 << 20;

  private static final int ENTRIES = 500;
  private static final long FIRST_SPAN_MS = 60_000;

  /**
   * A stored completion. Immutable.
   *
   * @param session where it was said
   * @param last the position of the last message that the client sent
   * @param messages how many it sent
   * @param json what the client was answered, and the metadata
   */
  record Stored(String id, long version, String session, long last, int messages, String json) {
    static Stored parse(Document document) {
      Map<String, String> fields = UncheckedJson.fields(document.json());
      return new Stored(
          document.name().substring(PREFIX.length()),
          document.version(),
          String.valueOf(Json.string(fields.get("session_id"))),
          Long.parseLong(fields.getOrDefault("last", "-1")),
          Integer.parseInt(fields.getOrDefault("messages", "0")),
          fields.getOrDefault("completion", "{}"));
    }

    String document() {
      return new JsonObject()
          .put("session_id", session)
          .put("last", last)
          .put("messages", messages)
          .raw("completion", json)
          .toString();
    }

    Stored with(String field, String raw) {
      Map<String, String> fields = UncheckedJson.fields(json);
      fields.put(field, raw);
      JsonObject out = new JsonObject();
      fields.forEach(out::raw);
      return new Stored(id, version, session, last, messages, out.toString());
    }

    Map<String, String> fields() {
      return UncheckedJson.fields(json);
    }
  }

  static String newId() {
    return ConversationIds.random(ID, 48);
  }

  static boolean isId(String text) {
    return IDS.matcher(text).matches();
  }

  void put(String owner, Stored stored, boolean isNew) {
    OptionalLong version = isNew ? OptionalLong.empty() : OptionalLong.of(stored.version());
    String document = stored.document();
    if (document.length() <= LONGEST) {
      documents().put(owner, PREFIX + stored.id(), document, version, Optional.of(kept));
    }
  }

  Optional<Stored> find(String owner, String id) {
    return isId(id) ? documents().get(owner, PREFIX + id).map(Stored::parse) : Optional.empty();
  }

  boolean delete(String owner, String id) {
    return isId(id) && documents().delete(owner, PREFIX + id);
  }

  /** Some completions, and whether there are more. */
  record Page(List<Stored> found, boolean more) {}

  /**
   * Completions in the order of their creation, fewer than wanted if they are long.
   *
   * @param after the id behind which they begin
   */
  Page list(
      String owner,
      Optional<String> after,
      boolean newestFirst,
      int limit,
      Predicate<Stored> filter) {
    Few found = new Few(limit + 1);
    if (newestFirst) {
      newest(owner, after, filter, found);
    } else {
      oldest(owner, after, filter, found);
    }
    List<Stored> all = List.copyOf(found.all);
    int fitting = all.size();
    if (found.isEnough()) {
      fitting--; // the last one is too much
    }
    return new Page(all.subList(0, fitting), fitting < all.size());
  }

  /** As many completions as wanted, or one more than fit into an answer. Used by one thread. */
  private static final class Few {
    final Deque<Stored> all = new ArrayDeque<>();
    private final int most;
    private long size;

    Few(int most) {
      this.most = most;
    }

    boolean isEnough() {
      return all.size() >= most || (all.size() > 1 && size > BoundedPage.MOST_BYTES);
    }

    void add(Stored stored) {
      all.addLast(stored);
      size += stored.json().length();
    }

    /** Adds what comes before the others, and drops what is too much behind them. */
    void push(Stored stored) {
      while (isEnough()) {
        size -= all.removeLast().json().length();
      }
      all.addFirst(stored);
      size += stored.json().length();
    }
  }

  private void oldest(String owner, Optional<String> after, Predicate<Stored> filter, Few found) {
    Optional<String> last = after.map(id -> PREFIX + id);
    List<Document> page;
    do {
      page = documents().list(owner, PREFIX, last, PAGE);
      for (Document document : page) {
        Stored stored = Stored.parse(document);
        last = Optional.of(document.name());
        if (!found.isEnough() && filter.test(stored)) {
          found.add(stored);
        }
      }
    } while (page.size() == PAGE && !found.isEnough());
  }

  /** Stores list documents in one direction only, so this reads ever longer times, going back. */
  private void newest(String owner, Optional<String> before, Predicate<Stored> filter, Few found) {
    String end = before.map(id -> PREFIX + id).orElse(PREFIX + "~");
    long now = before.map(StoredCompletions::millis).orElseGet(() -> clock.millis() + 1);
    long oldest = clock.millis() - kept.multipliedBy(2).toMillis();
    for (long span = FIRST_SPAN_MS; !found.isEnough() && now > oldest; span *= 2) {
      now -= span;
      String begin = now > oldest ? name(now) : PREFIX;
      Few part = new Few(found.most - found.all.size());
      between(owner, begin, end, filter, part);
      for (Stored stored : part.all) {
        if (!found.isEnough()) {
          found.add(stored);
        }
      }
      end = begin;
    }
  }

  private void between(
      String owner, String begin, String end, Predicate<Stored> filter, Few newest) {
    Optional<String> last = Optional.of(begin);
    List<Document> page;
    do {
      page = documents().list(owner, PREFIX, last, PAGE);
      for (Document document : page) {
        if (document.name().compareTo(end) >= 0) {
          return;
        }
        last = Optional.of(document.name());
        Stored stored = Stored.parse(document);
        if (filter.test(stored)) {
          newest.push(stored);
        }
      }
    } while (page.size() == PAGE);
  }

  private static String name(long millis) {
    return PREFIX + ID + HexFormat.of().toHexDigits(millis, TIME_DIGITS);
  }

  private static long millis(String id) {
    return HexFormat.fromHexDigitsToLong(id, ID.length(), ID.length() + TIME_DIGITS);
  }

  /**
   * The messages of a request, as the session has them; empty if it is gone.
   *
   * @throws Problem if they are too long to be read at once
   */
  Optional<List<JsonObject>> messages(String owner, Stored stored) {
    SessionKey key = new SessionKey(owner, stored.session());
    if (store.session(key).info().isEmpty()) {
      return Optional.empty();
    }
    Deque<Item> items = new ArrayDeque<>();
    List<JsonObject> messages = List.of();
    long bytes = 0;
    long before = stored.last() + 1;
    for (boolean more = true; more && messages.size() <= stored.messages(); ) {
      EntryPage page = BoundedPage.read(store, key, Range.before(before, ENTRIES).withCompacted());
      List<Entry> entries = page.entries();
      for (int i = entries.size() - 1; i >= 0; i--) {
        items.addFirst(entries.get(i).item());
        bytes += entries.get(i).item().json().length();
      }
      if (bytes > BoundedPage.LARGEST) {
        throw tooLarge();
      }
      messages = ItemMessages.of(List.copyOf(items));
      more = page.hasMore() && !entries.isEmpty();
      before = more ? entries.get(0).position() : before;
    }
    int from = Math.max(0, messages.size() - stored.messages());
    return Optional.of(messages.subList(from, messages.size()));
  }

  private static Problem tooLarge() {
    return Problem.invalid(
        "session_too_large",
        null,
        "The messages of this completion are longer than "
            + (BoundedPage.LARGEST >> 20)
            + " MiB; read the items of its session instead.");
  }

  private Documents documents() {
    return store.documents();
  }
}
