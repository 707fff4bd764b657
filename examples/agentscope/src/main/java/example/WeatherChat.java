package example;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.agentscope.ClewAgentStateStore;
import io.agentscope.core.ReActAgent;
import io.agentscope.core.agent.RuntimeContext;
import io.agentscope.core.message.Msg;
import io.agentscope.core.tool.Tool;
import io.agentscope.core.tool.ToolParam;
import io.agentscope.core.tool.Toolkit;

/** Asks a model with a tool, and remembers the conversation the next time. */
public class WeatherChat {
  /** What the model may call. */
  public static class Weather {
    @Tool(name = "weather", description = "The weather in a city", readOnly = true)
    public String weather(@ToolParam(name = "city", description = "The city") String city) {
      return "It rains in " + city + ".";
    }
  }

  public static void main(String[] words) {
    Toolkit tools = new Toolkit();
    tools.registerTool(new Weather());
    try (SessionStore store = Stores.open("sqlite:chat.db")) {
      ReActAgent agent =
          ReActAgent.builder()
              .name("guide")
              .model(new OfflineModel())
              .toolkit(tools)
              .stateStore(ClewAgentStateStore.of(store))
              .build();
      RuntimeContext trip = RuntimeContext.builder().sessionId("trip").build();
      Msg answer = agent.call(String.join(" ", words), trip).block();
      System.out.println(answer.getTextContent());
    }
  }
}
