package dev.clew.springai;

import dev.clew.SessionStore;
import dev.clew.testservers.StoresListMemoryContract;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.UserMessage;

/** The contract of list memories, of the repository. */
class SpringListMemoryTest extends StoresListMemoryContract<Message> {
  @Override
  protected ListMemory<Message> memory(SessionStore store) {
    ClewChatMemoryRepository repository = ClewChatMemoryRepository.of(store);
    return new ListMemory<>(
        repository::findByConversationId, repository::saveAll, repository::deleteByConversationId);
  }

  @Override
  protected Message user(String text) {
    return new UserMessage(text);
  }

  @Override
  protected Message assistant(String text) {
    return new AssistantMessage(text);
  }

  @Override
  protected Message system(String text) {
    return new SystemMessage(text);
  }

  @Override
  protected String text(Message message) {
    return message.getText();
  }
}
