package dev.clew.server.internal.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionUpdate;
import dev.clew.kit.Family;
import dev.clew.kit.Sha256;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Caller;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import dev.clew.tck.FaultyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The branches of a conversation are one conversation for every API. */
class BranchesTest {
  private final MemoryStore store = MemoryStore.builder().build();
  private final FaultyStore counted = new FaultyStore(store);
  private final ScriptedModel script = new ScriptedModel();
  private final LiveServer live =
      new LiveServer(counted, settings -> settings.model(script, "script"));
  private final Caller ann = new Caller(live, "ann");
  private String newer = "";

  @BeforeEach
  void regenerate() {
    script.says("In reeds.").says("In barns.");
    ann.say("root", "Where do swallows sleep, privately?").is(200);
    newer = branch("root", 1);
    ann.post("/api/sessions/" + newer + "/regenerate", "{}").is(200);
  }

  @AfterEach
  void close() {
    live.close();
    store.close();
  }

  private static SessionKey key(String id) {
    return new SessionKey("ann", id);
  }

  private String branch(String id, int index) {
    long at =
        store.session(key(id)).entries(Range.first(index + 1)).entries().get(index).position();
    return ann.post("/api/sessions/" + id + "/branches", "{\"at\":" + at + "}")
        .is(200)
        .text("session_id");
  }

  private List<Object> listed(String query) {
    List<Object> ids = new ArrayList<>();
    ann.get("/api/sessions?" + query).is(200).data().forEach(row -> ids.add(row.get("session_id")));
    return ids;
  }

  private List<Object> found(String words) {
    List<Object> ids = new ArrayList<>();
    ann.get("/api/search?q=" + words).is(200).data().forEach(hit -> ids.add(hit.get("session_id")));
    return ids;
  }

  @Test
  void theyAreOneRow_andTheArchiveHasNone() {
    assertThat(listed("archived=false")).containsExactly(newer);
    assertThat(listed("archived=true")).isEmpty();
    assertThat(listed("limit=1")).containsExactly(newer);
    Map<String, Object> older = ann.get("/api/sessions/root").is(200).json();
    Map<String, Object> current = ann.get("/api/sessions/" + newer).is(200).json();
    assertThat(older).containsEntry("archived", false);
    assertThat(older).containsEntry("older", true).containsEntry("current", newer);
    assertThat(current).doesNotContainKey("older").containsEntry("family", older.get("family"));
    assertThat(current).containsEntry("tags", List.of());
    assertThat(ann.get("/v1/conversations").is(200).data()).hasSize(1);
    assertThat(ann.get("/v1/conversations?order=asc").is(200).data())
        .extracting(row -> row.get("id"))
        .containsExactly(newer);
  }

  @Test
  void whatIsDeletedIsGone_whicheverBranchIsNamed() {
    ann.send("DELETE", "/api/sessions/" + newer, "").is(200);
    assertThat(found("privately")).isEmpty();
    assertThat(store.list(SessionQuery.of("ann")).sessions()).isEmpty();
    ann.get("/api/sessions/root").refused(404, "session_not_found");
  }

  @Test
  void conversationsAreDeletedWhole() {
    ann.post("/api/sessions/root/shares", "{}").is(200);
    ann.send("DELETE", "/v1/conversations/root", "").is(200);
    assertThat(store.list(SessionQuery.of("ann")).sessions()).isEmpty();
    assertThat(ann.get("/api/shares").is(200).data()).isEmpty();
    ann.send("DELETE", "/v1/conversations/root", "").is(404);
  }

  @Test
  void whatTheyHaveInCommonIsFoundOnce_andTheRestInItsBranch() {
    assertThat(found("privately")).containsExactly(newer);
    assertThat(found("reeds")).containsExactly("root");
    List<Map<String, Object>> hits = ann.get("/api/search?q=barns").is(200).data();
    assertThat(hits.get(0)).containsEntry("family", family());
  }

  private Object family() {
    return ann.get("/api/sessions/root").json().get("family");
  }

  @Test
  void theOneThatIsContinuedTakesThePlaceInTheList() {
    ann.send("PATCH", "/api/sessions/" + newer, "{\"pinned\":true,\"title\":\"Birds\"}").is(200);
    script.says("Yes.");
    ann.say("root", "Really?").is(200);
    assertThat(listed("archived=false")).containsExactly("root");
    assertThat(listed("pinned=true")).containsExactly("root");
    assertThat(ann.get("/api/sessions/root").json()).containsEntry("title", "Birds");
    String third = branch("root", 1);
    assertThat(listed("")).containsExactly(third);
  }

  @Test
  void soDoesTheOneToWhichItemsAreAdded_howeverOftenThatChanges() {
    String item = "{\"items\":[{\"role\":\"user\",\"content\":\"Really?\"}]}";
    for (String id : List.of("root", "root", newer, "root")) {
      ann.post("/v1/conversations/" + id + "/items", item).is(200);
      assertThat(listed("archived=false")).containsExactly(id);
    }
    String third = branch("root", 1);
    assertThat(listed("")).containsExactly(third);
    ann.post("/v1/conversations/root/items", item).is(200);
    assertThat(listed("")).as("older again after items were added").containsExactly("root");
  }

  @Test
  void aConversationOfResponsesGoesOnWhereItIsContinued() {
    script.says("Yes.");
    ann.post(
            "/v1/responses",
            "{\"model\":\"script\",\"conversation\":\"root\",\"input\":\"Really?\"}")
        .is(200);
    assertThat(listed("")).containsExactly("root");
  }

  @Test
  void whatDescribesAConversationDescribesItsBranches() {
    String change = "{\"title\":\"Birds\",\"tags\":[\"t\"],\"ttl_seconds\":3600,\"archived\":true}";
    ann.send("PATCH", "/api/sessions/root", change).is(200);
    assertThat(listed("archived=true")).containsExactly(newer);
    for (String each : List.of("root", newer)) {
      assertThat(ann.get("/api/sessions/" + each).json())
          .containsEntry("title", "Birds")
          .containsEntry("tags", List.of("t"))
          .containsEntry("ttl_seconds", 3600L);
    }
    ann.send("PATCH", "/api/sessions/root", "{\"archived\":false}").is(200);
    assertThat(listed("archived=false")).containsExactly(newer);
    assertThat(listed("archived=true")).isEmpty();
  }

  @Test
  void whatIsDoneToAll_isDoneToConversations() {
    ann.say("other", "Hello").is(200);
    store.session(key("put-away")).update(SessionUpdate.none().archived(true));
    assertThat(
            ann.send("PATCH", "/api/sessions?all=true&archived=false", "{\"archived\":true}")
                .json())
        .containsEntry("changed", 2L);
    assertThat(listed("archived=true")).containsExactlyInAnyOrder(newer, "other", "put-away");
    ann.send("PATCH", "/api/sessions?archived=true", "{\"archived\":false}")
        .refused(400, "missing_required_parameter");
    ann.send("PATCH", "/api/sessions/" + newer, "{\"archived\":false}").is(200);
    assertThat(ann.send("DELETE", "/api/sessions?all=true&archived=true", "").is(200).json())
        .containsEntry("deleted", 2L);
    assertThat(listed("")).containsExactly(newer);
    ann.get("/api/sessions/root").is(200);
    ann.send("DELETE", "/api/sessions?all=true", "").is(200);
    assertThat(store.list(SessionQuery.of("ann")).sessions()).isEmpty();
  }

  @Test
  void aCopyIsAConversationOfItsOwn() {
    String copy = ann.post("/api/sessions/" + newer + "/fork", "{}").is(200).text("session_id");
    String old = ann.post("/api/sessions/root/fork", "{}").is(200).text("session_id");
    assertThat(listed("")).containsExactlyInAnyOrder(newer, copy, old);
    ann.send("DELETE", "/api/sessions/" + newer, "").is(200);
    assertThat(listed("")).containsExactlyInAnyOrder(copy, old);
  }

  @Test
  void aLinkOfOneIsTheLinkOfAll() {
    ann.post("/api/sessions/root/shares", "{}").is(200);
    assertThat(ann.get("/api/shares").is(200).data().get(0)).containsEntry("family", family());
  }

  @Test
  void aPageCostsABoundedNumberOfReads_howeverManyOlderOnesThereAre() {
    for (int i = 0; i < 2_000; i++) {
      SessionKey key = key("old" + i);
      store.session(key).addItems(List.of(Item.user("Hello")));
      String mark = "branch:older-" + Sha256.brief(key.id());
      store.session(key).update(SessionUpdate.none().archived(true).tags(Set.of("branch:x", mark)));
    }
    assertThat(Family.isOlder(store.session(key("old1")).info().orElseThrow())).isTrue();
    store.session(key("away")).update(SessionUpdate.none().archived(true).title("Away"));
    AtomicInteger reads = new AtomicInteger();
    counted.failBefore(
        call -> {
          if (call.name().equals("list")) {
            reads.incrementAndGet();
          }
          return false;
        });
    List<Object> ids = new ArrayList<>();
    String cursor = "";
    int pages = 0;
    do {
      reads.set(0);
      Caller.Answer page =
          ann.get("/api/sessions?archived=true" + (cursor.isEmpty() ? "" : "&cursor=" + cursor));
      page.is(200).data().forEach(row -> ids.add(row.get("session_id")));
      assertThat(reads.get()).isLessThanOrEqualTo(45);
      cursor = page.json().get("next_cursor") instanceof String next ? next : "";
      pages++;
    } while (!cursor.isEmpty());
    assertThat(ids).containsExactly("away");
    assertThat(pages).isLessThanOrEqualTo(3);
  }

  private List<Object> waysOn(String id) {
    List<Object> ways = new ArrayList<>();
    ann.get("/api/sessions/" + id + "/branches")
        .is(200)
        .data()
        .forEach(place -> ways.add(place.get("session_ids")));
    return ways;
  }

  @Test
  void everyBranchIsReachedFromEveryOther_whereverTheyPart() {
    ann.say("root", "And in winter?").is(200);
    String second = branch("root", 3); // the second answer, twice again
    ann.post("/api/sessions/" + second + "/regenerate", "{}").is(200);
    String third = branch(second, 3);
    ann.post("/api/sessions/" + third + "/regenerate", "{}").is(200);
    String edited = branch(third, 0); // the first question
    ann.say(edited, "Where do martins sleep?").is(200);
    String asked = branch(second, 2); // the second question, elsewhere
    ann.say(asked, "And in spring?").is(200);
    assertThat(waysOn("root"))
        .containsExactly(
            List.of("root", edited),
            List.of("root", newer),
            List.of("root", asked),
            List.of("root", second, third));
    assertThat(waysOn(second))
        .containsExactly(
            List.of(second, edited),
            List.of(second, newer),
            List.of(second, asked),
            List.of("root", second, third));
    assertThat(waysOn(newer)).hasSize(2);
    assertThat(String.valueOf(waysOn(newer).get(0))).isEqualTo("[" + newer + ", " + edited + "]");
    assertThat(waysOn(asked)).hasSize(3).element(0).isEqualTo(List.of(asked, edited));
    assertThat(waysOn(edited)).hasSize(1);
    assertThat(String.valueOf(waysOn(edited).get(0))).endsWith(", " + edited + "]");
  }

  private void older(String id, Map<String, Object> metadata) {
    store.session(key(id)).addItems(List.of(Item.user("x")));
    String mark = "branch:older-" + Sha256.brief(id);
    store
        .session(key(id))
        .update(
            SessionUpdate.none()
                .archived(true)
                .metadata(metadata)
                .tags(Set.of("branch:crowd", mark)));
  }

  /** As an import may bring them. */
  @Test
  void branchesThatNameVeryManyPlacesAreReadOnceEach() {
    Map<String, Long> names = new TreeMap<>();
    for (int i = 0; i < 20_000; i++) {
      names.put("place" + i, 1L);
    }
    for (int i = 0; i < 20; i++) {
      older("b" + i, Map.of("@clew", Map.of("branches", names)));
    }
    List<Map<String, Object>> places = ann.get("/api/sessions/b0/branches").is(200).data();
    assertThat(places).hasSize(1);
    assertThat((List<?>) places.get(0).get("session_ids")).hasSize(20);
  }

  @Test
  void whatIsDoneToAllSessionsLooksOnceForTheCurrentBranchOfAFamily() {
    for (int i = 0; i < 120; i++) {
      older("b" + i, Map.of());
    }
    AtomicInteger reads = new AtomicInteger();
    counted.failBefore(
        call -> {
          if (call.name().equals("list")) {
            reads.incrementAndGet();
          }
          return false;
        });
    ann.send("PATCH", "/api/sessions?all=true", "{\"pinned\":true}").is(200);
    assertThat(reads.get()).isLessThan(20);
  }
}
