package dev.clew.springai;

import java.util.ArrayList;
import java.util.List;
import org.springframework.ai.chat.client.ChatClientMessageAggregator;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.AdvisorChain;
import org.springframework.ai.chat.client.advisor.api.BaseChatMemoryAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Puts the memory before each call of the model inside the tool loop, and adds to it what is asked
 * and answered. Calls without a result are shown only while their turn goes on. Thread-safe.
 */
final class ToolLoopMemory implements BaseChatMemoryAdvisor {
  private final ChatMemory memory;
  private final int order;

  ToolLoopMemory(ChatMemory memory, int order) {
    this.memory = memory;
    this.order = order;
  }

  @Override
  public int getOrder() {
    return order;
  }

  @Override
  public ChatClientRequest before(ChatClientRequest request, AdvisorChain chain) {
    String id = getConversationId(request.context());
    Message asked = request.prompt().getLastUserOrToolResponseMessage();
    List<Message> messages = new ArrayList<>();
    List<Message> systems = new ArrayList<>();
    history(id, asked).forEach(one -> (one instanceof SystemMessage ? systems : messages).add(one));
    for (Message one : request.prompt().getInstructions()) {
      if (one instanceof SystemMessage) {
        systems.clear(); // the prompt's own counts
        systems.add(one);
      } else {
        messages.add(one);
      }
    }
    messages.addAll(0, systems);
    memory.add(id, asked);
    return request.mutate().prompt(request.prompt().mutate().messages(messages).build()).build();
  }

  private List<Message> history(String id, Message asked) {
    return memory instanceof ClewChatMemory clew && !(asked instanceof ToolResponseMessage)
        ? clew.getForNewTurn(id)
        : memory.get(id);
  }

  @Override
  public ChatClientResponse after(ChatClientResponse response, AdvisorChain chain) {
    ChatResponse answer = response.chatResponse();
    if (answer != null) {
      List<Message> said = new ArrayList<>();
      for (Generation one : answer.getResults()) {
        said.add(one.getOutput());
      }
      memory.add(getConversationId(response.context()), said);
    }
    return response;
  }

  @Override
  public Flux<ChatClientResponse> adviseStream(
      ChatClientRequest request, StreamAdvisorChain chain) {
    Flux<ChatClientResponse> answers =
        Mono.fromCallable(() -> before(request, chain))
            .subscribeOn(getScheduler())
            .flatMapMany(chain::nextStream);
    return new ChatClientMessageAggregator()
        .aggregateChatClientResponse(answers, whole -> after(whole, chain));
  }
}
