package dev.clew.server.internal.chat;

import dev.clew.Item;
import dev.clew.Session;
import dev.clew.SessionInfo;
import dev.clew.StoredSession;
import dev.clew.Window;
import dev.clew.agent.CompactionSession;
import dev.clew.agent.CompactionTrigger;
import dev.clew.agent.Compactor;
import dev.clew.agent.TokenCounter;
import dev.clew.agent.TokenWindow;
import dev.clew.server.settings.ChatSettings;
import java.util.List;
import java.util.function.Supplier;

/**
 * How much of a session a model is shown, and when the session is shortened. Immutable.
 *
 * @param room the size of the model's context window, in tokens
 * @param model whose tokens are counted
 */
record ShownHistory(ChatSettings chat, long room, String model) {
  /** The rest of the context window is for instructions, tools and the answer. */
  private static final int SHOWN_PERCENT = 80;

  /** So that the next turn still fits. */
  private static final int FULL_PERCENT = 60;

  /** More tokens than an item has besides one for each of its bytes: an image at an address. */
  private static final int TOKENS_OF_AN_IMAGE = 1000;

  /**
   * What is shown.
   *
   * @param more whether a new message follows it
   */
  Window window(boolean more) {
    if (!isFitting()) {
      return Window.lastMessages(chat.history());
    }
    Window newest = TokenWindow.of(Math.max(1, percent(SHOWN_PERCENT)), model);
    return more ? session -> withoutTooLarge(newest.read(session)) : newest;
  }

  /** A window has at least one message, but one that failed because of its size always fails. */
  private List<Item> withoutTooLarge(List<Item> items) {
    boolean alone = items.size() == 1 && Window.startsTurn(items.get(0));
    return alone && counter().count(items) > percent(SHOWN_PERCENT) ? List.of() : items;
  }

  private TokenCounter counter() {
    return TokenCounter.forModel(model);
  }

  private boolean isFitting() {
    return chat.history() == ChatSettings.FITTING;
  }

  private long percent(int part) {
    return room / 100 * part;
  }

  /**
   * The session of a turn, shortened after the turn if it has become too long.
   *
   * @param summary writes the summary of what is left out
   */
  Session shortened(StoredSession session, Supplier<Compactor> summary) {
    long most = chat.maxMessages();
    boolean limited = most > 0 && chat.atLimit() != ChatSettings.AtLimit.REFUSE;
    if (limited && chat.atLimit() == ChatSettings.AtLimit.DROP_OLDEST) {
      return CompactionSession.builder(session, Compactor.keepNewest((int) most))
          .trigger(context -> items(session) > most)
          .dropOriginals()
          .build();
    }
    if (!limited && !isFitting()) {
      return session;
    }
    return CompactionSession.builder(session, summary.get())
        .trigger(
            context ->
                (limited && items(session) > most) || (isFitting() && isFull(session, context)))
        .build();
  }

  /** The store keeps the count, so deciding reads no items. */
  private static long items(StoredSession session) {
    return session.info().map(SessionInfo::itemCount).orElse(0L);
  }

  private boolean isFull(StoredSession session, CompactionTrigger.Context context) {
    long full = percent(FULL_PERCENT);
    long most =
        session.info().map(info -> info.bytes() + info.itemCount() * TOKENS_OF_AN_IMAGE).orElse(0L);
    return most > full && counter().count(context.sessionItems()) > full;
  }
}
