package dev.clew.adk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.adk.events.Event;
import com.google.adk.events.EventActions;
import com.google.adk.memory.MemoryEntry;
import com.google.adk.sessions.GetSessionConfig;
import com.google.adk.sessions.Session;
import com.google.adk.sessions.SessionNotFoundException;
import com.google.adk.sessions.State;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import dev.clew.ClewException;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.decorate.RetryingStore;
import dev.clew.tck.FaultyStore;
import dev.clew.testservers.StoreKind;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions of ADK on every store. */
@ParameterizedClass
@EnumSource(StoreKind.class)
class ClewSessionServiceTest {
  private static final String APP = "guide/1:a";

  @Parameter StoreKind kind;
  @TempDir Path folder;
  private SessionStore store;
  private ClewSessionService service;

  @BeforeEach
  void open() {
    store = Stores.open(kind.url(folder));
    service = ClewSessionService.of(store);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Session create(String id, Map<String, Object> state) {
    return service.createSession(APP, "ann", state, id).blockingGet();
  }

  private Session load(String id) {
    return service.getSession(APP, "ann", id, Optional.empty()).blockingGet();
  }

  private static Event said(String id, String invocation, String author, String text) {
    return Event.builder()
        .id(id)
        .invocationId(invocation)
        .author(author)
        .content(Content.builder().role("user").parts(List.of(Part.fromText(text))).build())
        .build();
  }

  private static Event changing(String id, Map<String, Object> delta) {
    return said(id, "i", "guide", "ok").toBuilder()
        .actions(EventActions.builder().stateDelta(delta).build())
        .build();
  }

  private void append(Session copy, Event event) {
    service.appendEvent(copy, event).ignoreElement().blockingAwait();
  }

  private static List<String> ids(Session session) {
    return session.events().stream().map(Event::id).toList();
  }

  @Test
  void theStateHasThreeRangesAndIsKept() {
    Session copy = create("s", Map.of("a", 1, "gone", "x", "app:v", "2", "user:city", "Rome"));
    append(
        copy,
        changing(
            "e1",
            Map.of(
                "b",
                List.of(1, "z"),
                "gone",
                State.REMOVED,
                "temp:t",
                1,
                "user:lang",
                "it",
                "app:v",
                "3")));
    create("other", Map.of());
    service.createSession(APP, "bob", Map.of(), "s").ignoreElement().blockingAwait();

    assertThat(load("s").state())
        .containsOnly(
            Map.entry("a", 1),
            Map.entry("b", List.of(1, "z")),
            Map.entry("app:v", "3"),
            Map.entry("user:city", "Rome"),
            Map.entry("user:lang", "it"));
    assertThat(copy.state()).containsEntry("b", List.of(1, "z")).doesNotContainKey("gone");
    assertThat(load("other").state()).containsOnlyKeys("app:v", "user:city", "user:lang");
    assertThat(service.getSession(APP, "bob", "s", Optional.empty()).blockingGet().state())
        .containsOnlyKeys("app:v");
    assertThat(load("s").events().get(0).actions().stateDelta()).doesNotContainKey("temp:t");
  }

  @Test
  void aStateThatIsNoJsonIsRefusedByTheNameOfItsKey() {
    assertThatThrownBy(() -> create("s", Map.of("a", 1, "lock", new Object())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'lock'", "java.lang.Object", "temp:");
    Session copy = create("s", Map.of("temp:lock", new Object()));
    assertThatThrownBy(() -> append(copy, changing("e1", Map.of("user:lock", new Object()))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'user:lock'");
    append(copy, changing("e2", Map.of("temp:lock", new Object(), "b", 2)));
    assertThat(ids(load("s"))).containsExactly("e2");
    assertThat(load("s").state()).containsOnly(Map.entry("b", 2));
  }

  /** As the page about ADK says. */
  @Test
  void theStateComesBackAsJsonDoes() {
    Map<String, Object> state = new HashMap<>();
    state.put("map", Map.of("list", List.of("a", true, 1, 1.5)));
    state.put("long", 5L);
    state.put("longer", Long.MAX_VALUE);
    state.put("float", 1.5f);
    state.put("decimal", new BigDecimal("1.10"));
    state.put("set", Set.of("a"));
    state.put("enum", kind);
    state.put("bytes", new byte[] {1, 2});
    state.put("date", LocalDate.of(2026, 1, 2));
    create("s", state);
    assertThat(load("s").state())
        .containsOnly(
            Map.entry("map", Map.of("list", List.of("a", true, 1, 1.5))),
            Map.entry("long", 5),
            Map.entry("longer", Long.MAX_VALUE),
            Map.entry("float", 1.5),
            Map.entry("decimal", 1.1),
            Map.entry("set", List.of("a")),
            Map.entry("enum", kind.name()),
            Map.entry("bytes", "AQI="),
            Map.entry("date", List.of(2026, 1, 2)));
  }

  @Test
  void anEventIsKeptOnce() {
    Session copy = create("s", Map.of());
    Event event = said("e1", "i", "user", "Hello");
    append(copy, event);
    append(copy, event);
    append(load("s"), event);

    assertThat(ids(copy)).containsExactly("e1");
    assertThat(ids(load("s"))).containsExactly("e1");
  }

  @Test
  void aStaleCopyIsRefused() {
    create("s", Map.of());
    Session one = load("s");
    Session other = load("s");
    append(one, said("e1", "i1", "user", "Hello"));

    assertThatThrownBy(() -> append(other, changing("e2", Map.of("k", 1))))
        .isInstanceOf(ClewException.VersionConflict.class)
        .hasMessageContainingAll("session 's'", "appended an event since", "stays", "APPEND");
    append(one, said("e3", "i1", "guide", "Hi"));
    append(load("s"), said("e4", "i2", "user", "And?"));
    assertThat(ids(load("s"))).containsExactly("e1", "e3", "e4");
    assertThat(load("s").state()).isEmpty();
  }

  @Test
  void aSessionIsLoadedWithoutCallsThatWereNeverAnswered() {
    Session copy = create("s", Map.of());
    append(copy, said("u", "i", "user", "pay the rent"));
    append(
        copy,
        Event.fromJson(
            """
            {"id":"c","invocationId":"i","author":"guide","content":{"role":"model","parts":[
              {"functionCall":{"id":"answered","name":"pay","args":{}}},
              {"text":"paying"},
              {"functionCall":{"id":"lost","name":"pay","args":{}}},
              {"functionCall":{"id":"waits","name":"ask","args":{}}}]},
             "longRunningToolIds":["waits"],"actions":{"stateDelta":{"k":1}}}"""));
    append(
        copy,
        Event.fromJson(
            """
            {"id":"r","invocationId":"i","author":"guide","content":{"role":"user","parts":[
              {"functionResponse":{"id":"answered","name":"pay","response":{"done":true}}}]}}"""));
    append(
        copy,
        Event.fromJson(
            """
            {"id":"l","invocationId":"i","author":"guide","content":{"role":"model","parts":[
              {"functionCall":{"id":"lost too","name":"pay","args":{}}}]}}"""));

    Session shown = load("s");
    assertThat(ids(shown)).containsExactly("u", "c", "r", "l");
    assertThat(shown.events().get(1).functionCalls())
        .extracting(call -> call.id().orElseThrow())
        .containsExactly("answered", "waits");
    assertThat(shown.events().get(1).stringifyContent()).contains("paying");
    assertThat(shown.events().get(3).functionCalls()).isEmpty();
    assertThat(shown.state()).containsOnly(Map.entry("k", 1));
    service = ClewSessionService.builder(store).repair(false).build();
    assertThat(load("s").events().get(3).functionCalls()).hasSize(1);

    // The copy is not stale, here or in a process that got it over the network.
    Session elsewhere = Session.fromJson(shown.toJson());
    append(shown, said("e1", "j", "user", "Hello"));
    assertThatThrownBy(() -> append(elsewhere, said("e2", "k", "user", "Hello")))
        .hasMessageContaining("appended an event since");
  }

  @Test
  void copiesOfOneInvocationShareTheSession() {
    create("s", Map.of());
    Session one = load("s");
    Session other = load("s");
    append(one, changing("e1", Map.of("a", 1)));
    append(other, changing("e2", Map.of("b", 2)));

    assertThat(ids(load("s"))).containsExactly("e1", "e2");
    assertThat(load("s").state()).containsOnly(Map.entry("a", 1), Map.entry("b", 2));
  }

  @Test
  void aStaleCopyIsAppendedToIfThatIsWanted() {
    service = ClewSessionService.builder(store).staleCopies(StaleCopies.APPEND).build();
    create("s", Map.of());
    Session one = load("s");
    Session other = load("s");
    append(one, said("e1", "i1", "user", "Hello"));
    append(other, said("e2", "i2", "user", "Hello"));

    assertThat(ids(load("s"))).containsExactly("e1", "e2");
  }

  @Test
  void threadsLoseNeitherEventsNorState() throws Exception {
    service = ClewSessionService.builder(store).staleCopies(StaleCopies.APPEND).build();
    create("s", Map.of());
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Object>> tasks = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        String key = "t" + thread;
        tasks.add(
            () -> {
              Session copy = load("s");
              for (int i = 0; i < 8; i++) {
                append(copy, changing(key + i, Map.of(key, i, "user:" + key, i)));
              }
              return key;
            });
      }
      for (Future<Object> done : threads.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }

    Session session = load("s");
    assertThat(session.events()).hasSize(32);
    for (int thread = 0; thread < 4; thread++) {
      assertThat(session.state())
          .containsEntry("t" + thread, 7)
          .containsEntry("user:t" + thread, 7);
    }
  }

  @Test
  void aStateThatIsBehindItsEventsIsBroughtUpToDate() {
    // A store that writes the document after the event, and stopped in between.
    SessionStore inTurn = new RetryingStore(store);
    service = ClewSessionService.of(inTurn);
    append(create("s", Map.of("a", 0)), changing("e1", Map.of("a", 1, "b", 1)));
    String name = AdkNames.sessionState(APP, "s");
    String behind = store.documents().get("ann", name).orElseThrow().json();
    append(load("s"), changing("e2", Map.of("b", State.REMOVED, "c", 2)));
    store.documents().put("ann", name, behind);

    assertThat(load("s").state()).containsOnly(Map.entry("a", 1), Map.entry("c", 2));
    store.documents().delete("ann", name);
    assertThat(load("s").state()).containsOnly(Map.entry("a", 1), Map.entry("c", 2));
  }

  @Test
  void aCopyOfAnotherProcessIsKnownByItsLastEvent() {
    Session copy = create("s", Map.of());
    append(copy, said("e1", "i1", "user", "Hello"));
    Session fresh = Session.fromJson(copy.toJson());
    Session stale = Session.fromJson(copy.toJson());
    append(fresh, said("e2", "i2", "user", "Again"));

    assertThatThrownBy(() -> append(stale, said("e3", "i3", "user", "No")))
        .isInstanceOf(ClewException.VersionConflict.class);
    assertThat(ids(load("s"))).containsExactly("e1", "e2");
  }

  @Test
  void whatDoesNotExistIsEmpty() {
    Session gone = create("s", Map.of("a", 1));
    append(gone, changing("e1", Map.of("b", 1)));
    service.deleteSession(APP, "ann", "s").blockingAwait();

    assertThat(service.getSession(APP, "ann", "s", Optional.empty()).isEmpty().blockingGet())
        .isTrue();
    assertThatThrownBy(() -> append(gone, said("e2", "i", "user", "Hello")))
        .isInstanceOf(SessionNotFoundException.class)
        .hasMessageContainingAll("'s'", "createSession");
    assertThat(create("s", Map.of()).state()).isEmpty();
    assertThatThrownBy(() -> create("s", Map.of()))
        .isInstanceOf(ClewException.VersionConflict.class)
        .hasMessageContainingAll("exists already", "getSession");
  }

  @Test
  void anAppListsItsOwnSessions() {
    append(create("one", Map.of("a", 1)), changing("e", Map.of("b", 2)));
    create("two", Map.of("app:v", "1"));
    service.createSession("guide", "ann", Map.of(), "three").ignoreElement().blockingAwait();
    service.createSession(APP, "bob", Map.of(), "four").ignoreElement().blockingAwait();
    assertThat(service.createSession(APP, "cy", Map.of(), null).blockingGet().id()).isNotEmpty();

    List<Session> sessions = service.listSessions(APP, "ann").blockingGet().sessions();
    assertThat(sessions).extracting(Session::id).containsExactlyInAnyOrder("one", "two");
    assertThat(sessions).allMatch(session -> session.events().isEmpty());
    Session one = sessions.stream().filter(s -> s.id().equals("one")).findFirst().orElseThrow();
    assertThat(one.state())
        .containsOnly(Map.entry("a", 1), Map.entry("b", 2), Map.entry("app:v", "1"));
  }

  @Test
  void aSessionIsLoadedFromTheBeginningOfATurn() {
    Session copy = create("s", Map.of());
    for (int turn = 0; turn < 100; turn++) {
      append(copy, said("u" + turn, "i", "user", "?").toBuilder().timestamp(turn + 1).build());
      append(copy, said("a" + turn, "i", "guide", "1").toBuilder().timestamp(turn + 1).build());
      append(copy, said("b" + turn, "i", "guide", "2").toBuilder().timestamp(turn + 1).build());
    }
    ClewSessionService cut = ClewSessionService.builder(store).maxEvents(5).build();
    ClewSessionService one = ClewSessionService.builder(store).maxEvents(1).build();
    GetSessionConfig two = GetSessionConfig.builder().numRecentEvents(2).build();
    GetSessionConfig none = GetSessionConfig.builder().numRecentEvents(0).build();
    GetSessionConfig since =
        GetSessionConfig.builder().afterTimestamp(Instant.ofEpochMilli(99)).build();

    assertThat(ids(cut.getSession(APP, "ann", "s", Optional.empty()).blockingGet()))
        .containsExactly("u99", "a99", "b99");
    assertThat(ids(one.getSession(APP, "ann", "s", Optional.empty()).blockingGet()))
        .containsExactly("u99", "a99", "b99");
    assertThat(ids(service.getSession(APP, "ann", "s", Optional.of(two)).blockingGet()))
        .containsExactly("a99", "b99");
    assertThat(ids(service.getSession(APP, "ann", "s", Optional.of(none)).blockingGet())).isEmpty();
    assertThat(ids(service.getSession(APP, "ann", "s", Optional.of(since)).blockingGet()))
        .containsExactly("u98", "a98", "b98", "u99", "a99", "b99");
    assertThat(service.listEvents(APP, "ann", "s").blockingGet().events()).hasSize(300);
    // What is loaded in part is not stale.
    Session part = cut.getSession(APP, "ann", "s", Optional.empty()).blockingGet();
    cut.appendEvent(part, said("u100", "j", "user", "?")).ignoreElement().blockingAwait();
    assertThat(load("s").events()).hasSize(301);
  }

  @Test
  void aStoreThatIsAwaySaysSo_andTheEventIsWrittenOnceAfterwards() {
    create("s", Map.of());
    FaultyStore faulty = new FaultyStore(store);
    service = ClewSessionService.of(faulty);
    Session copy = load("s");
    Event event = changing("e", Map.of("k", 1));
    faulty.failBefore(FaultyStore.every("apply"));
    assertThatThrownBy(() -> append(copy, event))
        .isInstanceOf(ClewException.StoreUnavailable.class);
    faulty.heal();
    assertThat(load("s").events()).isEmpty();
    assertThat(load("s").state()).isEmpty();
    assertThat(copy.events()).isEmpty();

    faulty.failAfter(FaultyStore.nth("apply", faulty.calls("apply") + 1));
    assertThatThrownBy(() -> append(copy, event)).isInstanceOf(ClewException.OutcomeUnknown.class);
    append(copy, event);
    assertThat(ids(load("s"))).containsExactly("e");
    assertThat(load("s").state()).containsEntry("k", 1);
    assertThat(ids(copy)).containsExactly("e");
  }

  @Test
  void memoriesAreFoundInTheSessionsOfTheApp() {
    append(create("s", Map.of()), said("e", "i", "user", "We stayed in Kyoto, 京都, in spring"));
    Session other = service.createSession("other", "ann", Map.of(), "s").blockingGet();
    append(other, said("e", "i", "user", "Kyoto is for another app"));
    String call =
        "{'id':'c','invocationId':'i','author':'guide','content':{'parts':[{'functionCall':"
            + "{'id':'1','name':'loadMemory','args':{'query':'kyoto spring 京都'}}}]}}";
    append(load("s"), Event.fromJson(call.replace('\'', '"')));
    ClewMemoryService memory = ClewMemoryService.of(store);
    memory.addSessionToMemory(load("s")).blockingAwait();

    for (String query : List.of("Kyoto", "京都", "kyoto spring", "Where was I, in Kyoto?")) {
      List<MemoryEntry> found = memory.searchMemory(APP, "ann", query).blockingGet().memories();
      assertThat(found).as(query).hasSize(1);
      assertThat(found.get(0).author()).isEqualTo("user");
      assertThat(found.get(0).content().text()).isEqualTo("We stayed in Kyoto, 京都, in spring");
      assertThat(found.get(0).timestamp()).isNotEmpty();
    }
    assertThat(memory.searchMemory(APP, "bob", "Kyoto").blockingGet().memories()).isEmpty();
    assertThat(memory.searchMemory(APP, "ann", "?").blockingGet().memories()).isEmpty();
  }
}
