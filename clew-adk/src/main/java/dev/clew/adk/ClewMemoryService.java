package dev.clew.adk;

import com.google.adk.events.Event;
import com.google.adk.memory.BaseMemoryService;
import com.google.adk.memory.MemoryEntry;
import com.google.adk.memory.SearchMemoryResponse;
import com.google.adk.sessions.Session;
import com.google.genai.types.Content;
import dev.clew.Entry;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SearchResult.Hit;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.adapter.Framed;
import dev.clew.adapter.MessageFrame;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The sessions of a {@link ClewSessionService} as an agent's memory, by the store's search.
 * Thread-safe; closes nothing.
 *
 * <p>Every event is found as soon as it is written, so there is nothing to add.
 */
public final class ClewMemoryService implements BaseMemoryService {

  /** Short words say little, except in writings without upper case, such as Japanese. */
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]{3,}|\\p{Lo}+");

  private static final int MOST_WORDS = 12;
  private static final int MOST_HITS = 200;
  private static final int MOST_MEMORIES = 20;
  private static final int AROUND = 16;

  private final SessionStore store;
  private final MessageFrame<Event> frame = new MessageFrame<>(new EventCodec("model"));

  private ClewMemoryService(SessionStore store) {
    this.store = Objects.requireNonNull(store, "store");
  }

  /**
   * Over this store.
   *
   * @throws dev.clew.ClewException.NotSupported when it is searched, if the store has no search
   */
  public static ClewMemoryService of(SessionStore store) {
    return new ClewMemoryService(store);
  }

  @Override
  public Completable addSessionToMemory(Session session) {
    return Completable.complete();
  }

  /** What has all words of the query; else what has most of them. */
  @Override
  public Single<SearchMemoryResponse> searchMemory(String appName, String userId, String query) {
    return Single.fromCallable(() -> search(appName, userId, query)).subscribeOn(Schedulers.io());
  }

  private SearchMemoryResponse search(String app, String user, String query) {
    List<String> words =
        WORD.matcher(query).results().map(MatchResult::group).distinct().limit(MOST_WORDS).toList();
    List<Hit> hits = words.isEmpty() ? List.of() : hits(app, user, String.join(" ", words));
    if (hits.isEmpty() && words.size() > 1) {
      hits = byWords(app, user, words);
    }
    Map<String, MemoryEntry> memories = new LinkedHashMap<>();
    for (Hit hit : hits) {
      if (memories.size() < MOST_MEMORIES) {
        add(hit, memories);
      }
    }
    return SearchMemoryResponse.builder().memories(List.copyOf(memories.values())).build();
  }

  private List<Hit> hits(String app, String user, String words) {
    return store.search(SearchQuery.of(user, words).limit(MOST_HITS)).hits().stream()
        .filter(hit -> hit.key().id().startsWith(AdkNames.prefix(app)))
        .toList();
  }

  /** One item that has some of the words. */
  private static final class Found {
    private final Hit hit;
    private int words;

    Found(Hit hit) {
      this.hit = hit;
    }
  }

  private List<Hit> byWords(String app, String user, List<String> words) {
    Map<List<Object>, Found> found = new LinkedHashMap<>();
    for (String word : words) {
      for (Hit hit : hits(app, user, word)) {
        found.computeIfAbsent(List.of(hit.key(), hit.position()), key -> new Found(hit)).words++;
      }
    }
    return found.values().stream()
        .sorted((one, other) -> Integer.compare(other.words, one.words))
        .map(one -> one.hit)
        .toList();
  }

  private void add(Hit hit, Map<String, MemoryEntry> memories) {
    StoredSession session = store.session(hit.key());
    List<Entry> entries =
        new ArrayList<>(session.entries(Range.before(hit.position() + 1, AROUND)).entries());
    entries.addAll(session.entries(Range.after(hit.position(), AROUND)).entries());
    for (Framed<Event> framed : frame.messages(entries)) {
      boolean isHit =
          framed.entries().stream().anyMatch(entry -> entry.position() == hit.position());
      Event event = framed.message();
      if (isHit && event.content().filter(ClewMemoryService::isSaid).isPresent()) {
        memories.putIfAbsent(
            hit.key().id() + "/" + framed.entries().get(0).position(),
            MemoryEntry.builder()
                .author(event.author())
                .content(event.content().get())
                .timestamp(hit.addedAt())
                .build());
      }
    }
  }

  /** Calls of tools are no memories: the one that asks has the words of the query itself. */
  private static boolean isSaid(Content content) {
    return content.parts().orElse(List.of()).stream()
        .anyMatch(part -> part.text().filter(text -> !text.isBlank()).isPresent());
  }
}
