package dev.clew.examples;

import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.agent.Agent;
import dev.clew.agent.Model;
import dev.clew.agent.RunConfig;
import dev.clew.agent.RunInput;
import dev.clew.agent.RunResult;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;
import java.util.List;
import java.util.stream.Stream;

/**
 * A callback decides what the model is shown of the history: here the newest eight items and what
 * is new. The session itself keeps everything; only the new items are added to it.
 */
public final class TrimmedInput {
  private TrimmedInput() {}

  static List<Item> newestEight(List<Item> history, List<Item> newItems) {
    List<Item> recent = history.subList(Math.max(0, history.size() - 8), history.size());
    return Stream.concat(recent.stream(), newItems.stream()).toList();
  }

  static RunResult run(Model model, Session session) {
    Agent agent = Agent.builder().name("Planner").instructions("Track outstanding tasks.").build();
    return Runner.with(model)
        .run(
            agent,
            RunInput.items(List.of(Item.user("What is my name?"))),
            RunConfig.DEFAULT.session(session).sessionInputCallback(TrimmedInput::newestEight));
  }

  /** Runs the example. */
  public static void main(String[] args) {
    Session session = new MemorySession();
    session.addItems(List.of(Item.user("My name is Ada."), Item.assistant("Hello Ada.")));
    System.out.println(run(new OfflineModel(), session).finalOutput());
    for (int i = 1; i <= 4; i++) {
      session.addItems(List.of(Item.user("Thanks!"), Item.assistant("You are welcome.")));
    }
    System.out.println(run(new OfflineModel(), session).finalOutput()); // out of sight by now
    System.out.println("The session has " + session.getItems().size() + " items.");
  }
}
