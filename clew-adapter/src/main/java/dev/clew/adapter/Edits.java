package dev.clew.adapter;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.StoredSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Changes what is stored of a session in place. Thread-safe. */
final class Edits<M> {
  private static final int ATTEMPTS = 8;

  private final Memories<M> memories;
  private final MessageCodec<M> codec;
  private final StoredSession session;

  Edits(Memories<M> memories, StoredSession session) {
    this.memories = memories;
    this.codec = memories.codec;
    this.session = session;
  }

  /**
   * Writes the messages of a list that have changed under their ids; returns what is stored then.
   */
  Reading<M> write(List<M> list, Reading<M> read) {
    IdentityHashMap<M, Framed<M>> known = read.byMessage();
    Map<String, Framed<M>> byId = null;
    Map<Framed<M>, Framed<M>> edited = new HashMap<>();
    for (M message : list) {
      String id = known.containsKey(message) ? null : codec.id(message).orElse(null);
      if (id == null) {
        continue;
      }
      if (byId == null) {
        byId = byId(read, list);
      }
      Framed<M> stored = byId.get(id);
      if (stored != null && !stored.text(codec).equals(codec.write(message))) {
        replaced(stored, message).ifPresent(now -> edited.put(stored, now));
      }
    }
    if (edited.isEmpty()) {
      return read;
    }
    memories.forget(session.key());
    return read.with(edited);
  }

  /** The messages that the list has not as they are, but perhaps under their ids. */
  private Map<String, Framed<M>> byId(Reading<M> read, List<M> list) {
    IdentityHashMap<M, Framed<M>> gone = read.byMessage();
    list.forEach(gone::remove);
    Map<String, Framed<M>> byId = new HashMap<>();
    Set<String> several = new HashSet<>();
    for (Framed<M> one : gone.values()) {
      codec.id(one.message()).filter(id -> byId.put(id, one) != null).ifPresent(several::add);
    }
    byId.keySet().removeAll(several);
    return byId;
  }

  /** The items are replaced one by one; the first has the whole message, so none is read mixed. */
  private Optional<Framed<M>> replaced(Framed<M> stored, M message) {
    List<Draft> drafts = memories.frame.replacement(message, stored.entries().size());
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < stored.entries().size(); i++) {
      long position = stored.entries().get(i).position();
      Draft draft = i < drafts.size() ? drafts.get(i) : null;
      Entry now = change(Optional.of(position), draft == null ? null : old -> keptView(old, draft));
      if (now != null) {
        entries.add(now);
      } else if (i == 0) {
        return Optional.empty();
      }
    }
    return Optional.of(new Framed<>(message, entries, true));
  }

  private Draft keptView(Entry old, Draft draft) {
    return FrameNote.of(codec.framework(), old.notes())
        .view()
        .map(view -> noted(draft, view))
        .orElse(draft);
  }

  Draft noted(Draft draft, Map<String, Object> view) {
    return new Draft(
        draft.item(), FrameNote.with(codec.framework(), draft.notes(), view), draft.addedAt());
  }

  /** Notes a view when nothing is appended: beside the newest item, which stays as it is. */
  void note(ListView view) {
    change(Optional.empty(), old -> noted(Draft.of(old), view.note(List.of())));
    memories.forget(session.key());
  }

  /**
   * Changes or removes an item, as nobody else has changed it meanwhile.
   *
   * @param at its position; empty for the newest
   * @return what it is now; null if it is gone
   */
  private @Nullable Entry change(Optional<Long> at, @Nullable Function<Entry, Draft> change) {
    for (int attempt = 1; ; attempt++) {
      OptionalLong version = session.info().stream().mapToLong(SessionInfo::version).findFirst();
      Range range = at.map(position -> Range.after(position - 1, 1)).orElse(Range.latest(1));
      Entry entry =
          session.entries(range).entries().stream()
              .filter(one -> at.isEmpty() || one.position() == at.get())
              .findFirst()
              .orElse(null);
      if (version.isEmpty() || entry == null) {
        return null;
      }
      Draft draft = change == null ? null : change.apply(entry);
      if (draft != null && draft.equals(Draft.of(entry))) {
        return entry;
      }
      Commit commit =
          draft == null
              ? Commit.removeItem(entry.position())
              : Commit.replaceItem(entry.position(), draft);
      try {
        session.commit(commit.expectVersion(version.getAsLong()));
        return draft == null
            ? null
            : new Entry(entry.position(), draft.item(), entry.addedAt(), draft.notes(), false);
      } catch (ClewException.VersionConflict e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }
}
