package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionQuery.Order;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** C18: listing sessions. */
@Rule(
    "list returns each session of the owner once, in the order asked for, with ties in "
        + "the order of ids by code point, and next() exactly if there is more (see "
        + "SessionQuery)")
interface ListingRules extends StoreFixture {

  /** The order of names: by code point, as UTF-8 has it. */
  Comparator<String> ORDER =
      Comparator.comparing(name -> name.codePoints().toArray(), Arrays::compare);

  @Test
  default void list_ofAnOwnerWithoutSessions_isEmpty() {
    assertThat(store().list(SessionQuery.of("nobody")))
        .isEqualTo(new SessionPage(List.of(), Optional.empty()));
  }

  @Test
  default void list_isNewestUpdatedFirst() {
    add("a");
    add("b");
    add("c");
    add("a");

    assertThat(ids(SessionQuery.of("ann"))).containsExactly("a", "c", "b");
  }

  @Test
  default void list_byCreation_isNewestFirst() {
    add("a");
    add("b");
    add("a");
    add("c");

    assertThat(ids(SessionQuery.of("ann").order(Order.CREATED))).containsExactly("c", "b", "a");
  }

  @Test
  default void list_byTitle_ignoresCaseAndPutsUntitledOnesFirst() {
    title("1", "banana");
    title("2", "Apple");
    title("3", "cherry");
    title("4", "Banana split");
    add("5");

    assertThat(ids(SessionQuery.of("ann").order(Order.TITLE)))
        .containsExactly("5", "2", "1", "4", "3");
  }

  @Test
  default void list_tellsOfEachSessionWhatInfoTells() {
    add("a");
    title("b", "with a title");

    for (SessionInfo info : store().list(SessionQuery.of("ann")).sessions()) {
      assertThat(store().session(info.key()).info()).contains(info);
    }
    assertThat(ids(SessionQuery.of("ann"))).hasSize(2);
  }

  @Test
  default void list_inPagesOfAnySize_hasEachSessionOnce() {
    List<String> all = IntStream.range(0, 11).mapToObj(i -> "s" + i).toList();
    all.forEach(this::add);
    for (Order order : Order.values()) {
      List<String> whole = ids(SessionQuery.of("ann").order(order));
      assertThat(whole).containsExactlyInAnyOrderElementsOf(all);
      for (int size : List.of(1, 3, 10, 11, 12)) {
        assertThat(paged(SessionQuery.of("ann").order(order).limit(size)))
            .as("by %s in pages of %d", order, size)
            .isEqualTo(whole);
      }
    }
  }

  @Test
  default void list_pagesThroughSessionsThatTie() {
    List<String> all = IntStream.range(0, 9).mapToObj(i -> "s" + i).toList();
    for (String id : all) {
      store().session(key(id)).update(SessionUpdate.none().title("same"));
    }
    for (Order order : Order.values()) {
      List<String> whole = ids(SessionQuery.of("ann").order(order));
      assertThat(whole).containsExactlyInAnyOrderElementsOf(all);
      assertThat(paged(SessionQuery.of("ann").order(order).limit(2))).isEqualTo(whole);
    }
  }

  @Test
  @Rule(
      "owners, records, titles and ids that tie are ordered by Unicode code point, "
          + "which is the order of their UTF-8 bytes; String.compareTo puts characters beyond "
          + "U+FFFF before U+E000 to U+FFFF")
  default void names_areOrderedByCodePoint_notByChar() {
    // A full-width letter is below an emoji as a code point and above it as a char of Java.
    List<String> names =
        List.of("A", "a", "~", "\u00e9", "\u4f60", "\ue000", "\uff21", "\ufffd", "\ud83d\ude00");
    List<String> shuffled =
        IntStream.range(0, names.size()).mapToObj(i -> names.get(i * 4 % names.size())).toList();
    for (String name : shuffled) {
      store().session(new SessionKey(name, "s")).addItems(Items.of("of " + name));
      store().documents().put("ann", name, "{}");
      store().session(key(name)).update(SessionUpdate.none().title("same"));
      store().session(new SessionKey("bob", name)).update(SessionUpdate.none().title("#" + name));
    }

    List<String> owners =
        Stream.concat(names.stream(), Stream.of("ann", "bob")).sorted(ORDER).toList();
    assertThat(store().owners(Optional.empty(), 100)).as("owners").isEqualTo(owners);
    for (int i = 0; i < owners.size(); i++) {
      assertThat(store().owners(Optional.of(owners.get(i)), 100))
          .as("owners after '%s'", owners.get(i))
          .isEqualTo(owners.subList(i + 1, owners.size()));
    }
    assertThat(store().documents().list("ann", "", Optional.empty(), 100))
        .as("records")
        .extracting(record -> record.name())
        .isEqualTo(names);
    for (int i = 0; i < names.size(); i++) {
      assertThat(store().documents().list("ann", "", Optional.of(names.get(i)), 100))
          .as("records after '%s'", names.get(i))
          .extracting(record -> record.name())
          .isEqualTo(names.subList(i + 1, names.size()));
    }
    for (Order order : Order.values()) {
      assertThat(ids(SessionQuery.of("ann").order(order)))
          .as("sessions that tie, by %s", order)
          .isEqualTo(names);
      assertThat(paged(SessionQuery.of("ann").order(order).limit(2)))
          .as("sessions that tie, by %s, in pages", order)
          .isEqualTo(names);
    }
    SessionQuery byTitle = SessionQuery.of("bob").order(Order.TITLE);
    assertThat(ids(byTitle)).as("sessions by title").isEqualTo(names);
    assertThat(paged(byTitle.limit(2))).as("sessions by title, in pages").isEqualTo(names);
  }

  @Test
  default void next_isThereExactlyIfThereIsAnotherPage() {
    List.of("a", "b", "c").forEach(this::add);

    assertThat(store().list(SessionQuery.of("ann").limit(2)).next()).isPresent();
    assertThat(store().list(SessionQuery.of("ann").limit(3)).next()).isEmpty();
    assertThat(store().list(SessionQuery.of("ann").limit(4)).next()).isEmpty();
  }

  @Test
  default void aCursor_worksOnWhenItsSessionIsGone() {
    List.of("a", "b", "c", "d").forEach(this::add);
    SessionPage first = store().list(SessionQuery.of("ann").limit(2));
    store().session(key("c")).delete();

    assertThat(ids(SessionQuery.of("ann").cursor(first.next().orElseThrow())))
        .containsExactly("b", "a");
  }

  @Test
  default void aSessionUpdatedWhileSomebodyPages_doesNotHideOthers() {
    List.of("a", "b", "c", "d").forEach(this::add);
    SessionPage first = store().list(SessionQuery.of("ann").limit(2));
    add("d");
    add("new");

    assertThat(ids(SessionQuery.of("ann").cursor(first.next().orElseThrow())))
        .containsExactly("b", "a");
  }

  @Test
  default void aCursorOfAnotherOwner_leadsNowhereButToOnesOwn() {
    List.of("a", "b", "c").forEach(this::add);
    store().session(new SessionKey("bob", "b1")).addItems(Items.of("x"));
    String cursor = store().list(SessionQuery.of("ann").limit(1)).next().orElseThrow();

    assertThat(store().list(SessionQuery.of("bob").cursor(cursor)).sessions())
        .allMatch(info -> info.key().owner().equals("bob"));
  }

  @Test
  default void list_filtersByArchived() {
    add("a");
    store().session(key("b")).update(SessionUpdate.none().archived(true));

    assertThat(ids(SessionQuery.of("ann").archived(true))).containsExactly("b");
    assertThat(ids(SessionQuery.of("ann").archived(false))).containsExactly("a");
    assertThat(ids(SessionQuery.of("ann"))).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  default void list_filtersByPinned() {
    add("a");
    add("b");
    add("c");
    store().session(key("b")).update(SessionUpdate.none().pinned(true));

    assertThat(ids(SessionQuery.of("ann").pinned(true))).containsExactly("b");
    assertThat(ids(SessionQuery.of("ann").pinned(false))).containsExactly("c", "a");
    assertThat(ids(SessionQuery.of("bob").pinned(true))).isEmpty();
  }

  @Test
  default void lists_ofMarkedSessions_areOrderedAndPagedAsAllAre() {
    for (int i = 0; i < 14; i++) {
      clock().advance(Duration.ofSeconds(1));
      SessionUpdate some = SessionUpdate.none().title("T" + (i * 5) % 14);
      if (i % 2 == 0) {
        some = some.pinned(true).archived(true).tags(Set.of("even", "all"));
      }
      store().session(key("s" + i)).update(some);
    }
    for (int i = 0; i < 14; i += 3) { // and so not in the order in which they were made
      add("s" + i);
    }
    for (Order order : Order.values()) {
      SessionQuery all = SessionQuery.of("ann").order(order);
      List<String> expected =
          ids(all).stream().filter(id -> Integer.parseInt(id.substring(1)) % 2 == 0).toList();
      for (SessionQuery query : List.of(all.pinned(true), all.archived(true), all.tag("even"))) {
        assertThat(ids(query)).as("%s", query).isEqualTo(expected).hasSize(7);
        for (int size : List.of(1, 3, 7)) {
          assertThat(paged(query.limit(size))).as("%s", query.limit(size)).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  default void lists_ofMarkedSessions_followEveryChange() {
    StoredSession session = store().session(key("a"));
    SessionQuery all = SessionQuery.of("ann");
    List<SessionQuery> marked =
        List.of(all.pinned(true), all.archived(true), all.tag("t"), all.tag("u"));
    session.update(SessionUpdate.none().pinned(true).archived(true).tags(Set.of("t", "u")));
    marked.forEach(query -> assertThat(ids(query)).as("%s", query).containsExactly("a"));

    add("a"); // which changes nothing of it
    marked.forEach(query -> assertThat(ids(query)).as("%s", query).containsExactly("a"));

    session.update(SessionUpdate.none().pinned(false).tags(Set.of("u")));
    assertThat(ids(all.pinned(true))).isEmpty();
    assertThat(ids(all.archived(true))).containsExactly("a");
    assertThat(ids(all.tag("t"))).isEmpty();
    assertThat(ids(all.tag("u"))).containsExactly("a");

    store().session(key("a")).forkTo(key("fork"), Long.MAX_VALUE);
    assertThat(ids(all.tag("u"))).containsExactlyInAnyOrder("a", "fork");
    assertThat(ids(all.archived(true))).as("a fork is not put away").containsExactly("a");

    store().session(key("a")).delete();
    store().session(key("fork")).delete();
    marked.forEach(query -> assertThat(ids(query)).as("%s", query).isEmpty());
    add("a");
    marked.forEach(query -> assertThat(ids(query)).as("%s", query).isEmpty());
  }

  @Test
  default void list_filtersByTag() {
    store().session(key("a")).update(SessionUpdate.none().tags(Set.of("work", "urgent")));
    store().session(key("b")).update(SessionUpdate.none().tags(Set.of("work")));
    store().session(key("c")).update(SessionUpdate.none().tags(Set.of("workshop", "wor_")));

    assertThat(ids(SessionQuery.of("ann").tag("work"))).containsExactlyInAnyOrder("a", "b");
    assertThat(ids(SessionQuery.of("ann").tag("urgent"))).containsExactly("a");
    assertThat(ids(SessionQuery.of("ann").tag("wor%"))).isEmpty();
    assertThat(ids(SessionQuery.of("ann").tag("wor_"))).containsExactly("c");
  }

  @Test
  default void list_filtersByTimeOfUpdate() {
    add("a");
    Instant between = clock().instant().plusSeconds(30);
    clock().advance(Duration.ofMinutes(1));
    add("b");

    assertThat(ids(SessionQuery.of("ann").updatedAfter(between))).containsExactly("b");
    assertThat(ids(SessionQuery.of("ann").updatedBefore(between))).containsExactly("a");
  }

  @Test
  default void list_filtersByAPartOfTheTitleWhateverItsCase() {
    title("a", "Trip to Kyoto");
    title("b", "ROADTRIP");
    title("c", "Über allem");
    title("d", "100% sure");

    assertThat(ids(SessionQuery.of("ann").titleContains("trip")))
        .containsExactlyInAnyOrder("a", "b");
    assertThat(ids(SessionQuery.of("ann").titleContains("über"))).containsExactly("c");
    assertThat(ids(SessionQuery.of("ann").titleContains("0%"))).containsExactly("d");
    assertThat(ids(SessionQuery.of("ann").titleContains("r_p"))).isEmpty();
  }

  @Test
  default void filters_canBeCombinedAndPaged() {
    for (int i = 0; i < 12; i++) {
      Set<String> tags = i % 2 == 0 ? Set.of("even") : Set.of("odd");
      store()
          .session(key("s" + i))
          .update(SessionUpdate.none().title("Title " + i).tags(tags).archived(i < 4));
      clock().advance(Duration.ofSeconds(1));
    }
    SessionQuery query = SessionQuery.of("ann").tag("even").archived(false).titleContains("title");

    assertThat(ids(query)).containsExactly("s10", "s8", "s6", "s4");
    assertThat(paged(query.limit(1))).containsExactly("s10", "s8", "s6", "s4");
    assertThat(paged(query.limit(3))).containsExactly("s10", "s8", "s6", "s4");
  }

  @Test
  default void list_followsAChangedTitle() {
    title("a", "alpha");
    title("b", "beta");
    title("a", "gamma");

    assertThat(ids(SessionQuery.of("ann").order(Order.TITLE))).containsExactly("b", "a");
    assertThat(ids(SessionQuery.of("ann").titleContains("alpha"))).isEmpty();
  }

  private SessionKey key(String id) {
    return new SessionKey("ann", id);
  }

  /** Adds an item, a second after what was done before. */
  private void add(String id) {
    clock().advance(Duration.ofSeconds(1));
    store().session(key(id)).addItems(Items.of("an item of " + id));
  }

  private void title(String id, String title) {
    clock().advance(Duration.ofSeconds(1));
    StoredSession session = store().session(key(id));
    session.update(SessionUpdate.none().title(title));
  }

  private List<String> ids(SessionQuery query) {
    return store().list(query).sessions().stream().map(info -> info.key().id()).toList();
  }

  private List<String> paged(SessionQuery query) {
    List<String> ids = new ArrayList<>();
    SessionPage page = store().list(query);
    while (true) {
      page.sessions().forEach(info -> ids.add(info.key().id()));
      if (page.next().isEmpty()) {
        return ids;
      }
      assertThat(page.sessions()).as("a page that is not the last").hasSize(query.limit());
      page = store().list(query.cursor(page.next().get()));
    }
  }
}
