package dev.clew.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.Role;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionUpdate;
import dev.clew.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SearchFilterTest {
  private static final SearchFilter NONE =
      new SearchFilter(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  private final MemoryStore store = new MemoryStore();

  private SearchResult search(SearchFilter filter, int limit) {
    return filter.search(store, SearchQuery.of("", "rain").limit(limit));
  }

  private List<Long> positions(SearchFilter filter) {
    return search(filter, 20).hits().stream().map(SearchResult.Hit::position).sorted().toList();
  }

  private static SearchFilter role(Role role) {
    return new SearchFilter(
        Optional.empty(), Optional.empty(), Optional.of(role), Optional.empty(), Optional.empty());
  }

  private static SearchFilter tool(String name) {
    return new SearchFilter(
        Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(name), Optional.empty());
  }

  @Test
  void roleAndTool_lookAtWhatWasFound() {
    store
        .session("s")
        .addItems(
            List.of(
                Item.user("rain?"),
                Item.functionCall("c1", "weather", "{\"q\":\"rain\"}"),
                Item.functionCall("c2", "news", "{}"),
                Item.functionCallOutput("c1", "rain at noon"),
                Item.functionCallOutput("c2", "rain of money"),
                Item.assistant("rain at noon")));

    assertThat(positions(NONE)).hasSize(5);
    assertThat(positions(role(Role.USER))).containsExactly(1L);
    assertThat(positions(role(Role.ASSISTANT))).containsExactly(6L);
    assertThat(positions(tool("weather"))).containsExactly(2L, 4L);
    assertThat(positions(tool("news"))).containsExactly(5L);
    assertThat(positions(tool("other"))).isEmpty();
  }

  @Test
  void aToolIsFoundWithAndWithoutItsServer() {
    store
        .session("s")
        .addItems(
            List.of(
                Item.functionCall("c1", "office__send_mail", "{\"q\":\"rain\"}"),
                Item.functionCallOutput("c1", "sent: rain")));

    assertThat(positions(tool("office__send_mail"))).containsExactly(1L, 2L);
    assertThat(positions(tool("send_mail"))).containsExactly(1L, 2L);
    assertThat(positions(tool("mail"))).isEmpty();
  }

  @Test
  void timeAndTag_bound() {
    store.session("s").addItems(List.of(Item.user("rain")));
    store.session("t").addItems(List.of(Item.user("rain")));
    store.session("t").update(SessionUpdate.none().tags(Set.of("work")));
    Instant hourAgo = Instant.now().minus(Duration.ofHours(1));
    SearchFilter since =
        new SearchFilter(
            Optional.of(hourAgo),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    SearchFilter until =
        new SearchFilter(
            Optional.empty(),
            Optional.of(hourAgo),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    SearchFilter tag =
        new SearchFilter(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of("work"));

    assertThat(search(since, 20).hits()).hasSize(2);
    assertThat(search(until, 20).hits()).isEmpty();
    assertThat(search(tag, 20).hits()).extracting(hit -> hit.key().id()).containsExactly("t");
  }

  @Test
  void theLimitCountsWhatIsKept_andTooManyHitsMakeItPartial() {
    store
        .session("s")
        .addItems(
            IntStream.range(0, 1200)
                .mapToObj(i -> i % 100 == 0 ? Item.assistant("rain") : Item.user("rain"))
                .toList());

    assertThat(search(role(Role.USER), 5).hits()).hasSize(5);
    assertThat(search(role(Role.USER), 5).partial()).isFalse();
    SearchResult few = search(role(Role.ASSISTANT), 20);
    assertThat(few.hits()).hasSizeBetween(8, 12);
    assertThat(few.partial()).isTrue();
  }
}
