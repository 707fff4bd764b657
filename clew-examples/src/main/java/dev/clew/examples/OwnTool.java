package dev.clew.examples;

import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.View;
import dev.clew.agent.Agent;
import dev.clew.agent.Model;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.Runner;
import dev.clew.agent.Tool;

/**
 * An agent with a tool of your own. The record becomes the schema that the model sees; what the
 * method returns is what the model is told; call and output are part of the stored history.
 */
public final class OwnTool {
  record City(String name) {}

  private OwnTool() {}

  static String weather(City city) {
    return "18 degrees and sunny in " + city.name();
  }

  static Agent agent() {
    Tool weather =
        Tool.of("get_weather", "The weather in a city now", City.class, OwnTool::weather);
    return Agent.builder()
        .name("Weather")
        .instructions("Answer in one sentence. Use the tool; never guess.")
        .tools(weather)
        .build();
  }

  /** Stands in for a real model: calls the tool once, then says what it was told. */
  static ModelResponse scripted(ModelRequest request) {
    Item last = request.input().get(request.input().size() - 1);
    return last.view() instanceof View.FunctionCallOutput output
        ? ModelResponse.of(Item.assistant("It is " + output.text() + "."))
        : ModelResponse.of(Item.functionCall("call_1", "get_weather", "{\"name\":\"Oslo\"}"));
  }

  /** Runs the example. */
  public static void main(String[] args) {
    Model model = OwnTool::scripted; // OpenAiModels.fromEnvironment() is a real one
    try (SessionStore store = Stores.open("memory:")) {
      StoredSession session = store.session("user_123");
      String question = "What is the weather in Oslo?";
      System.out.println(Runner.with(model).run(agent(), question, session).finalOutput());
      session.getItems().forEach(item -> System.out.println("stored: " + item));
    }
  }
}
