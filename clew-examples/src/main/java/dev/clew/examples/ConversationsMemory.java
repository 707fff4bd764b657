package dev.clew.examples;

import dev.clew.Session;
import dev.clew.agent.Agent;
import dev.clew.agent.Model;
import dev.clew.agent.Runner;
import dev.clew.openai.OpenAiConversationsSession;
import dev.clew.openai.OpenAiModels;
import java.util.List;

/**
 * The history can live at OpenAI, in the Conversations API. It is a session like any other; its id
 * is all that another device or process needs to go on. Needs OPENAI_API_KEY, or OPENAI_BASE_URL of
 * another server.
 */
public final class ConversationsMemory {
  private ConversationsMemory() {}

  static List<String> talk(Model model, Session session) {
    Agent agent =
        Agent.builder().name("TourGuide").instructions("Answer with compact travel facts.").build();
    Runner runner = Runner.with(model);
    return List.of(
        runner.run(agent, "What city is the Golden Gate Bridge in?", session).finalOutput(),
        runner.run(agent, "What state is it in?", session).finalOutput());
  }

  /** Runs the example. */
  public static void main(String[] args) {
    // The conversation is made with the first item, or beforehand by startConversation().
    Session session = OpenAiConversationsSession.fromEnvironment();
    talk(OpenAiModels.fromEnvironment(), session).forEach(System.out::println);

    Session elsewhere = OpenAiModels.builder().conversation(session.id());
    System.out.println(elsewhere.id() + " has " + elsewhere.getItems().size() + " items.");
    elsewhere.clearSession(); // deletes the conversation
  }
}
