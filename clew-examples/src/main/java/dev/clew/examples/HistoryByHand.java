package dev.clew.examples;

import dev.clew.Item;
import dev.clew.agent.Agent;
import dev.clew.agent.RunConfig;
import dev.clew.agent.RunInput;
import dev.clew.agent.RunResult;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;
import java.util.ArrayList;
import java.util.List;

/**
 * Without a session you carry the history yourself: what a run was given and what it added is the
 * start of the input of the next. This is what a session does for you, and it survives nothing.
 */
public final class HistoryByHand {
  private HistoryByHand() {}

  static RunResult next(List<Item> history, String text) {
    Agent agent = Agent.builder().name("Assistant").instructions("Answer briefly.").build();
    List<Item> input = new ArrayList<>(history);
    input.add(Item.user(text));
    return Runner.with(new OfflineModel()).run(agent, RunInput.items(input), RunConfig.DEFAULT);
  }

  /** Runs the example. */
  public static void main(String[] args) {
    RunResult first = next(List.of(), "My name is Ada.");
    RunResult second = next(first.toInputList(), "What is my name?");
    System.out.println(second.finalOutput());
    System.out.println(second.toInputList().size() + " items to carry on");
  }
}
