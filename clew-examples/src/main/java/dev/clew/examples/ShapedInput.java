package dev.clew.examples;

import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.View;
import dev.clew.agent.Agent;
import dev.clew.agent.Model;
import dev.clew.agent.RunConfig;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;
import java.util.ArrayList;
import java.util.List;

/** A callback that trims, filters and summarises what the model is shown, and stores nothing. */
public final class ShapedInput {
  private static final int MOST = 20;
  private static final int LONG = 10;
  private static final int SUMMARISED = 5;
  private static final List<String> SECRETS = List.of("password", "密码", "身份证", "银行卡");

  private ShapedInput() {}

  static List<Item> shape(List<Item> history, List<Item> newItems) {
    List<Item> shown =
        new ArrayList<>(history.subList(Math.max(0, history.size() - MOST), history.size()));
    shown.removeIf(item -> SECRETS.stream().anyMatch(text(item)::contains));
    if (shown.size() > LONG) {
      List<Item> oldest = shown.subList(0, SUMMARISED);
      Item summary = Item.system("[Summary of " + oldest.size() + " earlier items]");
      oldest.clear();
      shown.add(0, summary);
    }
    shown.addAll(newItems);
    return shown;
  }

  /** What it says, not its JSON, where Python writes the same words as escapes. */
  private static String text(Item item) {
    return item.view() instanceof View.Message message
        ? message.text()
        : item.view() instanceof View.FunctionCallOutput output ? output.text() : item.json();
  }

  static String ask(Model model, Session session, String question) {
    Agent agent = Agent.builder().name("Assistant").instructions("Answer briefly.").build();
    RunConfig config = RunConfig.DEFAULT.session(session).sessionInputCallback(ShapedInput::shape);
    return Runner.with(model).run(agent, question, config).finalOutput();
  }

  /** Runs the example. */
  public static void main(String[] args) {
    Session session = new MemorySession();
    session.addItems(List.of(Item.user("My password is 1234."), Item.user("My name is Ada.")));
    System.out.println(ask(new OfflineModel(), session, "What is my name?"));
    shape(session.getItems(), List.of()).forEach(item -> System.out.println("shown: " + item));
  }
}
