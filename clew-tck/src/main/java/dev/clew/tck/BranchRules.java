package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Capability;
import dev.clew.Range;
import dev.clew.SearchQuery;
import dev.clew.SearchResult.Hit;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.kit.BoundedPage;
import dev.clew.kit.Family;
import dev.clew.kit.SearchFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** C18, C19: the branches of a conversation, which are sessions that tags hold together. */
@Rule(
    "the branches of a conversation are listed once, found once and deleted together, by tags "
        + "alone (see Family)")
interface BranchRules extends StoreFixture {
  SearchFilter ALL_HITS =
      new SearchFilter(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  private SessionKey branched(String from, String to, long upTo, String answer) {
    SessionKey target = new SessionKey("ann", to);
    StoredSession source = store().session(new SessionKey("ann", from));
    clock().advance(Duration.ofSeconds(1));
    source.forkTo(target, upTo);
    new Family(store())
        .add(source.info().orElseThrow(), target, info -> SessionUpdate.none().title(info.title()));
    store().session(target).addItems(Items.of(answer));
    return target;
  }

  private List<String> listed(SessionQuery query) {
    List<String> ids = new ArrayList<>();
    Optional<String> cursor = Optional.empty();
    do {
      var page = BoundedPage.list(store(), query, cursor);
      page.sessions().forEach(info -> ids.add(info.key().id()));
      cursor = page.next();
    } while (cursor.isPresent());
    return ids;
  }

  private SessionInfo info(String id) {
    return store().session(new SessionKey("ann", id)).info().orElseThrow();
  }

  private long question() {
    return store()
        .session(new SessionKey("ann", "one"))
        .entries(Range.first(1))
        .entries()
        .get(0)
        .position();
  }

  private void threeBranches() {
    store()
        .session(new SessionKey("ann", "one"))
        .addItems(Items.of("where do swallows sleep", "in reeds"));
    store()
        .session(new SessionKey("ann", "one"))
        .update(SessionUpdate.none().title("Swallows").tags(Set.of("birds")).pinned(true));
    branched("one", "two", question(), "in barns");
    branched("one", "three", question(), "in trees");
    store().session(new SessionKey("ann", "other")).addItems(Items.of("swallows again"));
  }

  @Test
  default void branches_areOneSessionOfAList() {
    threeBranches();
    SessionQuery all = SessionQuery.of("ann").limit(2);

    assertThat(listed(all)).containsExactlyInAnyOrder("three", "other");
    assertThat(listed(all.archived(true))).isEmpty();
    assertThat(listed(all.pinned(true))).containsExactly("three");
    assertThat(listed(all.tag("birds"))).containsExactly("three");
    assertThat(Family.visible(info("three").tags())).containsExactly("birds");
    assertThat(new Family(store()).branches(info("two")))
        .extracting(each -> each.key().id())
        .containsExactly("one", "two", "three");
  }

  @Test
  default void branches_areListedAsTheOneThatIsContinued() {
    threeBranches();
    new Family(store()).makeCurrent(new SessionKey("ann", "one"));

    assertThat(listed(SessionQuery.of("ann"))).containsExactlyInAnyOrder("one", "other");
    assertThat(info("one").pinned()).isTrue();
    assertThat(info("one").archived()).isFalse();
    assertThat(new Family(store()).current(info("two")).key().id()).isEqualTo("one");
  }

  @Test
  default void branches_doNotIncludeACopy() {
    threeBranches();
    store().session(new SessionKey("ann", "three")).forkTo(new SessionKey("ann", "copy"), 1_000);
    store().session(new SessionKey("ann", "one")).forkTo(new SessionKey("ann", "copy2"), 1_000);

    assertThat(listed(SessionQuery.of("ann")))
        .containsExactlyInAnyOrder("three", "other", "copy", "copy2");
    assertThat(Family.name(info("copy"))).isEmpty();
    assertThat(new Family(store()).toDelete(new SessionKey("ann", "two")))
        .extracting(SessionKey::id)
        .containsExactly("one", "two", "three");
  }

  @Test
  default void branches_haveOneHitForWhatTheyHaveInCommon() {
    threeBranches();
    if (!store().traits().capabilities().contains(Capability.SEARCH)) {
      return; // SearchRules checks that it is refused
    }
    Family family = new Family(store());
    Await.until(() -> "the index has caught up", () -> !search(family, "trees", 20).isEmpty());

    assertThat(search(family, "swallows", 20)).containsExactlyInAnyOrder("three", "other");
    assertThat(search(family, "swallows", 2)).containsExactlyInAnyOrder("three", "other");
    assertThat(search(family, "reeds", 20)).containsExactly("one");
    family.toDelete(new SessionKey("ann", "three")).forEach(key -> store().session(key).delete());
    Await.until(
        () -> "the index has caught up",
        () -> search(family, "swallows", 20).equals(List.of("other")));
    assertThat(search(family, "reeds", 20)).isEmpty();
  }

  private static List<String> search(Family family, String words, int limit) {
    return family.search(ALL_HITS, SearchQuery.of("ann", words).limit(limit)).hits().stream()
        .map(Hit::key)
        .map(SessionKey::id)
        .toList();
  }
}
