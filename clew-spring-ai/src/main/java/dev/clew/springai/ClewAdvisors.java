package dev.clew.springai;

import java.util.List;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.memory.ChatMemory;

/** Advisors for {@code ChatClient}. Needs Spring AI 2.0. Stateless. */
public final class ClewAdvisors {
  private static final int INSIDE = ToolCallingAdvisor.DEFAULT_ORDER + 100;

  private ClewAdvisors() {}

  /**
   * The two advisors that keep the calls of tools and their results in the memory, not only the
   * question and the answer. Calls of a turn that failed stay in the session, and with a {@link
   * ClewChatMemory} no later turn shows them to the model.
   *
   * <pre>{@code
   * ChatClient.builder(model).defaultAdvisors(ClewAdvisors.insideToolLoop(memory)).build();
   * }</pre>
   */
  public static List<Advisor> insideToolLoop(ChatMemory memory) {
    return List.of(
        ToolCallingAdvisor.builder().disableInternalConversationHistory().build(),
        new ToolLoopMemory(memory, INSIDE));
  }
}
