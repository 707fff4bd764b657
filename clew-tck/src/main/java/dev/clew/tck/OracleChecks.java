package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.tck.Model.Conversation;
import dev.clew.tck.Model.Line;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** Compares a store with the {@link Model} of {@link Oracle}. Not thread-safe. */
final class OracleChecks {
  private static final int ALL = 1000;

  private final StoreFixture fixture;
  private final Model model;

  OracleChecks(StoreFixture fixture, Model model) {
    this.fixture = fixture;
    this.model = model;
  }

  /** A change was made that gave the session this version. */
  void changed(SessionKey key, long version) {
    assertThat(version)
        .as("version of %s after a change", key)
        .isGreaterThan(model.versions.getOrDefault(key, 0L));
    model.versions.put(key, version);
  }

  /** Everything that can be seen of a session. */
  void session(SessionKey key) {
    Optional<SessionInfo> info = fixture.store().session(key).info();
    Optional<Conversation> expected = model.find(key);
    same("existence of " + key, info.isPresent(), expected.isPresent());
    if (expected.isEmpty()) {
      same("items of " + key, fixture.store().session(key).getItems(), List.of());
      return;
    }
    description(info.orElseThrow(), expected.get());
    entries(key, expected.get());
    int limit = expected.get().live.size() / 2;
    List<Item> items = expected.get().items();
    same("items of " + key, fixture.store().session(key).getItems(), items);
    same(
        limit + " items of " + key,
        fixture.store().session(key).getItems(limit),
        items.subList(items.size() - limit, items.size()));
  }

  private void description(SessionInfo info, Conversation expected) {
    SessionKey key = info.key();
    assertThat(info.version())
        .as("version of %s", key)
        .isGreaterThanOrEqualTo(model.versions.getOrDefault(key, 1L));
    model.versions.put(key, info.version());
    same("item count of " + key, info.itemCount(), (long) expected.live.size());
    same("time of creation of " + key, info.createdAt(), expected.created);
    same("time of update of " + key, info.updatedAt(), expected.updated);
    same("title of " + key, info.title(), expected.title);
    same("metadata of " + key, info.metadata(), expected.metadata);
    same("tags of " + key, info.tags(), expected.tags);
    same("archived flag of " + key, info.archived(), expected.archived);
    same("pinned flag of " + key, info.pinned(), expected.pinned);
  }

  private void entries(SessionKey key, Conversation expected) {
    List<Entry> live = read(key, Range.first(ALL));
    sameLines(key, live, expected.live);
    for (int i = 0; i < live.size(); i++) {
      learn(key, expected.live.get(i), live.get(i).position());
      if (i > 0 && live.get(i - 1).position() >= live.get(i).position()) {
        throw new AssertionError("positions of " + key + " do not ascend: " + live);
      }
    }
    if (expected.archiveKnown) {
      List<Line> all = new ArrayList<>(expected.archive);
      all.addAll(expected.live);
      List<Entry> shown = read(key, Range.first(ALL).withCompacted());
      sameLines(key, shown, all);
      for (int i = 0; i < shown.size(); i++) {
        same("compacted flag", shown.get(i).compacted(), i < expected.archive.size());
        learn(key, all.get(i), shown.get(i).position());
      }
    }
  }

  private static void sameLines(SessionKey key, List<Entry> entries, List<Line> lines) {
    same(
        "items of the entries of " + key,
        entries.stream().map(Entry::item).toList(),
        lines.stream().map(line -> line.draft.item()).toList());
    same(
        "notes of the entries of " + key,
        entries.stream().map(Entry::notes).toList(),
        lines.stream().map(line -> line.draft.notes()).toList());
  }

  /** As AssertJ would, but cheap as long as nothing is wrong: this runs a million times. */
  private static void same(String what, Object actual, Object expected) {
    if (!actual.equals(expected)) {
      assertThat(actual).as(what).isEqualTo(expected);
    }
  }

  /** A position must stay what it was, or be one that was never used. */
  private void learn(SessionKey key, Line line, long position) {
    Long known = line.position;
    if (known != null) {
      same("position of an entry of " + key, position, known);
    } else if (model.positionsOf(key).add(position)) {
      line.position = position;
    } else {
      throw new AssertionError("position " + position + " of " + key + " was used before");
    }
  }

  /** Reading in pages gives what reading at once gives. */
  void pages(SessionKey key, int size) {
    for (boolean compacted : List.of(false, true)) {
      List<Entry> all = read(key, new Range(none(), false, ALL, compacted));
      List<Entry> forward = new ArrayList<>();
      Range range = new Range(none(), false, size, compacted);
      for (EntryPage page = page(key, range); ; page = page(key, range)) {
        forward.addAll(page.entries());
        assertThat(page.hasMore()).isEqualTo(forward.size() < all.size());
        if (!page.hasMore()) {
          break;
        }
        long last = forward.get(forward.size() - 1).position();
        range = new Range(OptionalLong.of(last), false, size, compacted);
      }
      assertThat(forward).isEqualTo(all);
      assertThat(page(key, new Range(none(), true, size, compacted)).entries())
          .isEqualTo(all.subList(Math.max(0, all.size() - size), all.size()));
    }
  }

  /** The lists of an owner, in every order and by some filters. */
  void lists(String owner) {
    SessionQuery all = SessionQuery.of(owner);
    Comparator<Map.Entry<SessionKey, Conversation>> newest =
        Comparator.comparing(one -> one.getValue().updated, Comparator.reverseOrder());
    assertThat(list(all)).isEqualTo(expected(owner, one -> true, newest));
    assertThat(list(all.archived(true))).isEqualTo(expected(owner, one -> one.archived, newest));
    assertThat(list(all.pinned(true))).isEqualTo(expected(owner, one -> one.pinned, newest));
    assertThat(list(all.tag("tag1")))
        .isEqualTo(expected(owner, one -> one.tags.contains("tag1"), newest));
    assertThat(list(all.titleContains("TITLE 3")))
        .isEqualTo(expected(owner, one -> one.title.contains("title 3"), newest));
    Comparator<Map.Entry<SessionKey, Conversation>> youngest =
        Comparator.comparing(one -> one.getValue().created, Comparator.reverseOrder());
    assertThat(list(all.order(SessionQuery.Order.CREATED)))
        .isEqualTo(expected(owner, one -> true, youngest));
  }

  private List<SessionKey> expected(
      String owner,
      Predicate<Conversation> filter,
      Comparator<Map.Entry<SessionKey, Conversation>> order) {
    return model.sessions.entrySet().stream()
        .filter(one -> one.getKey().owner().equals(owner) && filter.test(one.getValue()))
        .sorted(order)
        .map(Map.Entry::getKey)
        .toList();
  }

  private List<SessionKey> list(SessionQuery query) {
    return fixture.store().list(query).sessions().stream().map(SessionInfo::key).toList();
  }

  private List<Entry> read(SessionKey key, Range range) {
    return page(key, range).entries();
  }

  private EntryPage page(SessionKey key, Range range) {
    return fixture.store().session(key).entries(range);
  }

  private static OptionalLong none() {
    return OptionalLong.empty();
  }
}
