package dev.clew.imports;

import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Finding;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Reads the sessions of the default owner out of a store. Not thread-safe; closes the store. */
final class StoreReader implements ConversationReader {
  private static final int PAGE = 500;

  private final SessionStore store;
  private final String source;
  private final Losses losses;
  private final Deque<SessionInfo> sessions = new ArrayDeque<>();
  private final long size;
  private long done;

  StoreReader(SessionStore store, String source, Losses losses) {
    this.store = store;
    this.source = source;
    this.losses = losses;
    SessionQuery query = SessionQuery.of(SessionKey.DEFAULT_OWNER).limit(SessionQuery.MAX_LIMIT);
    query.walk(store::list).forEach(sessions::addFirst); // the one that was changed last comes last
    this.size = sessions.size();
    store.check(this::tell);
  }

  private void tell(Finding finding) {
    if (finding.kind() == Finding.Kind.DAMAGED) {
      String place =
          finding.key().map(key -> ", session " + key).orElse("")
              + (finding.position().isPresent() ? ", line " + finding.position().getAsLong() : "");
      losses.add(source + place, finding.message());
    }
  }

  @Override
  public Optional<Conversation> next() {
    while (!sessions.isEmpty()) {
      SessionInfo info = sessions.remove();
      done++;
      String place = source + ", session " + info.key();
      if (info.bytes() > Conversation.MOST_CHARS) {
        losses.add(place, "a session of more than 128 MiB; use clew migrate --from jsonl:…");
        continue;
      }
      return Optional.of(
          new Conversation(info.key().id(), place, describe(info), drafts(info.key())));
    }
    return Optional.empty();
  }

  private List<Draft> drafts(SessionKey key) {
    List<Draft> drafts = new ArrayList<>();
    for (Entry entry : Range.first(PAGE).walk(store.session(key)::entries)) {
      drafts.add(Draft.of(entry));
    }
    return drafts;
  }

  private static SessionUpdate describe(SessionInfo info) {
    return SessionUpdate.none()
        .title(info.title())
        .metadata(info.metadata())
        .tags(info.tags())
        .archived(info.archived())
        .pinned(info.pinned())
        .times(info.createdAt(), info.updatedAt());
  }

  @Override
  public long read() {
    return done;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public void close() {
    store.close();
  }
}
