package dev.clew.springai;

import dev.clew.SessionInfo;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.adapter.Memories;
import dev.clew.adapter.MemoryKeys;
import dev.clew.adapter.SessionMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.messages.Message;

/**
 * A {@link ChatMemoryRepository} over a Clew store, for code that keeps Spring AI's own {@code
 * MessageWindowChatMemory}. Thread-safe; the store is closed by whoever opened it.
 *
 * <pre>{@code
 * ChatMemory memory = MessageWindowChatMemory.builder()
 *     .chatMemoryRepository(ClewChatMemoryRepository.of(store)).build();
 * }</pre>
 *
 * <p>{@link #saveAll} writes what is new in the list and nothing else. What the list drops stays in
 * the history of the session.
 */
public final class ClewChatMemoryRepository implements ChatMemoryRepository {
  private final SessionStore store;
  private final Memories<Message> memories;
  private final MemoryKeys keys;
  private final @Nullable String owner;
  private final int mostIds;

  private ClewChatMemoryRepository(Builder builder) {
    this.store = builder.store;
    this.memories = builder.memories.build();
    this.keys = builder.keys;
    this.owner = builder.owner;
    this.mostIds = builder.mostIds;
  }

  /** Conversations of the default owner. */
  public static ClewChatMemoryRepository of(SessionStore store) {
    return builder(store).build();
  }

  /** Settings, for conversations in this store. */
  public static Builder builder(SessionStore store) {
    return new Builder(store);
  }

  private SessionMemory<Message> memory(String conversationId) {
    return memories.memory(keys.key(conversationId));
  }

  /**
   * The ids of the owner's newest-updated sessions, whoever wrote them; at most as many as {@link
   * Builder#mostIds} says. {@link SessionStore#list} has pages, filters and titles.
   */
  @Override
  public List<String> findConversationIds() {
    if (owner == null) {
      throw new UnsupportedOperationException(
          "conversation ids cannot be found with MemoryKeys of your own; set an owner instead,"
              + " or list the sessions with SessionStore.list");
    }
    List<String> ids = new ArrayList<>();
    int page = Math.min(mostIds, SessionQuery.MAX_LIMIT);
    SessionQuery query = SessionQuery.of(owner).limit(page);
    while (true) {
      SessionPage found = store.list(query);
      for (SessionInfo info : found.sessions()) {
        ids.add(info.key().id());
      }
      Optional<String> next = found.next();
      if (next.isEmpty() || ids.size() >= mostIds) {
        return List.copyOf(ids.subList(0, Math.min(ids.size(), mostIds)));
      }
      query = query.cursor(next.get());
    }
  }

  @Override
  public List<Message> findByConversationId(String conversationId) {
    return memory(conversationId).messages();
  }

  @Override
  public void saveAll(String conversationId, List<Message> messages) {
    memory(conversationId).save(messages);
  }

  @Override
  public void deleteByConversationId(String conversationId) {
    memory(conversationId).clear();
  }

  /** Settings. Not thread-safe. */
  public static final class Builder {
    private final SessionStore store;
    private final Memories.Builder<Message> memories;
    private MemoryKeys keys = MemoryKeys.defaults();
    private @Nullable String owner = "";
    private int mostIds = 10_000;

    private Builder(SessionStore store) {
      this.store = store;
      this.memories = Memories.builder(store, new SpringMessageCodec());
    }

    /** Whose sessions the conversations are; the default owner by default. */
    public Builder owner(String value) {
      this.keys = MemoryKeys.ofOwner(value);
      this.owner = value;
      return this;
    }

    /** Which session a conversation id names. */
    public Builder keys(MemoryKeys value) {
      this.keys = value;
      this.owner = null;
      return this;
    }

    /** See {@link Memories.Builder#repair}. */
    public Builder repair(boolean value) {
      memories.repair(value);
      return this;
    }

    /** The most ids that {@link #findConversationIds} returns; 10,000 by default. */
    public Builder mostIds(int value) {
      if (value < 1) {
        throw new IllegalArgumentException("mostIds must be at least 1, not " + value);
      }
      this.mostIds = value;
      return this;
    }

    /** The repository. */
    public ClewChatMemoryRepository build() {
      return new ClewChatMemoryRepository(this);
    }
  }
}
