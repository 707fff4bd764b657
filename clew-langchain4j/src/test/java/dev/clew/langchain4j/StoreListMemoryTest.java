package dev.clew.langchain4j;

import dev.clew.SessionStore;
import dev.clew.testservers.StoresListMemoryContract;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.UserMessage;

/** The contract of list memories, of the store. */
class StoreListMemoryTest extends StoresListMemoryContract<ChatMessage> {
  @Override
  protected ListMemory<ChatMessage> memory(SessionStore store) {
    ClewChatMemoryStore memories = ClewChatMemoryStore.of(store);
    return new ListMemory<>(
        memories::getMessages, memories::updateMessages, memories::deleteMessages);
  }

  @Override
  protected ChatMessage user(String text) {
    return new UserMessage(text);
  }

  @Override
  protected ChatMessage assistant(String text) {
    return new AiMessage(text);
  }

  @Override
  protected ChatMessage system(String text) {
    return new SystemMessage(text);
  }

  @Override
  protected String text(ChatMessage message) {
    if (message instanceof UserMessage user) {
      return user.singleText();
    }
    return message instanceof AiMessage answer ? answer.text() : ((SystemMessage) message).text();
  }
}
