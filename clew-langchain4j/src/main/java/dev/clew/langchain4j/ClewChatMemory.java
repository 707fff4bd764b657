package dev.clew.langchain4j;

import dev.clew.SessionStore;
import dev.clew.adapter.SessionMemory;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.memory.ChatMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A {@link ChatMemory} over a Clew session: {@code add} appends, {@code messages} reads a window of
 * the newest turns with the newest system message first. Thread-safe, which LangChain4j's own
 * memories are not; the store is closed by whoever opened it.
 *
 * <p>{@code set} writes what is new in the list. What it drops stays in the history, what it edits
 * in the compacted history.
 */
public final class ClewChatMemory implements ChatMemory {
  private final Object id;
  private final SessionMemory<ChatMessage> memory;
  private final Executor executor;

  ClewChatMemory(Object id, SessionMemory<ChatMessage> memory, Executor executor) {
    this.id = id;
    this.memory = memory;
    this.executor = executor;
  }

  /** The memory of one conversation; {@link ClewChatMemoryProvider} makes those of many. */
  public static ClewChatMemory of(SessionStore store, Object id) {
    return ClewChatMemoryProvider.of(store).get(id);
  }

  @Override
  public Object id() {
    return id;
  }

  @Override
  public void add(ChatMessage message) {
    memory.add(List.of(message));
  }

  /** Appends the messages as one change. */
  @Override
  public void add(Iterable<ChatMessage> messages) {
    if (messages != null) {
      memory.add(list(messages));
    }
  }

  @Override
  public void set(Iterable<ChatMessage> messages) {
    memory.save(nonEmpty(list(messages)));
  }

  private static List<ChatMessage> list(Iterable<ChatMessage> messages) {
    List<ChatMessage> list = new ArrayList<>();
    messages.forEach(list::add);
    return list;
  }

  private static List<ChatMessage> nonEmpty(List<ChatMessage> messages) {
    if (messages.isEmpty()) {
      throw new IllegalArgumentException("messages must not be empty; clear() removes all");
    }
    return messages;
  }

  @Override
  public List<ChatMessage> messages() {
    return memory.messages();
  }

  /** Deletes the session with its whole history. */
  @Override
  public void clear() {
    memory.clear();
  }

  /** {@code add} on the executor; called by LangChain4j 1.20. */
  public CompletableFuture<Void> addAsync(List<ChatMessage> messages) {
    List<ChatMessage> list = List.copyOf(messages);
    return CompletableFuture.runAsync(() -> memory.add(list), executor);
  }

  /** {@code set} on the executor; called by LangChain4j 1.20. */
  public CompletableFuture<Void> setAsync(List<ChatMessage> messages) {
    List<ChatMessage> list = nonEmpty(List.copyOf(messages));
    return CompletableFuture.runAsync(() -> memory.saveFromAnyThread(list), executor);
  }

  /** {@link #messages} on the executor; called by LangChain4j 1.20. */
  public CompletableFuture<List<ChatMessage>> messagesAsync() {
    return CompletableFuture.supplyAsync(memory::messagesForAnyThread, executor);
  }
}
