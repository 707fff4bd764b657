package example;

import com.google.adk.agents.LlmAgent;
import com.google.adk.agents.RunConfig;
import com.google.adk.artifacts.InMemoryArtifactService;
import com.google.adk.runner.Runner;
import com.google.adk.tools.Annotations.Schema;
import com.google.adk.tools.FunctionTool;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.adk.ClewSessionService;
import java.util.Map;

/** Asks a model with a tool, and remembers the conversation the next time. */
public class WeatherChat {
  /** What the model may call. */
  public static Map<String, Object> weather(@Schema(name = "city") String city) {
    return Map.of("weather", "It rains in " + city + ".");
  }

  public static void main(String[] words) {
    LlmAgent agent =
        LlmAgent.builder()
            .name("guide")
            .model(new OfflineModel())
            .tools(FunctionTool.create(WeatherChat.class, "weather"))
            .build();
    try (SessionStore store = Stores.open("sqlite:chat.db")) {
      Runner runner =
          Runner.builder()
              .agent(agent)
              .appName("guide")
              .sessionService(ClewSessionService.of(store))
              .artifactService(new InMemoryArtifactService())
              .build();
      Content question = Content.fromParts(Part.fromText(String.join(" ", words)));
      RunConfig config = RunConfig.builder().autoCreateSession(true).build();
      runner
          .runAsync("ann", "trip", question, config)
          .filter(event -> event.finalResponse())
          .blockingForEach(event -> System.out.println(event.stringifyContent()));
    }
  }
}
