package dev.clew.springai;

import dev.clew.adapter.Turn;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.core.Ordered;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Holds a turn of the memory around each call, however it ends. Thread-safe. */
final class OneTurnAtATime implements CallAdvisor, StreamAdvisor {
  /** Before every advisor that reads a memory. */
  private static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

  private final ClewChatMemory memory;

  OneTurnAtATime(ClewChatMemory memory) {
    this.memory = memory;
  }

  @Override
  public String getName() {
    return "ClewOneTurnAtATime";
  }

  @Override
  public int getOrder() {
    return ORDER;
  }

  @Override
  public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
    Turn turn = begin(request);
    try {
      return chain.nextCall(request);
    } finally {
      turn.close();
    }
  }

  @Override
  public Flux<ChatClientResponse> adviseStream(
      ChatClientRequest request, StreamAdvisorChain chain) {
    return Flux.using(() -> begin(request), turn -> chain.nextStream(request), Turn::close)
        .subscribeOn(Schedulers.boundedElastic()); // it may have to wait
  }

  private Turn begin(ChatClientRequest request) {
    Object id = request.context().get(ChatMemory.CONVERSATION_ID);
    if (id == null) {
      throw new IllegalArgumentException(
          "a call lacks the parameter ChatMemory.CONVERSATION_ID of its advisors, which names the"
              + " conversation");
    }
    return memory.turn(id.toString());
  }
}
