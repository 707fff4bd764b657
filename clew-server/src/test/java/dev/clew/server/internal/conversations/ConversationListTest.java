package dev.clew.server.internal.conversations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.LiveServer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The list of conversations is walked as the pagers of the SDKs do. */
class ConversationListTest {
  private static final Instant BEGIN = Instant.parse("2026-03-01T10:00:00Z");

  private Instant now = BEGIN;
  private final MemoryStore store = MemoryStore.builder().clock(new Moving()).build();
  private final LiveServer live = new LiveServer(store);
  private final Caller ann = new Caller(live, "ann");

  /** A clock that a test sets. */
  private final class Moving extends Clock {
    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  @BeforeEach
  void othersAreNotListed() {
    store.session(new SessionKey("bob", "b")).addItems(List.of(Item.user("hi")));
  }

  @AfterEach
  void stop() {
    live.close();
    store.close();
  }

  /** Conversations at random moments, some of them at the same one; oldest first. */
  private List<String> conversations(int count, int mostPause) {
    Random random = new Random(count);
    for (int i = 0; i < count; i++) {
      now = now.plusMillis(random.nextInt(3) == 0 ? 0 : random.nextInt(mostPause));
      store.session(new SessionKey("ann", "c" + i)).addItems(List.of(Item.user("hi")));
    }
    List<String> ids = new ArrayList<>(ids(ann.get("/api/sessions?limit=100").is(200)));
    assertThat(count).as("what one page of the other list can show").isLessThanOrEqualTo(100);
    Collections.reverse(ids);
    return ids;
  }

  private static List<String> ids(Caller.Answer page) {
    return page.data().stream()
        .map(one -> (String) one.getOrDefault("session_id", one.get("id")))
        .toList();
  }

  private List<String> walk(String order, int limit) {
    List<String> all = new ArrayList<>();
    String from = "";
    for (boolean more = true; more; ) {
      Caller.Answer page =
          ann.get("/v1/conversations?limit=" + limit + "&order=" + order + from).is(200);
      List<String> ids = ids(page);
      assertThat(page.text("first_id")).isEqualTo(ids.isEmpty() ? "" : ids.get(0));
      assertThat(page.text("last_id")).isEqualTo(ids.isEmpty() ? "" : ids.get(ids.size() - 1));
      all.addAll(ids);
      more = (boolean) page.json().get("has_more");
      from = "&after=" + page.text("last_id");
    }
    return all;
  }

  @ParameterizedTest
  @CsvSource({
    "0,1000,10",
    "1,1000,10",
    "10,1000,10",
    "11,1,10",
    "97,100000,7",
    "97,3,20",
    "60,1,1"
  })
  void everyOneIsThereOnce_inBothOrders(int count, int mostPause, int limit) {
    List<String> oldestFirst = conversations(count, mostPause);
    List<String> newestFirst = new ArrayList<>(oldestFirst);
    Collections.reverse(newestFirst);
    assertThat(walk("desc", limit)).isEqualTo(newestFirst);
    assertThat(walk("asc", limit)).isEqualTo(oldestFirst);
  }

  @ParameterizedTest
  @CsvSource({"desc,100000", "asc,100000", "desc,1", "asc,2"})
  void thePageBeforeOneEndsRightThere(String order, int mostPause) {
    List<String> ids = conversations(80, mostPause);
    if (order.equals("desc")) {
      Collections.reverse(ids);
    }
    for (int at : List.of(0, 1, 5, 40, 79)) {
      Caller.Answer page =
          ann.get("/v1/conversations?limit=5&order=" + order + "&before=" + ids.get(at)).is(200);
      assertThat(ids(page)).isEqualTo(ids.subList(Math.max(0, at - 5), at));
      assertThat(page.json()).containsEntry("has_more", at > 5);
    }
  }

  @Test
  void longMetadataEndsAPageEarly_andNothingIsLeftOut() {
    for (int i = 0; i < 12; i++) {
      now = now.plusSeconds(1);
      store
          .session(new SessionKey("ann", "c" + i))
          .update(SessionUpdate.none().metadata(Map.of("m", "m".repeat(900_000))));
    }
    assertThat(ids(ann.get("/v1/conversations?limit=100&order=asc").is(200)))
        .hasSizeLessThan(6)
        .startsWith("c0", "c1");
    assertThat(walk("asc", 100))
        .containsExactly("c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11");
  }

  @ParameterizedTest
  @CsvSource({
    "after=none, invalid_value, after",
    "before=none, invalid_value, before",
    "after=b, invalid_value, after",
    "after=../x, invalid_value, after",
    "cursor=none, invalid_value, cursor",
    "order=up, invalid_value, order",
    "after=c0&before=c1, mutually_exclusive_parameters,",
    "cursor=x&after=c1, mutually_exclusive_parameters,",
    "cursor=x&order=asc, mutually_exclusive_parameters,",
  })
  void whatItDoesNotKnowIsRefused(String query, String code, String param) {
    conversations(2, 1000);
    Map<String, Object> error =
        Caller.object(ann.get("/v1/conversations?" + query).is(400).json().get("error"));
    assertThat(error).containsEntry("code", code).containsEntry("param", param);
  }
}
