package dev.clew.agent;

import dev.clew.Item;
import dev.clew.Session;
import dev.clew.View;
import java.util.List;

/** What the rules of runs are tested with. New for each test. */
interface RunFixture {
  /** What tools in tests are given. */
  record City(String name) {}

  /** A session without items, of the kind that is tested. */
  Session session();

  /** The model, which answers what the test says. */
  Script model();

  /** Asks that model. */
  default Runner runner() {
    return Runner.with(model());
  }

  /** An agent that knows the weather, to be given more. */
  default Agent.Builder newGuide() {
    return Agent.builder()
        .name("Guide")
        .instructions("Be brief.")
        .tools(
            Tool.of(
                "get_weather", "The weather in a city", City.class, c -> "sunny in " + c.name()));
  }

  /** That agent. */
  default Agent guide() {
    return newGuide().build();
  }

  default RunConfig config() {
    return RunConfig.DEFAULT.session(session());
  }

  default RunResult run(RunConfig config, String text) {
    return runner().run(guide(), RunInput.text(text), config);
  }

  static String text(Item item) {
    View view = item.view();
    return view instanceof View.Message message
        ? message.text()
        : view instanceof View.FunctionCallOutput output ? output.text() : item.json();
  }

  static List<String> texts(List<Item> items) {
    return items.stream().map(RunFixture::text).toList();
  }
}
