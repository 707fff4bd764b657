package dev.clew.mcp;

import static dev.clew.mcp.Client.object;
import static dev.clew.mcp.Client.objects;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.Part;
import dev.clew.Range;
import dev.clew.Role;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.kit.Family;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ToolsTest {
  private final SessionStore store = Stores.open("memory:");
  private final Client ann = new Client(store, "ann", true);

  @AfterEach
  void close() {
    store.close();
  }

  private StoredSession session(String id) {
    return store.session(new SessionKey("ann", id));
  }

  private void say(String id, Item... items) {
    session(id).addItems(List.of(items));
  }

  private static List<Object> texts(Map<String, Object> read) {
    return objects(read, "entries").stream().map(entry -> entry.get("text")).toList();
  }

  @Test
  void search_findsWhatTheOwnerSaid_withFiltersAndPages() {
    for (int i = 0; i < 12; i++) {
      say("s" + i, Item.user("the golden gate, part " + i), Item.assistant("golden indeed"));
    }
    session("s3").update(SessionUpdate.none().tags(Set.of("work")).title("Bridges"));
    store.session(new SessionKey("bob", "b")).addItems(List.of(Item.user("golden secret")));
    Map<String, Object> first =
        ann.call("search_conversations", Map.of("query", "golden", "limit", 20));
    assertThat(objects(first, "hits")).hasSize(20);
    Map<String, Object> next =
        ann.call(
            "search_conversations",
            Map.of(
                "query",
                "golden",
                "limit",
                20,
                "cursor",
                String.valueOf(first.get("next_cursor"))));
    assertThat(objects(next, "hits")).hasSize(4);
    assertThat(next).containsEntry("next_cursor", null);
    assertThat(objects(first, "hits")).noneMatch(hit -> String.valueOf(hit).contains("secret"));
    List<Map<String, Object>> tagged =
        objects(
            ann.call(
                "search_conversations", Map.of("query", "golden", "tag", "work", "role", "user")),
            "hits");
    assertThat(tagged).hasSize(1);
    assertThat(tagged.get(0)).containsEntry("session_id", "s3").containsEntry("title", "Bridges");
    assertThat(
            objects(
                ann.call("search_conversations", Map.of("query", "golden", "until", "2001-01-31")),
                "hits"))
        .isEmpty();
  }

  @Test
  void list_showsTheLastChangedFirst_withTitlesAlsoWhereNoneIsStored() {
    say("a", Item.user("What is a quine?\nTell me."));
    say("b", Item.user("x"));
    session("b").update(SessionUpdate.none().title("Chosen"));
    Map<String, Object> page = ann.call("list_conversations", Map.of("limit", 1));
    Map<String, Object> rest =
        ann.call("list_conversations", Map.of("cursor", String.valueOf(page.get("next_cursor"))));
    assertThat(Stream.of(page, rest).flatMap(each -> objects(each, "conversations").stream()))
        .extracting(each -> each.get("title"))
        .containsExactlyInAnyOrder("Chosen", "What is a quine?");
    assertThat(rest).containsEntry("next_cursor", null);
    assertThat(ann.refusal("list_conversations", Map.of("cursor", "bogus")))
        .isEqualTo("cursor is not the next_cursor of this list.");
  }

  @Test
  void get_readsBackwardForwardAndAround_andSaysHowToReadOn() {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      items.add(Item.user("message " + i));
    }
    session("s").addItems(items);
    Map<String, Object> newest =
        ann.call("get_conversation", Map.of("session_id", "s", "limit", 10));
    assertThat(texts(newest)).startsWith("message 90").endsWith("message 99").hasSize(10);
    assertThat(newest).containsEntry("newer", null);
    Map<String, Object> older =
        ann.call(
            "get_conversation",
            Map.of("session_id", "s", "limit", 10, "before", newest.get("older")));
    assertThat(texts(older)).startsWith("message 80").endsWith("message 89");
    Map<String, Object> newer =
        ann.call(
            "get_conversation",
            Map.of("session_id", "s", "limit", 20, "after", older.get("newer")));
    assertThat(texts(newer)).startsWith("message 90").hasSize(10);
    assertThat(newer).containsEntry("newer", null);
    Object hit = objects(older, "entries").get(5).get("position");
    Map<String, Object> around =
        ann.call("get_conversation", Map.of("session_id", "s", "limit", 5, "around", hit));
    assertThat(texts(around))
        .containsExactly("message 83", "message 84", "message 85", "message 86", "message 87");
    assertThat(ann.refusal("get_conversation", Map.of("session_id", "s", "before", 1, "after", 1)))
        .isEqualTo("Give one of before, after and around.");
  }

  @Test
  void whatIsLong_isCut_andCanBeReadInPieces() {
    String rocket = "\uD83D\uDE80";
    String text = "x" + rocket.repeat(50_000);
    say("s", Item.user(text), Item.user("short"));
    Map<String, Object> read = ann.call("get_conversation", Map.of("session_id", "s"));
    Map<String, Object> entry = objects(read, "entries").get(0);
    assertThat(entry).containsEntry("cut", true).containsEntry("chars", 100_001L);
    assertThat(String.valueOf(entry.get("text"))).endsWith(rocket).hasSizeLessThanOrEqualTo(2_000);
    StringBuilder whole = new StringBuilder();
    Map<String, Object> piece =
        ann.call("get_entry", Map.of("session_id", "s", "position", entry.get("position")));
    whole.append(piece.get("text"));
    while (piece.get("next_offset") != null) {
      piece =
          ann.call(
              "get_entry",
              Map.of(
                  "session_id",
                  "s",
                  "position",
                  entry.get("position"),
                  "offset",
                  piece.get("next_offset")));
      whole.append(piece.get("text"));
    }
    assertThat(whole.toString()).isEqualTo(text);
  }

  @Test
  void aResult_isBoundedInSize_howeverManyEntriesAreAskedFor() {
    for (int i = 0; i < 200; i++) {
      say("s", Item.user("y".repeat(1_900)));
    }
    Map<String, Object> read =
        ann.call("get_conversation", Map.of("session_id", "s", "limit", 200));
    assertThat(objects(read, "entries").size()).isBetween(10, 40);
    assertThat(read.get("older")).isNotNull();
    for (String format : List.of("text", "items")) {
      assertThat(
              ann.call(
                      "get_conversation", Map.of("session_id", "s", "limit", 200, "format", format))
                  .toString())
          .hasSizeLessThan(ReadTools.MOST_CHARS + 5_000);
    }
  }

  @Test
  void longListsAndManyHits_endEarly_andNothingIsLeftOut() {
    Set<String> tags = new java.util.TreeSet<>();
    for (int i = 0; i < 100; i++) {
      tags.add(i + "t".repeat(100));
    }
    for (int i = 0; i < 20; i++) {
      say("s" + i + "i".repeat(500), Item.user("golden " + i));
      session("s" + i + "i".repeat(500))
          .update(SessionUpdate.none().tags(tags).title("t".repeat(1000)));
    }
    Set<Object> listed = all("list_conversations", Map.of("limit", 20), "conversations", 2);
    assertThat(listed).hasSize(20);
    for (int i = 0; i < 40; i++) {
      say("s" + (i % 20) + "i".repeat(500), Item.user("golden again"));
    }
    Set<Object> found =
        all("search_conversations", Map.of("query", "golden", "limit", 50), "hits", 2);
    assertThat(found).hasSize(20);
  }

  /** The sessions on all pages, of which there are some, each of which says how to get the next. */
  private Set<Object> all(String tool, Map<String, Object> arguments, String field, int fewest) {
    Set<Object> seen = new java.util.HashSet<>();
    Map<String, Object> given = new java.util.HashMap<>(arguments);
    int pages = 0;
    while (true) {
      Map<String, Object> page = ann.call(tool, given);
      assertThat(page.toString()).hasSizeLessThan(ReadTools.MOST_CHARS + 5_000);
      objects(page, field).forEach(each -> seen.add(each.get("session_id")));
      pages++;
      Object next = page.get("next_cursor");
      if (next == null) {
        assertThat(page).containsEntry("more", "There are no more.");
        assertThat(pages).isGreaterThanOrEqualTo(fewest);
        return seen;
      }
      assertThat(page)
          .containsEntry("more", "There are more: call again with cursor = next_cursor.");
      given.put("cursor", next);
    }
  }

  @Test
  void theNameOfATool_isCut_whereverItIsShown() {
    for (int i = 0; i < 200; i++) {
      say("s", Item.functionCall("c" + i, "n".repeat(5_000) + i, "{}"));
    }
    for (int i = 0; i < 200; i++) {
      say("s", Item.functionCall("d" + i, i + "n".repeat(5_000), "{}"));
    }
    assertThat(ann.call("describe_conversation", Map.of("session_id", "s")).toString())
        .hasSizeLessThan(ReadTools.MOST_CHARS);
    Map<String, Object> read = ann.call("get_conversation", Map.of("session_id", "s", "limit", 5));
    assertThat(objects(read, "entries")).hasSize(5);
    assertThat(read.toString()).hasSizeLessThan(5_000);
  }

  @Test
  void everyKindOfItem_isShownAsText_andAsItIsStored() {
    say(
        "s",
        Item.message(
            Role.USER, List.of(Part.inputText("look: "), Part.image("https://x/y.png", null))),
        Item.functionCall("c1", "weather", "{\"city\":\"Oslo\"}"),
        Item.functionCallOutput("c1", "rain"),
        Item.parse(
            "{\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"hm\"}]}"),
        Item.parse("{\"type\":\"new_thing\",\"x\":1}"));
    List<Map<String, Object>> entries =
        objects(ann.call("get_conversation", Map.of("session_id", "s")), "entries");
    assertThat(entries)
        .extracting(entry -> entry.get("kind"))
        .containsExactly("message", "tool_call", "tool_output", "reasoning", "other");
    assertThat(entries)
        .extracting(entry -> entry.get("text"))
        .containsExactly(
            "look: [image]",
            "{\"city\":\"Oslo\"}",
            "rain",
            "hm",
            "{\"type\":\"new_thing\",\"x\":1}");
    assertThat(entries.get(1)).containsEntry("tool", "weather");
    List<Map<String, Object>> items =
        objects(
            ann.call("get_conversation", Map.of("session_id", "s", "format", "items")), "entries");
    assertThat(object(items.get(4), "item")).containsEntry("type", "new_thing");
    Map<String, Object> facts = ann.call("describe_conversation", Map.of("session_id", "s"));
    assertThat(object(facts, "tool_calls")).containsEntry("weather", 1L);
    assertThat(facts).containsEntry("first_question", "look: [image]");
  }

  @Test
  void anotherOwnersSession_isAsMissingAsOneThatDoesNotExist() {
    store.session(new SessionKey("bob", "b")).addItems(List.of(Item.user("secret")));
    for (String tool :
        List.of(
            "get_conversation", "describe_conversation", "tag_conversation", "fork_conversation")) {
      String refusal = ann.refusal(tool, Map.of("session_id", "b"));
      assertThat(refusal).startsWith("There is no conversation 'b'");
      assertThat(ann.refusal(tool, Map.of("session_id", "c")))
          .isEqualTo(refusal.replace("'b'", "'c'"));
    }
    assertThat(
            ann.refusal("append_message", Map.of("session_id", "b", "role", "user", "text", "x")))
        .startsWith("There is no conversation 'b'");
    assertThat(ann.refusal("rename_conversation", Map.of("session_id", "b", "title", "mine")))
        .startsWith("There is no conversation 'b'");
    assertThat(ann.refusal("search_conversations", Map.of("query", "x", "session_id", "b")))
        .startsWith("There is no conversation 'b'");
    assertThat(store.session(new SessionKey("bob", "b")).info().orElseThrow().itemCount()).isOne();
    assertThat(session("b").info()).isEmpty();
  }

  @Test
  void append_addsOncePerKey_andBeginsASessionWithoutAnId() {
    Map<String, String> message = Map.of("role", "user", "text", "hello", "idempotency_key", "k1");
    Map<String, Object> added = ann.call("append_message", message);
    assertThat(ann.call("append_message", message)).isEqualTo(added);
    String id = String.valueOf(added.get("session_id"));
    assertThat(session(id).getItems()).containsExactly(Item.user("hello"));
    ann.call("append_message", Map.of("session_id", id, "role", "assistant", "text", "hi"));
    assertThat(session(id).getItems()).containsExactly(Item.user("hello"), Item.assistant("hi"));
    Map<String, String> other =
        Map.of("session_id", id, "role", "user", "text", "other", "idempotency_key", "k1");
    assertThat(ann.refusal("append_message", other))
        .isEqualTo("This idempotency_key was used for another message; use a new one.");
    assertThat(session(id).getItems()).hasSize(2);
  }

  @Test
  void append_toAnOlderBranch_makesItTheCurrentOne() {
    say("one", Item.user("where do swallows sleep"));
    session("one").forkTo(session("two").key(), Long.MAX_VALUE);
    Family family = new Family(store);
    family.add(
        session("one").info().orElseThrow(), session("two").key(), info -> SessionUpdate.none());
    ann.call("append_message", Map.of("session_id", "one", "role", "user", "text", "tell me"));
    assertThat(family.current(session("two").info().orElseThrow()).key().id()).isEqualTo("one");
  }

  @Test
  void append_waitsForNoTurnForLong() {
    say("s", Item.user("x"));
    try (var turn = session("s").lease("turn", Duration.ofMinutes(1), Duration.ZERO)) {
      assertThat(turn.fence()).isNotNull();
      assertThat(
              ann.refusal("append_message", Map.of("session_id", "s", "role", "user", "text", "y")))
          .isEqualTo("A turn is running in this conversation; try again in a few seconds.");
    }
    assertThat(session("s").getItems()).hasSize(1);
  }

  /** Or one owner with a long turn could take every thread of a server. */
  @Tag("hostile")
  @Test
  void append_whileOthersWaitForTurns_doesNotWaitToo() throws Exception {
    say("s", Item.user("x"));
    WriteTools tools = new WriteTools(store, Duration.ofMinutes(10), 1);
    Tool.Work append = tools.all().get("append_message");
    Arguments message = new Arguments(Map.of("session_id", "s", "role", "user", "text", "y"));
    McpCaller caller = McpCaller.of("ann", true);
    FutureTask<Object> first = new FutureTask<>(() -> append.run(caller, message));
    Thread waiting = new Thread(first);
    try (var turn = session("s").lease("turn", Duration.ofMinutes(20), Duration.ZERO)) {
      assertThat(turn.fence()).isNotNull();
      waiting.start();
      while (waiting.getState() != Thread.State.TIMED_WAITING && !first.isDone()) {
        Thread.onSpinWait();
      }
      assertThatThrownBy(() -> append.run(caller, message))
          .isInstanceOf(ClewException.SessionBusy.class);
      assertThat(first.isDone()).as("the first one still waits").isFalse();
    }
    first.get();
    assertThat(session("s").getItems()).hasSize(2);
  }

  @Test
  void describingChanges_renameTagAndFork() {
    say("s", Item.user("a"), Item.assistant("b"));
    assertThat(ann.call("rename_conversation", Map.of("session_id", "s", "title", "New")))
        .containsEntry("title", "New");
    ann.call("tag_conversation", Map.of("session_id", "s", "add", List.of("x", "y")));
    assertThat(
            ann.call(
                "tag_conversation",
                Map.of("session_id", "s", "add", List.of("z"), "remove", List.of("x"))))
        .containsEntry("tags", List.of("y", "z"));
    assertThat(ann.refusal("rename_conversation", Map.of("session_id", "s", "title", "a\u0007b")))
        .contains("control character");
    Map<String, Object> fork = ann.call("fork_conversation", Map.of("session_id", "s"));
    assertThat(session(String.valueOf(fork.get("session_id"))).getItems()).hasSize(2);
    long at = session("s").entries(Range.first(1)).entries().get(0).position();
    Map<String, Object> first =
        ann.call("fork_conversation", Map.of("session_id", "s", "position", at));
    assertThat(session(String.valueOf(first.get("session_id"))).getItems()).hasSize(1);
    for (long position : new long[] {at + 2, 99, -1}) {
      assertThat(ann.refusal("fork_conversation", Map.of("session_id", "s", "position", position)))
          .isEqualTo("There is no entry at position " + position + ".");
    }
  }

  @Test
  void anOlderBranch_isNotArchived() {
    say("s", Item.user("a"), Item.assistant("b"));
    SessionInfo source = session("s").info().orElseThrow();
    SessionInfo fork = session("s").forkTo(new SessionKey("ann", "t"), Long.MAX_VALUE);
    new Family(store).add(source, fork.key(), info -> SessionUpdate.none());
    assertThat(ann.call("describe_conversation", Map.of("session_id", "s")))
        .containsEntry("archived", false)
        .containsEntry("older", true)
        .containsEntry("current", "t");
    assertThat(ann.call("describe_conversation", Map.of("session_id", "t")))
        .doesNotContainKey("older");
  }

  @Test
  void wrongArguments_areASentenceThatTheModelCanActOn() {
    assertThat(ann.refusal("search_conversations", Map.of()))
        .isEqualTo("The argument query is missing.");
    assertThat(ann.refusal("search_conversations", Map.of("query", "")))
        .isEqualTo("The argument query is empty.");
    assertThat(ann.refusal("search_conversations", Map.of("query", 5)))
        .isEqualTo("query must be a string.");
    assertThat(ann.refusal("search_conversations", Map.of("query", "x", "limit", 51)))
        .isEqualTo("limit must be 1 to 50.");
    assertThat(ann.refusal("search_conversations", Map.of("query", "x", "role", "king")))
        .isEqualTo("role must be user or assistant or system or developer.");
    assertThat(ann.refusal("search_conversations", Map.of("query", "x", "since", "yesterday")))
        .startsWith("since must be a date such as 2026-01-31");
    assertThat(ann.refusal("search_conversations", Map.of("query", "x", "sesion", "s")))
        .startsWith("There is no argument 'sesion'; there are query, limit,");
    assertThat(ann.refusal("tag_conversation", Map.of("session_id", "s", "add", List.of(1))))
        .isEqualTo("add must be a list of strings.");
    assertThat(ann.refusal("get_entry", Map.of("session_id", "s", "position", 1.5)))
        .isEqualTo("position must be an integer.");
    say("s", Item.user("a"));
    assertThat(ann.refusal("get_conversation", Map.of("session_id", "s", "before", -5)))
        .isEqualTo("before must be the position of an entry, which is 0 or more.");
    assertThat(ann.refusal("get_conversation", Map.of("session_id", "\u0000")))
        .startsWith("There is no conversation");
  }
}
