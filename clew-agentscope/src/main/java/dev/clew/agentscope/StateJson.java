package dev.clew.agentscope;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.clew.json.Json;
import io.agentscope.core.state.AgentState;
import io.agentscope.core.state.State;
import io.agentscope.core.util.JacksonJsonCodec;
import io.agentscope.core.util.JsonCodec;
import io.agentscope.core.util.JsonUtils;
import java.util.List;

/** States as AgentScope writes them. Stateless. */
final class StateJson {
  private static final ObjectMapper WITHOUT_CONTEXT =
      new JacksonJsonCodec()
          .getObjectMapper()
          .copy()
          .addMixIn(AgentState.class, WithoutContext.class);

  private StateJson() {}

  /** Leaves out the messages, of which there may be many. */
  @JsonIgnoreProperties("context")
  private interface WithoutContext {}

  /** An agent's state but for its messages. */
  static String withoutContext(AgentState state) {
    try {
      return WITHOUT_CONTEXT.writeValueAsString(state);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the state of an agent is not JSON: " + e.getMessage(), e);
    }
  }

  /**
   * As AgentScope writes it, but for an error in the log of each value that is no JSON.
   *
   * @throws RuntimeException if it is no JSON
   */
  static String write(Object value) {
    JsonCodec codec = JsonUtils.getJsonCodec();
    if (codec.getClass() != JacksonJsonCodec.class) {
      return codec.toJson(value); // the application's own
    }
    try {
      return ((JacksonJsonCodec) codec).getObjectMapper().writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
    }
  }

  static <T extends State> T read(String json, Class<T> type) {
    return JsonUtils.getJsonCodec().fromJson(json, type);
  }

  static <T extends State> List<T> readList(String json, Class<T> type) {
    return Json.elements(json).stream().map(one -> read(one, type)).toList();
  }
}
