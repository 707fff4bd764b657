package dev.clew.server.internal.sessions;

import static java.util.Comparator.comparing;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.View;
import dev.clew.kit.BoundedPage;
import dev.clew.server.internal.describe.FirstTitle;
import dev.clew.server.internal.runs.Lanes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What lists show besides descriptions: the start of the newest message, and a title for untitled
 * sessions. Thread-safe. It never writes.
 *
 * <p>Summaries are cached until their session changes. For a page, only a few sessions are read
 * while its caller waits, untitled ones first; the rest are read in the background for the next
 * time.
 */
public final class SessionSummaries implements AutoCloseable {
  static final int MOST_READ = 10;

  private static final int MOST_WAITING = 1_000;
  private static final int MOST_KNOWN = 20_000;
  private static final Duration KEPT = Duration.ofHours(1);
  private static final int NEWEST = 6;
  private static final int OLDEST = 20;
  private static final int LONGEST_PREVIEW = 120;
  private static final int LONGEST_READ = 2_000;

  private final SessionStore store;
  private final Lanes lanes = new Lanes("clew-summaries");
  private final Set<SessionKey> waiting = ConcurrentHashMap.newKeySet();
  private final Cache<SessionKey, Read> known =
      Caffeine.newBuilder()
          .maximumSize(MOST_KNOWN)
          .expireAfterAccess(KEPT)
          .executor(Runnable::run)
          .build();

  /** A summary and the version it was made from. */
  private record Read(Instant createdAt, long version, Summary summary) {
    boolean isOf(SessionInfo info) {
      return createdAt.equals(info.createdAt()) && version == info.version();
    }
  }

  /**
   * The summary of a session. Immutable.
   *
   * @param title chosen or made
   * @param preview the start of the newest message
   * @param damaged whether the session cannot be read
   */
  record Summary(String title, String preview, boolean damaged) {}

  public SessionSummaries(SessionStore store) {
    this.store = store;
  }

  List<Summary> of(List<SessionInfo> page) {
    List<SessionInfo> unread =
        page.stream()
            .filter(this::isUnread)
            .sorted(comparing(info -> !info.title().isEmpty()))
            .toList();
    unread.stream().limit(MOST_READ).forEach(this::read);
    unread.stream().skip(MOST_READ).forEach(this::readLater);
    return page.stream().map(this::summary).toList();
  }

  Summary of(SessionInfo info) {
    return of(List.of(info)).get(0);
  }

  private boolean isUnread(SessionInfo info) {
    Read read = known.getIfPresent(info.key());
    return info.itemCount() > 0 && !info.damaged() && (read == null || !read.isOf(info));
  }

  private Summary summary(SessionInfo info) {
    Read read = info.itemCount() == 0 ? null : known.getIfPresent(info.key());
    if (info.damaged() || read == null || !read.createdAt().equals(info.createdAt())) {
      return new Summary(info.title(), "", info.damaged());
    }
    Summary last = read.summary();
    return info.title().isEmpty()
        ? last
        : new Summary(info.title(), last.preview(), last.damaged());
  }

  private void readLater(SessionInfo info) {
    if (waiting.size() < MOST_WAITING && waiting.add(info.key())) {
      lanes.execute(
          info.key().owner(),
          () -> {
            try {
              read(info);
            } finally {
              waiting.remove(info.key());
            }
          });
    }
  }

  private void read(SessionInfo info) {
    Summary summary;
    try {
      List<Item> newest = items(info, Range.latest(NEWEST));
      List<Item> oldest =
          !info.title().isEmpty()
              ? List.of()
              : info.itemCount() <= NEWEST ? newest : items(info, Range.first(OLDEST));
      summary = new Summary(FirstTitle.of(oldest).orElse(""), preview(newest), false);
    } catch (ClewException.CorruptRecord e) { // opening the session reports the damage
      summary = new Summary("", "", true);
    }
    known.put(info.key(), new Read(info.createdAt(), info.version(), summary));
  }

  private List<Item> items(SessionInfo info, Range range) {
    return BoundedPage.read(store, info, range).entries().stream().map(Entry::item).toList();
  }

  private static String preview(List<Item> newest) {
    for (int i = newest.size() - 1; i >= 0; i--) {
      if (newest.get(i).view() instanceof View.Message message && !message.text().isBlank()) {
        return cut(beginning(message.text()).replaceAll("\\s+", " "));
      }
    }
    return "";
  }

  /** Enough text for a preview, however long the message is. */
  private static String beginning(String text) {
    String said = text.stripLeading();
    return said.substring(0, Math.min(said.length(), LONGEST_READ)).stripTrailing();
  }

  private static String cut(String text) {
    return text.codePointCount(0, text.length()) <= LONGEST_PREVIEW
        ? text
        : text.substring(0, text.offsetByCodePoints(0, LONGEST_PREVIEW)) + "…";
  }

  @Override
  public void close() {
    lanes.close();
  }
}
