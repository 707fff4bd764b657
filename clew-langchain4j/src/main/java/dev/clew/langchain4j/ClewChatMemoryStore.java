package dev.clew.langchain4j;

import dev.clew.SessionStore;
import dev.clew.adapter.Memories;
import dev.clew.adapter.MemoryKeys;
import dev.clew.adapter.SessionMemory;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/**
 * A {@link ChatMemoryStore} over a Clew store, for code that keeps LangChain4j's own {@code
 * MessageWindowChatMemory} or {@code TokenWindowChatMemory}, and for Quarkus. Thread-safe; the
 * store is closed by whoever opened it.
 *
 * <pre>{@code
 * ChatMemory memory = MessageWindowChatMemory.builder()
 *     .id("trip").maxMessages(20).chatMemoryStore(ClewChatMemoryStore.of(store)).build();
 * }</pre>
 *
 * <p>{@link #updateMessages} writes what is new in the list and nothing else. What the list drops
 * stays in the history of the session. Memory ids of other types than {@link MemoryKeys} knows are
 * refused with {@link IllegalArgumentException}.
 */
public final class ClewChatMemoryStore implements ChatMemoryStore {
  private final Memories<ChatMessage> memories;
  private final MemoryKeys keys;
  private final Executor executor;

  private ClewChatMemoryStore(Builder builder) {
    this.memories = builder.memories.build();
    this.keys = builder.keys;
    this.executor = builder.executor;
  }

  /** Memories of the default owner. */
  public static ClewChatMemoryStore of(SessionStore store) {
    return builder(store).build();
  }

  /** Settings, for memories in this store. */
  public static Builder builder(SessionStore store) {
    return new Builder(store);
  }

  private SessionMemory<ChatMessage> memory(Object memoryId) {
    return memories.memory(keys.key(memoryId));
  }

  @Override
  public List<ChatMessage> getMessages(Object memoryId) {
    return memory(memoryId).messages();
  }

  @Override
  public void updateMessages(Object memoryId, List<ChatMessage> messages) {
    memory(memoryId).save(messages);
  }

  @Override
  public void deleteMessages(Object memoryId) {
    memory(memoryId).clear();
  }

  /** {@link #getMessages} on the executor; called by LangChain4j 1.20. */
  public CompletableFuture<List<ChatMessage>> getMessagesAsync(Object memoryId) {
    SessionMemory<ChatMessage> memory = memory(memoryId);
    return CompletableFuture.supplyAsync(memory::messagesForAnyThread, executor);
  }

  /** {@link #updateMessages} on the executor; called by LangChain4j 1.20. */
  public CompletableFuture<Void> updateMessagesAsync(Object memoryId, List<ChatMessage> messages) {
    SessionMemory<ChatMessage> memory = memory(memoryId);
    List<ChatMessage> list = List.copyOf(messages);
    return CompletableFuture.runAsync(() -> memory.saveFromAnyThread(list), executor);
  }

  /** {@link #deleteMessages} on the executor; called by LangChain4j 1.20. */
  public CompletableFuture<Void> deleteMessagesAsync(Object memoryId) {
    SessionMemory<ChatMessage> memory = memory(memoryId);
    return CompletableFuture.runAsync(memory::clear, executor);
  }

  /** Settings. Not thread-safe. */
  public static final class Builder {
    private final Memories.Builder<ChatMessage> memories;
    private MemoryKeys keys = MemoryKeys.defaults();
    private Executor executor = ForkJoinPool.commonPool();

    private Builder(SessionStore store) {
      this.memories = Memories.builder(store, new LangChain4jCodec()).openCalls(false);
    }

    /** Whose sessions the memories are; the default owner by default. */
    public Builder owner(String owner) {
      return keys(MemoryKeys.ofOwner(owner));
    }

    /** Which session a memory id names. */
    public Builder keys(MemoryKeys value) {
      this.keys = value;
      return this;
    }

    /** Where the asynchronous methods run; the common pool by default. */
    public Builder executor(Executor value) {
      this.executor = value;
      return this;
    }

    /** See {@link Memories.Builder#repair}. */
    public Builder repair(boolean value) {
      memories.repair(value);
      return this;
    }

    /** The store. */
    public ClewChatMemoryStore build() {
      return new ClewChatMemoryStore(this);
    }
  }
}
