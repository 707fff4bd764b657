package dev.clew.openai;

import com.openai.client.OpenAIClient;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.agent.ServerManagedSession;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A conversation at OpenAI, or at a server with the same API, as a session. Thread-safe.
 *
 * <pre>{@code
 * Session session = OpenAiModels.builder().conversation("conv_123");
 * }</pre>
 *
 * <p>Without an id the first {@link #addItems} creates a conversation, exactly once even with many
 * threads. Items come back with ids that the provider assigned. Four things differ from a store,
 * because of the API:
 *
 * <ul>
 *   <li>A batch of more than 20 items takes several calls. If a later one is refused, what the
 *       earlier ones added is removed again; others may have seen it meanwhile.
 *   <li>A write whose answer is lost is not repeated, because that could add everything twice: it
 *       is {@link ClewException.OutcomeUnknown}.
 *   <li>What a guardrail stopped, reasoning that is neither known to the provider nor sealed by it,
 *       and items of other frameworks (see {@link dev.clew.agent.HiddenItems}) are not kept.
 *   <li>Clearing deletes the conversation and forgets its id; the next write makes another one.
 * </ul>
 */
public final class OpenAiConversationsSession implements ServerManagedSession {
  private static final int MOST_IN_A_CALL = 20;

  private final ConversationCalls calls;
  private final Object making = new Object();
  private final Object popping = new Object();
  private volatile @Nullable String conversationId;

  OpenAiConversationsSession(Api api, @Nullable String conversationId) {
    this.calls = new ConversationCalls(api);
    this.conversationId = conversationId;
  }

  /** A new conversation, as the environment says: see {@link OpenAiModels#fromEnvironment}. */
  public static OpenAiConversationsSession fromEnvironment() {
    return OpenAiModels.builder().conversation();
  }

  /** Makes a conversation before there is a session for it, and returns its id. */
  public static String startConversation(OpenAIClient client) {
    return OpenAiModels.builder().client(client).conversation().id();
  }

  /** Makes a conversation as the environment says, and returns its id. */
  public static String startConversation() {
    return fromEnvironment().id();
  }

  /** The id of the conversation, which is made now if there is none yet. */
  @Override
  public String id() {
    String known = conversationId;
    if (known != null) {
      return known;
    }
    synchronized (making) {
      if (conversationId == null) {
        conversationId = make();
      }
      return conversationId;
    }
  }

  /** The id of the conversation, if there is one yet. */
  public Optional<String> conversationId() {
    return Optional.ofNullable(conversationId);
  }

  private String make() {
    try {
      return calls.make();
    } catch (ApiFailure e) {
      throw ConversationErrors.reading(e, name());
    }
  }

  @Override
  public List<Item> getItems() {
    return List.copyOf(read(calls::all));
  }

  @Override
  public List<Item> getItems(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit is " + limit + "; use 0 or more");
    }
    if (limit == 0) {
      return List.of();
    }
    List<Item> oldestFirst = new ArrayList<>(read(id -> calls.newest(id, limit)));
    Collections.reverse(oldestFirst);
    return List.copyOf(oldestFirst);
  }

  /** What a conversation that is not there holds is nothing. */
  private List<Item> read(Function<String, List<Item>> reader) {
    String id = conversationId;
    if (id == null) {
      return List.of();
    }
    try {
      return reader.apply(id);
    } catch (ApiFailure e) {
      if (e.isNotFound()) {
        return List.of();
      }
      throw ConversationErrors.reading(e, name());
    }
  }

  @Override
  public void addItems(List<Item> items) {
    ItemLimits.STORE.check(items);
    List<String> sent = new ArrayList<>(items.size());
    items.forEach(item -> ConversationItems.of(item).ifPresent(sent::add));
    if (sent.isEmpty()) {
      return;
    }
    String id = id();
    List<String> added = new ArrayList<>();
    for (int from = 0; from < sent.size(); from += MOST_IN_A_CALL) {
      List<String> batch = sent.subList(from, Math.min(sent.size(), from + MOST_IN_A_CALL));
      try {
        added.addAll(calls.add(id, batch));
      } catch (ApiFailure e) {
        ClewException failure = ConversationErrors.writing(e, name());
        if (!(failure instanceof ClewException.OutcomeUnknown)) {
          takeBack(id, added, failure);
        }
        throw failure;
      }
    }
  }

  private void takeBack(String id, List<String> added, ClewException failure) {
    for (int i = added.size() - 1; i >= 0; i--) {
      try {
        calls.deleteItem(id, added.get(i), true);
      } catch (ApiFailure e) {
        if (!e.isNotFound()) {
          throw new ClewException.OutcomeUnknown(
              String.format(
                  "%s has the first %s items of a batch that could be neither completed nor "
                      + "taken back: %s",
                  name(), i + 1, failure.getMessage()),
              failure);
        }
      }
    }
  }

  @Override
  public Optional<Item> popItem() {
    synchronized (popping) {
      while (true) {
        String id = conversationId;
        List<Item> newest = getItems(1);
        if (id == null || newest.isEmpty()) {
          return Optional.empty();
        }
        try {
          // Not to be repeated: a second try would not know whether the first took it.
          calls.deleteItem(id, ConversationCalls.id(newest.get(0).json()), false);
          return Optional.of(newest.get(0));
        } catch (ApiFailure e) {
          if (!e.isNotFound()) { // else another caller has popped it
            throw ConversationErrors.writing(e, name());
          }
        }
      }
    }
  }

  /** Deletes the conversation and forgets its id; if it cannot be deleted, the id is kept. */
  @Override
  public void clearSession() {
    synchronized (making) {
      String id = conversationId;
      if (id == null) {
        return;
      }
      try {
        calls.delete(id);
      } catch (ApiFailure e) {
        if (!e.isNotFound()) {
          throw ConversationErrors.reading(e, name());
        }
      }
      conversationId = null;
    }
  }

  private String name() {
    String id = conversationId;
    return (id == null ? "a new conversation" : "conversation '" + id + "'")
        + " at "
        + calls.place();
  }

  @Override
  public String toString() {
    return name();
  }
}
