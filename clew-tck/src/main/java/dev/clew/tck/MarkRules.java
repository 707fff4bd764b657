package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Capability;
import dev.clew.SearchQuery;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.kit.BoundedPage;
import dev.clew.kit.Family;
import dev.clew.kit.Marks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** C18, C19: sessions that are temporary or belong to a project, by tags alone. */
@Rule(
    "a temporary session is in no list and found by no search before it ends, and a project is a "
        + "list of a tag that people do not see (see Marks)")
interface MarkRules extends StoreFixture {
  private SessionInfo marked(String id, String text, Set<String> tags, Duration life) {
    SessionKey key = new SessionKey("ann", id);
    store().session(key).addItems(Items.of(text));
    SessionUpdate update = SessionUpdate.none().tags(tags);
    return store().session(key).update(life.isZero() ? update : update.timeToLive(life));
  }

  private List<String> listed(SessionQuery query) {
    return BoundedPage.list(store(), query, Optional.empty()).sessions().stream()
        .map(info -> info.key().id())
        .sorted()
        .toList();
  }

  private List<String> found(SearchQuery query) {
    return new Family(store())
        .search(BranchRules.ALL_HITS, query).hits().stream().map(hit -> hit.key().id()).toList();
  }

  @Test
  default void temporary_isInNoListAndFoundByNoSearch() {
    Duration day = Duration.ofDays(1);
    marked("kept", "swallows in spring", Set.of(), Duration.ZERO);
    marked("secret", "swallows in autumn", Set.of(Marks.TEMPORARY, "birds"), day);
    marked("endless", "swallows in winter", Set.of(Marks.TEMPORARY), Duration.ZERO);
    marked("short", "swallows in summer", Set.of("birds"), day);

    assertThat(listed(SessionQuery.of("ann"))).containsExactly("endless", "kept", "short");
    assertThat(listed(SessionQuery.of("ann").tag("birds"))).containsExactly("short");
    assertThat(listed(SessionQuery.of("ann").tag(Marks.TEMPORARY)))
        .containsExactly("endless", "secret");
    if (store().traits().capabilities().contains(Capability.SEARCH)) {
      SearchQuery all = SearchQuery.of("ann", "swallows");
      Await.until(() -> "the index has caught up", () -> found(all).size() == 3);
      assertThat(found(all)).containsExactlyInAnyOrder("endless", "kept", "short");
      Await.until(
          () -> "the index has caught up", () -> found(all.within("secret")).contains("secret"));
    }
  }

  @Test
  default void projects_areListsOfTheirSessions() {
    marked("one", "a", Marks.inProject(Set.of("birds"), "p"), Duration.ZERO);
    SessionInfo two = marked("two", "b", Marks.inProject(Set.of("birds"), "q"), Duration.ZERO);
    SessionQuery ofP = SessionQuery.of("ann").tag(Marks.ofProject("p"));

    assertThat(listed(ofP)).containsExactly("one");
    assertThat(Marks.project(two)).contains("q");
    assertThat(Family.visible(two.tags())).containsExactly("birds");
    assertThat(Family.tags(two, Set.of("cats", Marks.TEMPORARY)))
        .containsExactlyInAnyOrder("cats", Marks.ofProject("q"));
    store().session(two.key()).update(SessionUpdate.none().tags(Marks.inProject(two.tags(), "p")));
    assertThat(listed(ofP)).containsExactly("one", "two");
    assertThat(listed(SessionQuery.of("ann").tag("birds"))).containsExactly("one", "two");
  }
}
