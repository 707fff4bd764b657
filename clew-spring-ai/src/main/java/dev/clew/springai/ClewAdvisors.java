package dev.clew.springai;

import java.util.ArrayList;
import java.util.List;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.memory.ChatMemory;

/** Advisors for {@code ChatClient}. Stateless. */
public final class ClewAdvisors {
  private ClewAdvisors() {}

  /**
   * Lets each call wait until the one before it in its conversation has ended, with an answer or
   * not: before any other advisor reads the memory, so that the prompt has that answer.
   *
   * <pre>{@code
   * ClewChatMemory memory = ClewChatMemory.builder(store).turnLease(Duration.ofSeconds(60)).build();
   * ChatClient.builder(model).defaultAdvisors(
   *     ClewAdvisors.oneTurnAtATime(memory),
   *     MessageChatMemoryAdvisor.builder(memory).build()).build();
   * }</pre>
   *
   * @throws IllegalArgumentException if the memory has no {@link ClewChatMemory.Builder#turnLease}
   */
  public static Advisor oneTurnAtATime(ClewChatMemory memory) {
    if (!memory.hasTurnLease()) {
      throw new IllegalArgumentException(
          "the memory has no turnLease, which says how long a turn waits at most");
    }
    return new OneTurnAtATime(memory);
  }

  /**
   * The advisors that keep the calls of tools and their results in the memory, not only the
   * question and the answer. Calls of a turn that failed stay in the session, and with a {@link
   * ClewChatMemory} no later turn shows them to the model. If that has a turn lease, {@link
   * #oneTurnAtATime} is among them. Needs Spring AI 2.0.
   *
   * <pre>{@code
   * ChatClient.builder(model).defaultAdvisors(ClewAdvisors.insideToolLoop(memory)).build();
   * }</pre>
   */
  public static List<Advisor> insideToolLoop(ChatMemory memory) {
    List<Advisor> advisors = new ArrayList<>();
    if (memory instanceof ClewChatMemory clew && clew.hasTurnLease()) {
      advisors.add(oneTurnAtATime(clew));
    }
    advisors.add(ToolCallingAdvisor.builder().disableInternalConversationHistory().build());
    advisors.add(new ToolLoopMemory(memory, ToolCallingAdvisor.DEFAULT_ORDER + 100));
    return List.copyOf(advisors);
  }
}
