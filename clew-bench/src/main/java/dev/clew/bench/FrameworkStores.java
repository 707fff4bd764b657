package dev.clew.bench;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.memory.repository.jdbc.JdbcChatMemoryRepository;
import org.springframework.ai.chat.memory.repository.jdbc.SqliteChatMemoryRepositoryDialect;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * The chat memories of Spring AI and LangChain4j with a whole history, each over a store as its own
 * documentation has it, in a SQLite file with the settings of ours. Not thread-safe.
 */
final class FrameworkStores implements AutoCloseable {
  private static final String ID = "session";

  private final Connection springs;
  private final Connection langChains;
  private final ChatMemory spring;
  private final dev.langchain4j.memory.ChatMemory langChain;

  FrameworkStores(Path springFile, Path langChainFile, int history, String text) throws Exception {
    springs = Jdbc.connect(springFile);
    String schema = "/org/springframework/ai/chat/memory/repository/jdbc/schema-sqlite.sql";
    try (var in = JdbcChatMemoryRepository.class.getResourceAsStream(schema)) {
      String sql = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String statement : sql.split(";", -1)) {
        if (!statement.isBlank()) {
          Jdbc.run(springs, statement);
        }
      }
    }
    JdbcChatMemoryRepository repository =
        JdbcChatMemoryRepository.builder()
            .dataSource(new SingleConnectionDataSource(springs, true))
            .dialect(new SqliteChatMemoryRepositoryDialect())
            .build();
    repository.saveAll(ID, Collections.nCopies(history, (Message) new UserMessage(text)));
    spring =
        MessageWindowChatMemory.builder()
            .chatMemoryRepository(repository)
            .maxMessages(Integer.MAX_VALUE)
            .build();

    langChains = Jdbc.connect(langChainFile);
    Jdbc.run(langChains, "CREATE TABLE memories (id TEXT PRIMARY KEY, messages TEXT NOT NULL)");
    ChatMemoryStore texts = new JsonTexts(langChains);
    ChatMessage message = dev.langchain4j.data.message.UserMessage.from(text);
    texts.updateMessages(ID, Collections.nCopies(history, message));
    langChain =
        dev.langchain4j.memory.chat.MessageWindowChatMemory.builder()
            .id(ID)
            .maxMessages(Integer.MAX_VALUE)
            .chatMemoryStore(texts)
            .build();
  }

  /** Reads the history and adds a message to it. */
  void spring(String text) {
    spring.get(ID);
    spring.add(ID, new UserMessage(text));
  }

  void langChain(String text) {
    langChain.messages();
    langChain.add(dev.langchain4j.data.message.UserMessage.from(text));
  }

  @Override
  public void close() throws SQLException {
    springs.close();
    langChains.close();
  }

  /** One JSON text for a conversation, as the examples of LangChain4j keep it. */
  private record JsonTexts(Connection connection) implements ChatMemoryStore {
    @Override
    public List<ChatMessage> getMessages(Object id) {
      try (PreparedStatement select =
          connection.prepareStatement("SELECT messages FROM memories WHERE id = ?")) {
        select.setString(1, id.toString());
        try (ResultSet row = select.executeQuery()) {
          return row.next()
              ? ChatMessageDeserializer.messagesFromJson(row.getString(1))
              : new ArrayList<>();
        }
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void updateMessages(Object id, List<ChatMessage> messages) {
      try (PreparedStatement put =
          connection.prepareStatement("INSERT OR REPLACE INTO memories VALUES (?, ?)")) {
        put.setString(1, id.toString());
        put.setString(2, ChatMessageSerializer.messagesToJson(messages));
        put.executeUpdate();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void deleteMessages(Object id) {
      throw new UnsupportedOperationException("nothing is deleted here");
    }
  }
}
