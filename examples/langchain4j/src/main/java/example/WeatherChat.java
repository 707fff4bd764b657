package example;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.langchain4j.ClewChatMemoryProvider;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.UserMessage;

/** Asks a model with a tool, and remembers the conversation the next time. */
public class WeatherChat {
  interface Assistant {
    String chat(@MemoryId String conversation, @UserMessage String text);
  }

  /** What the model may call. */
  static class Weather {
    @Tool("The weather in a city")
    String weather(@P(name = "city", value = "The city") String city) {
      return "It rains in " + city + ".";
    }
  }

  public static void main(String[] words) {
    try (SessionStore store = Stores.open("sqlite:chat.db")) {
      Assistant assistant =
          AiServices.builder(Assistant.class)
              .chatModel(new OfflineModel())
              .tools(new Weather())
              .chatMemoryProvider(ClewChatMemoryProvider.of(store))
              .build();
      System.out.println(assistant.chat("trip", String.join(" ", words)));
    }
  }
}
