package dev.clew.examples;

import dev.clew.agent.Agent;
import dev.clew.agent.Model;
import dev.clew.agent.RunConfig;
import dev.clew.agent.RunInput;
import dev.clew.agent.RunResult;
import dev.clew.agent.Runner;
import dev.clew.openai.OpenAiConversationsSession;
import dev.clew.openai.OpenAiModels;

/**
 * If OpenAI keeps the history, by a conversation or by the response before, no session is needed:
 * only what is new is sent. A run with both is refused, since one history has one owner. Needs
 * OPENAI_API_KEY, or OPENAI_BASE_URL of another server.
 */
public final class ServerManagedHistory {
  private static final Agent AGENT =
      Agent.builder().name("TourGuide").instructions("Answer with compact travel facts.").build();

  private ServerManagedHistory() {}

  static String byConversation(Model model, String conversationId, String text) {
    RunConfig config = RunConfig.DEFAULT.conversationId(conversationId);
    return Runner.with(model).run(AGENT, RunInput.text(text), config).finalOutput();
  }

  static String byResponse(Model model, String first, String second) {
    Runner runner = Runner.with(model);
    RunResult before = runner.run(AGENT, first);
    RunConfig config = RunConfig.DEFAULT.previousResponseId(before.lastResponseId().orElseThrow());
    return runner.run(AGENT, RunInput.text(second), config).finalOutput();
  }

  /** Runs the example. */
  public static void main(String[] args) {
    Model model = OpenAiModels.fromEnvironment();
    String conversation = OpenAiConversationsSession.startConversation();
    System.out.println(byConversation(model, conversation, "What city is the Louvre in?"));
    System.out.println(byResponse(model, "What city is the Prado in?", "In which country?"));
  }
}
