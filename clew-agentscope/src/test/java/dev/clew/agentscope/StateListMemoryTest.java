package dev.clew.agentscope;

import dev.clew.SessionStore;
import dev.clew.testservers.StoresListMemoryContract;
import io.agentscope.core.message.Msg;
import io.agentscope.core.message.MsgRole;
import io.agentscope.core.message.TextBlock;
import io.agentscope.core.state.AgentState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The contract of list memories, of the context of agents. */
class StateListMemoryTest extends StoresListMemoryContract<Msg> {
  private static final String KEY = "agent_state";

  @Override
  protected ListMemory<Msg> memory(SessionStore store) {
    ClewAgentStateStore states = ClewAgentStateStore.of(store);
    ThreadLocal<Map<String, AgentState>> loaded = ThreadLocal.withInitial(HashMap::new);
    return new ListMemory<>(
        id -> load(states, id, loaded.get()).getContext(),
        (id, messages) -> {
          if (messages.isEmpty() && !loaded.get().containsKey(id)) {
            load(states, id, loaded.get()); // an agent forgets only what it knows
          }
          AgentState state = loaded.get().remove(id);
          if (state == null) {
            state = AgentState.builder().sessionId(id).build();
          }
          state.contextMutable().clear();
          state.contextMutable().addAll(messages);
          states.save(null, id, KEY, state);
        },
        id -> states.delete(null, id));
  }

  private static AgentState load(
      ClewAgentStateStore states, String id, Map<String, AgentState> loaded) {
    AgentState state =
        states
            .get(null, id, KEY, AgentState.class)
            .orElseGet(() -> AgentState.builder().sessionId(id).build());
    loaded.put(id, state);
    return state;
  }

  /** Equal messages have equal ids. */
  private static Msg message(MsgRole role, String text) {
    return Msg.builderForRole(role)
        .id(role + " " + text)
        .name("ann")
        .content(List.of(TextBlock.builder().text(text).build()))
        .timestamp("2026-01-01 00:00:00.000")
        .build();
  }

  @Override
  protected Msg user(String text) {
    return message(MsgRole.USER, text);
  }

  @Override
  protected Msg assistant(String text) {
    return message(MsgRole.ASSISTANT, text);
  }

  @Override
  protected Msg system(String text) {
    return message(MsgRole.SYSTEM, text);
  }

  @Override
  protected String text(Msg message) {
    return message.getTextContent();
  }
}
