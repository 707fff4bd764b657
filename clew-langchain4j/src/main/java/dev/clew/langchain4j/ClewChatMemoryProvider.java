package dev.clew.langchain4j;

import dev.clew.SessionStore;
import dev.clew.Window;
import dev.clew.adapter.Memories;
import dev.clew.adapter.MemoryKeys;
import dev.clew.adapter.TokenBudget;
import dev.clew.adapter.Turn;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.model.TokenCountEstimator;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/**
 * Makes a {@link ClewChatMemory} for each {@code @MemoryId}. Thread-safe; the store is closed by
 * whoever opened it.
 *
 * <pre>{@code
 * SessionStore store = Stores.open("sqlite:chat.db");
 * Assistant assistant = AiServices.builder(Assistant.class)
 *     .chatModel(model).chatMemoryProvider(ClewChatMemoryProvider.of(store)).build();
 * }</pre>
 *
 * <p>Ids are text, numbers, UUIDs, enum constants, or a {@link dev.clew.SessionKey} with its owner;
 * others are refused with {@link IllegalArgumentException}.
 */
public final class ClewChatMemoryProvider implements ChatMemoryProvider {
  private static final int DEFAULT_TURNS = 20;

  private final Memories<ChatMessage> memories;
  private final MemoryKeys keys;
  private final Executor executor;

  private ClewChatMemoryProvider(Builder builder) {
    this.memories = builder.memories.window(builder.window).build();
    this.keys = builder.keys;
    this.executor = builder.executor;
  }

  /** Memories of the default owner, of which a model sees the newest 20 turns. */
  public static ClewChatMemoryProvider of(SessionStore store) {
    return builder(store).build();
  }

  /** Settings, for memories in this store. */
  public static Builder builder(SessionStore store) {
    return new Builder(store);
  }

  @Override
  public ClewChatMemory get(Object memoryId) {
    return new ClewChatMemory(memoryId, memories.memory(keys.key(memoryId)), executor);
  }

  /**
   * Begins a turn, after waiting for the one before. An AI service reads the memory before it adds
   * the question, so only a call in such a turn sees the answer that it waited for.
   *
   * <pre>{@code
   * try (Turn turn = provider.turn("trip")) {
   *   return assistant.chat("trip", question);
   * }
   * }</pre>
   *
   * <p>A turn whose answer is streamed is closed when the stream has ended.
   *
   * @throws IllegalStateException without a {@link Builder#turnLease}
   */
  public Turn turn(Object memoryId) {
    return memories.memory(keys.key(memoryId)).turn();
  }

  /** Settings. Not thread-safe. */
  public static final class Builder {
    private final Memories.Builder<ChatMessage> memories;
    private Window window = Window.lastTurns(DEFAULT_TURNS);
    private MemoryKeys keys = MemoryKeys.defaults();
    private Executor executor = ForkJoinPool.commonPool();

    private Builder(SessionStore store) {
      this.memories = Memories.builder(store, new LangChain4jCodec()).openCalls(false);
    }

    /** Shows the newest turns. */
    public Builder turns(int count) {
      return window(Window.lastTurns(count));
    }

    /** Shows the newest items: each message, call and result is one. */
    public Builder items(int count) {
      return window(Window.lastItems(count));
    }

    /** Shows the newest turns that this many tokens allow. */
    public Builder tokens(int count, TokenCountEstimator estimator) {
      return window(new TokenBudget(count, estimator::estimateTokenCountInText));
    }

    /** Shows what a window of another kind reads. */
    public Builder window(Window value) {
      this.window = value;
      return this;
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

    /** How long {@link #turn} waits at most; see {@link Memories.Builder#turnLease}. */
    public Builder turnLease(Duration longest) {
      memories.turnLease(longest);
      return this;
    }

    /** The provider. */
    public ClewChatMemoryProvider build() {
      return new ClewChatMemoryProvider(this);
    }
  }
}
