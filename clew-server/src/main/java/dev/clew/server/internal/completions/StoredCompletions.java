package dev.clew.server.internal.completions;

import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.wire.ConversationIds;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
 * <p>Ids begin with the time, so that the documents are in the order in which they were made.
 */
record StoredCompletions(SessionStore store, Clock clock, Duration kept) {
  static final String PREFIX = "completion/";
  private static final String ID = "chatcmpl-";
  private static final Pattern IDS = Pattern.compile("chatcmpl-[0-9a-f]{48}");
  private static final int TIME_DIGITS = 12;
  private static final int PAGE = 100;
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
    documents().put(owner, PREFIX + stored.id(), stored.document(), version, Optional.of(kept));
  }

  Optional<Stored> find(String owner, String id) {
    return isId(id) ? documents().get(owner, PREFIX + id).map(Stored::parse) : Optional.empty();
  }

  boolean delete(String owner, String id) {
    return isId(id) && documents().delete(owner, PREFIX + id);
  }

  /**
   * Completions in the order of their creation, one more than wanted if there are more.
   *
   * @param after the id behind which they begin
   */
  List<Stored> list(
      String owner,
      Optional<String> after,
      boolean newestFirst,
      int limit,
      Predicate<Stored> filter) {
    return newestFirst
        ? newest(owner, after, limit + 1, filter)
        : oldest(owner, after, limit + 1, filter);
  }

  private List<Stored> oldest(
      String owner, Optional<String> after, int most, Predicate<Stored> filter) {
    List<Stored> found = new ArrayList<>();
    Optional<String> last = after.map(id -> PREFIX + id);
    List<Document> page;
    do {
      page = documents().list(owner, PREFIX, last, PAGE);
      for (Document document : page) {
        Stored stored = Stored.parse(document);
        last = Optional.of(document.name());
        if (found.size() < most && filter.test(stored)) {
          found.add(stored);
        }
      }
    } while (page.size() == PAGE && found.size() < most);
    return found;
  }

  /** Stores list documents in one direction only, so this reads ever longer times, going back. */
  private List<Stored> newest(
      String owner, Optional<String> before, int most, Predicate<Stored> filter) {
    List<Stored> found = new ArrayList<>();
    String end = before.map(id -> PREFIX + id).orElse(PREFIX + "~");
    long now = before.map(StoredCompletions::millis).orElseGet(() -> clock.millis() + 1);
    long oldest = clock.millis() - kept.multipliedBy(2).toMillis();
    for (long span = FIRST_SPAN_MS; found.size() < most && now > oldest; span *= 2) {
      now -= span;
      String begin = now > oldest ? name(now) : PREFIX;
      Deque<Stored> part = new ArrayDeque<>();
      between(owner, begin, end, most - found.size(), filter, part);
      found.addAll(part);
      end = begin;
    }
    return found;
  }

  private void between(
      String owner,
      String begin,
      String end,
      int most,
      Predicate<Stored> filter,
      Deque<Stored> newest) {
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
          newest.addFirst(stored);
          if (newest.size() > most) {
            newest.removeLast();
          }
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

  /** The messages of a request, as the session has them; empty if it is gone. */
  Optional<List<JsonObject>> messages(String owner, Stored stored) {
    StoredSession session = store.session(new SessionKey(owner, stored.session()));
    if (session.info().isEmpty()) {
      return Optional.empty();
    }
    Deque<Item> items = new ArrayDeque<>();
    List<JsonObject> messages = List.of();
    Range range = Range.before(stored.last() + 1, ENTRIES).withCompacted();
    int read = 0;
    for (Entry entry : range.walk(session::entries)) {
      items.addFirst(entry.item());
      read++;
      if (read % ENTRIES == 0) {
        messages = ItemMessages.of(List.copyOf(items));
        if (messages.size() > stored.messages()) {
          break;
        }
      }
    }
    if (messages.size() <= stored.messages()) {
      messages = ItemMessages.of(List.copyOf(items));
    }
    int from = Math.max(0, messages.size() - stored.messages());
    return Optional.of(messages.subList(from, messages.size()));
  }

  private Documents documents() {
    return store.documents();
  }
}
