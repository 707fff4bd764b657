package dev.clew.erasure;

import dev.clew.ClewException;
import dev.clew.Documents;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.retention.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The documents that go with what is erased beside those of an erased owner herself: those about
 * one session, and those of {@code @clew} that say whose they are in a field {@code owner}, such as
 * tokens, pointers of links and policies. Not thread-safe: made for one erasure.
 */
final class NamedDocuments {
  /** Names owners by hashes, and is long. */
  private static final int PAGE = 100;

  private static final String AUDIT = "audit/";

  /** Behind all of its entries. */
  private static final String BEHIND_AUDIT = "audit/~";

  private final Documents opened;
  private final Documents plain;
  private final SessionDocuments ofSessions;
  private final List<String> unreadable = new ArrayList<>();

  /** Where a document is. */
  record Place(String owner, String name) {
    @Override
    public String toString() {
      return "the document '" + name + "' of owner '" + owner + "'";
    }
  }

  /**
   * Over the documents of a store.
   *
   * @param opened as they can be read
   * @param plain as they are stored
   */
  NamedDocuments(Documents opened, Documents plain, SessionDocuments ofSessions) {
    this.opened = opened;
    this.plain = plain;
    this.ofSessions = ofSessions;
  }

  /** Those that are there now, in the order in which they can be removed. */
  List<Place> of(String owner, Optional<String> id) {
    unreadable.clear();
    List<Place> places = new ArrayList<>();
    if (id.isPresent()) {
      ofSessions.each(
          new Passing(),
          new SessionKey(owner, id.get()),
          (whose, name) -> places.add(new Place(whose, name)));
      return places;
    }
    Optional<String> after = Optional.empty();
    List<Documents.Document> page;
    do {
      page = new Passing().list(Retention.OWNER, "", after, PAGE);
      for (Documents.Document document : page) {
        if (!document.name().startsWith(AUDIT) && isOf(owner, document.json())) {
          places.add(new Place(document.owner(), document.name()));
        }
        after = Optional.of(document.name().startsWith(AUDIT) ? BEHIND_AUDIT : document.name());
      }
    } while (!page.isEmpty());
    return places;
  }

  private static boolean isOf(String owner, String json) {
    return json.startsWith("{") && owner.equals(Json.string(Json.fields(json).get("owner")));
  }

  /** Those of which nobody can say whether they belong to it. */
  List<String> unreadable() {
    return unreadable;
  }

  /** Calls for each document of an owner that can be read. */
  void eachOf(String owner, Consumer<Documents.Document> action) {
    new Passing().walk(owner, "").forEach(action);
  }

  /** Passes over what is damaged, which must not keep the rest from being erased. */
  private final class Passing implements Documents {
    @Override
    public Optional<Document> get(String owner, String name) {
      try {
        return opened.get(owner, name);
      } catch (ClewException.CorruptRecord e) {
        unreadable.add(e.getMessage());
        return Optional.empty();
      }
    }

    @Override
    public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
      try {
        return opened.list(owner, prefix, after, limit);
      } catch (ClewException.CorruptRecord e) {
        return oneByOne(owner, prefix, after, limit);
      }
    }

    private List<Document> oneByOne(
        String owner, String prefix, Optional<String> after, int limit) {
      List<Document> readable = new ArrayList<>();
      Optional<String> last = after;
      List<Document> page;
      do {
        page = plain.list(owner, prefix, last, limit);
        for (Document document : page) {
          get(owner, document.name()).ifPresent(readable::add);
          last = Optional.of(document.name());
        }
      } while (readable.isEmpty() && !page.isEmpty());
      return readable;
    }

    @Override
    public Document put(
        String owner,
        String name,
        String json,
        OptionalLong expectedVersion,
        Optional<Duration> timeToLive) {
      throw new UnsupportedOperationException("these documents are only read");
    }

    @Override
    public boolean delete(String owner, String name) {
      throw new UnsupportedOperationException("these documents are only read");
    }
  }
}
