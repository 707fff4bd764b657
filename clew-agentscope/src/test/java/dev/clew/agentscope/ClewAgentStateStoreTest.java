package dev.clew.agentscope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.tck.FaultyStore;
import io.agentscope.core.message.ContentBlock;
import io.agentscope.core.message.Msg;
import io.agentscope.core.message.MsgRole;
import io.agentscope.core.message.TextBlock;
import io.agentscope.core.message.ToolCallState;
import io.agentscope.core.message.ToolResultBlock;
import io.agentscope.core.message.ToolUseBlock;
import io.agentscope.core.permission.PermissionContextState;
import io.agentscope.core.permission.PermissionMode;
import io.agentscope.core.state.AgentState;
import io.agentscope.core.state.legacy.ToolkitState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is kept of states, and where. */
class ClewAgentStateStoreTest {
  private static final String KEY = "agent_state";
  private static final SessionKey TRIP = new SessionKey("ann", "trip");

  private final SessionStore store = Stores.open("memory:");
  private final ClewAgentStateStore states = ClewAgentStateStore.of(store);

  @AfterEach
  void close() {
    store.close();
  }

  private static Msg message(MsgRole role, String text) {
    return Msg.builderForRole(role)
        .name("ann")
        .content(List.of(TextBlock.builder().text(text).build()))
        .build();
  }

  private AgentState load() {
    return states.get("ann", "trip", KEY, AgentState.class).orElseThrow();
  }

  private void save(AgentState state) {
    states.save("ann", "trip", KEY, state);
  }

  private static AgentState state(String... texts) {
    AgentState state = AgentState.builder().sessionId("trip").userId("ann").build();
    for (String text : texts) {
      state.contextMutable().add(message(MsgRole.USER, text));
    }
    return state;
  }

  private static List<String> texts(AgentState state) {
    return state.getContext().stream().map(Msg::getTextContent).toList();
  }

  @Test
  void everythingOfAStateIsKept() {
    AgentState state = state("hello");
    state.setSummary("so far");
    state.setCurIter(7);
    state.setShutdownInterrupted(true);
    state.setPermissionContext(
        PermissionContextState.builder().build().withMode(PermissionMode.BYPASS));
    state.getToolContext().setActivatedGroups(List.of("maps"));
    save(state);
    assertThat(load().toJson()).isEqualTo(state.toJson());
    assertThat(store.session(TRIP).getItems()).hasSize(1);
  }

  @Test
  void aSessionOfAnotherProgramIsAState() {
    store.session(TRIP).addItems(List.of(Item.user("hello"), Item.assistant("hi")));
    AgentState state = load();
    assertThat(state.getSessionId()).isEqualTo("trip");
    assertThat(state.getUserId()).isEqualTo("ann");
    assertThat(texts(state)).containsExactly("hello", "hi");
    state.contextMutable().add(message(MsgRole.USER, "bye"));
    save(state);
    assertThat(store.session(TRIP).getItems()).hasSize(3);
  }

  @Test
  void aCallThatChangesItsStateIsChangedInItsPlace() {
    ToolUseBlock call = ToolUseBlock.builder().id("c").name("buy").input(Map.of("n", 1)).build();
    AgentState state = state("hello");
    Msg asking =
        Msg.builderForRole(MsgRole.ASSISTANT)
            .content(List.of(call.withState(ToolCallState.ASKING)))
            .build();
    state.contextMutable().add(asking);
    save(state);

    AgentState loaded = load();
    Msg allowed =
        loaded.getContext().get(1).withContent(List.of(call.withState(ToolCallState.ALLOWED)));
    loaded.contextMutable().set(1, allowed);
    Msg result =
        Msg.builderForRole(MsgRole.TOOL)
            .content(
                List.of(
                    ToolResultBlock.builder()
                        .id("c")
                        .name("buy")
                        .output(TextBlock.builder().text("done").build())
                        .build()))
            .build();
    loaded.contextMutable().add(result);
    save(loaded);

    assertThat(load().toJson()).isEqualTo(loaded.toJson());
    assertThat(store.session(TRIP).entries(Range.latest(99).withCompacted()).entries())
        .extracting(entry -> entry.item().type())
        .containsExactly("message", "function_call", "function_call_output");
  }

  @Test
  void anEditThatNeedsOtherItemsIsKeptToo() {
    save(state("hello"));
    AgentState loaded = load();
    Msg hello = loaded.getContext().get(0);
    loaded
        .contextMutable()
        .set(
            0,
            Msg.builder().id(hello.getId()).role(MsgRole.ASSISTANT).content(longAnswer()).build());
    save(loaded);
    assertThat(load().toJson()).isEqualTo(loaded.toJson());
    loaded = load();
    loaded.contextMutable().set(0, loaded.getContext().get(0).withContent(List.of()));
    save(loaded);
    assertThat(load().toJson()).isEqualTo(loaded.toJson());
  }

  private static List<ContentBlock> longAnswer() {
    return List.of(
        TextBlock.builder().text("hi").build(),
        ToolUseBlock.builder().id("c").name("buy").input(Map.of()).build());
  }

  @Test
  void aStateThatForgetsLeavesTheHistory() {
    save(state("one", "two", "three"));
    AgentState loaded = load();
    loaded.contextMutable().subList(0, 2).clear();
    loaded.setSummary("one, two");
    save(loaded);
    assertThat(texts(load())).containsExactly("three");
    assertThat(load().getSummary()).isEqualTo("one, two");
    assertThat(store.session(TRIP).getItems()).hasSize(3);
    states.delete("ann", "trip", KEY);
    assertThat(states.get("ann", "trip", KEY, AgentState.class)).isEmpty();
    assertThat(store.session(TRIP).getItems()).hasSize(3);
  }

  @Test
  void aStateWithoutMessagesReplacesTheRestOnly() {
    save(state("hello"));
    AgentState fresh = state();
    fresh.setSummary("new");
    save(fresh);
    assertThat(load().getSummary()).isEqualTo("new");
    assertThat(texts(load())).containsExactly("hello");
  }

  @Test
  void otherStatesAreDocuments() {
    states.save(null, "trip", "toolkit_activeGroups", new ToolkitState(List.of("maps")));
    states.save(
        null, "trip", "list", List.of(message(MsgRole.USER, "a"), message(MsgRole.USER, "b")));
    assertThat(states.get(null, "trip", "toolkit_activeGroups", ToolkitState.class))
        .contains(new ToolkitState(List.of("maps")));
    assertThat(states.getList(null, "trip", "list", Msg.class))
        .extracting(Msg::getTextContent)
        .containsExactly("a", "b");
    assertThat(states.exists(null, "trip")).isTrue();
    states.delete(null, "trip", "list");
    assertThat(states.getList(null, "trip", "list", Msg.class)).isEmpty();
    states.delete(null, "trip");
    assertThat(states.exists(null, "trip")).isFalse();
    assertThat(states.get(null, "trip", "toolkit_activeGroups", ToolkitState.class)).isEmpty();
  }

  @Test
  void aMemoryIsItemsToo() {
    Msg one = message(MsgRole.USER, "one");
    Msg two = message(MsgRole.ASSISTANT, "two");
    states.save("ann", "trip", "memory_messages", List.of(one));
    states.save("ann", "trip", "memory_messages", List.of(one, two));
    assertThat(store.session(TRIP).getItems()).hasSize(2);
    assertThat(states.getList("ann", "trip", "memory_messages", Msg.class)).hasSize(2);
    assertThat(texts(load())).containsExactly("one", "two");
    states.save("ann", "trip", "memory_messages", List.of());
    assertThat(states.getList("ann", "trip", "memory_messages", Msg.class)).isEmpty();
    assertThat(store.session(TRIP).getItems()).hasSize(2);
  }

  @Test
  void aLaterSessionWithTheIdHasNothingOfTheFirst() {
    AgentState state = state("hello");
    state.setSummary("secret");
    save(state);
    store.session(TRIP).delete(); // not by AgentScope: the document stays
    assertThat(states.exists("ann", "trip")).isFalse();
    assertThat(states.get("ann", "trip", KEY, AgentState.class)).isEmpty();
  }

  @Test
  void usersHaveSessionsOfTheirOwn() {
    states.save("ann", "a/b", KEY, state("hello"));
    states.save(null, "trip", KEY, state("anonymous"));
    states.save(" ", "other", KEY, state("blank"));
    assertThat(states.listSessionIds("ann")).containsExactly("a/b");
    assertThat(states.listSessionIds(null)).containsExactlyInAnyOrder("trip", "other");
    ClewAgentStateStore named = ClewAgentStateStore.builder(store).anonymous("guests").build();
    assertThat(named.listSessionIds(null)).isEmpty();
    assertThatThrownBy(() -> states.save("ann", "", KEY, state("hello")))
        .hasMessageContaining("session id");
  }

  @Test
  void aWindowLoadsTheNewestTurns() {
    ClewAgentStateStore windowed = ClewAgentStateStore.builder(store).turns(2).build();
    for (int i = 1; i <= 5; i++) {
      AgentState state =
          windowed.get("ann", "trip", KEY, AgentState.class).orElseGet(() -> state());
      state.contextMutable().add(message(MsgRole.USER, "q" + i));
      state.contextMutable().add(message(MsgRole.ASSISTANT, "a" + i));
      windowed.save("ann", "trip", KEY, state);
    }
    assertThat(texts(windowed.get("ann", "trip", KEY, AgentState.class).orElseThrow()))
        .containsExactly("q4", "a4", "q5", "a5");
    assertThat(store.session(TRIP).getItems()).hasSize(10);
  }

  @Test
  void aStoreThatIsAwaySaysSoAndWritesNothing() {
    FaultyStore faulty = new FaultyStore(store);
    ClewAgentStateStore failing = ClewAgentStateStore.of(faulty);
    failing.save("ann", "trip", KEY, state("hello"));
    AgentState loaded = failing.get("ann", "trip", KEY, AgentState.class).orElseThrow();
    loaded.contextMutable().add(message(MsgRole.USER, "again"));
    faulty.failBefore(FaultyStore.every("apply"));
    assertThatThrownBy(() -> failing.save("ann", "trip", KEY, loaded))
        .isInstanceOf(ClewException.StoreUnavailable.class);
    faulty.heal();
    assertThat(texts(load())).containsExactly("hello");
    failing.save("ann", "trip", KEY, loaded);
    assertThat(texts(load())).containsExactly("hello", "again");
  }

  @Test
  void aLoadThatFailsBesideOneThatSucceedsReplacesNothing() {
    AgentState first = state("hello");
    first.setSummary("so far");
    save(first);
    FaultyStore faulty = new FaultyStore(store);
    ClewAgentStateStore failing = ClewAgentStateStore.of(faulty);
    faulty.failBefore(FaultyStore.nth("info", 1));
    assertThatThrownBy(() -> failing.get("ann", "trip", KEY, AgentState.class))
        .isInstanceOf(ClewException.StoreUnavailable.class);
    assertThat(failing.get("ann", "trip", KEY, AgentState.class)).isPresent();

    AgentState fresh = state("are you there?");
    failing.save("ann", "trip", KEY, fresh);
    fresh.contextMutable().add(message(MsgRole.ASSISTANT, "yes"));
    failing.save("ann", "trip", KEY, fresh);
    assertThat(load().getSummary()).isEqualTo("so far");
    assertThat(texts(load())).containsExactly("hello", "are you there?", "yes");
  }
}
