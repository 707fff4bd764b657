package dev.clew.langchain4j;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.tck.ListMemoryContract;
import dev.clew.testservers.StoreKind;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.UserMessage;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of list memories, of the store. */
@ParameterizedClass
@EnumSource(StoreKind.class)
class StoreListMemoryTest extends ListMemoryContract<ChatMessage> {
  @Parameter StoreKind kind;
  @TempDir Path folder;
  private String url;

  @Override
  protected SessionStore open() {
    if (url == null) {
      url = kind.url(folder);
    }
    return Stores.open(url);
  }

  @Override
  protected ListMemory<ChatMessage> memory(SessionStore store) {
    ClewChatMemoryStore memories = ClewChatMemoryStore.of(store);
    return new ListMemory<>() {
      @Override
      public List<ChatMessage> read(String id) {
        return memories.getMessages(id);
      }

      @Override
      public void save(String id, List<ChatMessage> messages) {
        memories.updateMessages(id, messages);
      }

      @Override
      public void delete(String id) {
        memories.deleteMessages(id);
      }
    };
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
