package dev.clew.springai;

import dev.clew.SessionStore;
import dev.clew.Window;
import dev.clew.adapter.Memories;
import dev.clew.adapter.MemoryKeys;
import dev.clew.adapter.TokenBudget;
import dev.clew.adapter.Turn;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.tokenizer.TokenCountEstimator;

/**
 * A {@link ChatMemory} over a Clew store: {@code add} appends, {@code get} reads a window of the
 * newest turns with the newest system message first. Thread-safe; the store is closed by whoever
 * opened it.
 *
 * <pre>{@code
 * SessionStore store = Stores.open("sqlite:chat.db");
 * ChatMemory memory = ClewChatMemory.of(store);
 * ChatClient client = ChatClient.builder(model)
 *     .defaultAdvisors(MessageChatMemoryAdvisor.builder(memory).build()).build();
 * }</pre>
 *
 * <p>Everything that was ever added stays in the session, for lists, search, export and the page.
 */
public final class ClewChatMemory implements ChatMemory {
  private static final int DEFAULT_TURNS = 20;

  private final Memories<Message> memories;
  private final MemoryKeys keys;
  private final boolean turnLease;

  private ClewChatMemory(Builder builder) {
    this.memories = builder.memories.window(builder.window).build();
    this.keys = builder.keys;
    this.turnLease = builder.turnLease;
  }

  /** Conversations of the default owner, of which a model sees the newest 20 turns. */
  public static ClewChatMemory of(SessionStore store) {
    return builder(store).build();
  }

  /** Settings, for conversations in this store. */
  public static Builder builder(SessionStore store) {
    return new Builder(store);
  }

  /**
   * Appends the messages as one change.
   *
   * @throws dev.clew.ClewException.StoreUnavailable if the store cannot be reached; nothing of them
   *     was written
   */
  @Override
  public void add(String conversationId, List<Message> messages) {
    memories.memory(keys.key(conversationId)).add(messages);
  }

  @Override
  public List<Message> get(String conversationId) {
    return memories.memory(keys.key(conversationId)).messagesForAnyThread();
  }

  /** The same without calls that wait for a result: they are of a turn that failed. */
  List<Message> getForNewTurn(String conversationId) {
    return memories.memory(keys.key(conversationId)).messagesOfNewTurn();
  }

  /** Whether turns wait for each other. */
  boolean hasTurnLease() {
    return turnLease;
  }

  /**
   * Begins a turn, after waiting for the one before; {@link ClewAdvisors#oneTurnAtATime} does this
   * around each call of a {@code ChatClient}.
   *
   * @throws IllegalStateException without a {@link Builder#turnLease}
   */
  public Turn turn(String conversationId) {
    return memories.memory(keys.key(conversationId)).turn();
  }

  /** Deletes the session with its whole history. */
  @Override
  public void clear(String conversationId) {
    memories.memory(keys.key(conversationId)).clear();
  }

  /** Settings. Not thread-safe. */
  public static final class Builder {
    private final Memories.Builder<Message> memories;
    private Window window = Window.lastTurns(DEFAULT_TURNS);
    private MemoryKeys keys = MemoryKeys.defaults();
    private boolean turnLease;

    private Builder(SessionStore store) {
      this.memories = Memories.builder(store, new SpringMessageCodec());
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
      return window(new TokenBudget(count, (@Nullable String text) -> estimator.estimate(text)));
    }

    /** Shows what a window of another kind reads. */
    public Builder window(Window value) {
      this.window = value;
      return this;
    }

    /** Whose sessions the conversations are; the default owner by default. */
    public Builder owner(String owner) {
      return keys(MemoryKeys.ofOwner(owner));
    }

    /** Which session a conversation id names. */
    public Builder keys(MemoryKeys value) {
      this.keys = value;
      return this;
    }

    /** See {@link Memories.Builder#repair}. */
    public Builder repair(boolean value) {
      memories.repair(value);
      return this;
    }

    /**
     * Lets the turns of a conversation follow each other: see {@link Memories.Builder#turnLease}.
     * {@code MessageChatMemoryAdvisor} reads before it adds, so it wants {@link
     * ClewAdvisors#oneTurnAtATime} beside it.
     */
    public Builder turnLease(Duration longest) {
      memories.turnLease(longest);
      this.turnLease = true;
      return this;
    }

    /** The memory. */
    public ClewChatMemory build() {
      return new ClewChatMemory(this);
    }
  }
}
