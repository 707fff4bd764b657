package dev.clew.springai;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.tck.ListMemoryContract;
import dev.clew.testservers.StoreKind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.UserMessage;

/** The contract of list memories, of the repository. */
@ParameterizedClass
@EnumSource(StoreKind.class)
class SpringListMemoryTest extends ListMemoryContract<Message> {
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
  protected ListMemory<Message> memory(SessionStore store) {
    ClewChatMemoryRepository repository = ClewChatMemoryRepository.of(store);
    return new ListMemory<>() {
      @Override
      public List<Message> read(String id) {
        return repository.findByConversationId(id);
      }

      @Override
      public void save(String id, List<Message> messages) {
        repository.saveAll(id, messages);
      }

      @Override
      public void delete(String id) {
        repository.deleteByConversationId(id);
      }
    };
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
