package dev.clew;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The ordered items of one conversation. Implementations are thread-safe handles that own no
 * resources; their store does.
 *
 * <p>These four operations are all a run needs, so anything that implements them is a session:
 *
 * <pre>{@code
 * session.addItems(List.of(Item.user("What city is the Golden Gate Bridge in?")));
 * List<Item> history = session.getItems();
 * }</pre>
 */
public interface Session {

  /** The id of this session, as its creator chose it. */
  String id();

  /**
   * Every item, oldest first, or the newest ones when {@link SessionSettings} set a default limit.
   * A session that does not exist gives an empty list; reading does not create it.
   */
  List<Item> getItems();

  /**
   * The newest {@code limit} readable items, oldest first.
   *
   * @throws IllegalArgumentException if {@code limit} is negative
   */
  List<Item> getItems(int limit);

  /**
   * Appends the items as one atomic batch, in this order, and creates the session if needed. An
   * empty list does nothing. When this returns, the batch is as durable as the store declares.
   *
   * @throws ClewException.InvalidItem if an item is refused; nothing was written
   */
  void addItems(List<Item> items);

  /** Removes and returns the newest readable item, or nothing when there is none. */
  Optional<Item> popItem();

  /**
   * Removes every item and the session itself. The handle stays usable.
   *
   * <p>Nothing of it can be read through the store afterwards. Whether the bytes are gone from the
   * disk depends on the store: a JSONL folder has none of them left when this returns; SQLite
   * overwrites the rows, but copies may stay in its log and in the free space of pages; a database
   * server keeps them until its next cleanup. {@link SessionStore#erase} and {@code
   * dev.clew.erasure} go further.
   */
  void clearSession();

  /** The same operations as futures, run one after another in the order of the calls. */
  default AsyncSession async(Executor executor) {
    return AsyncSession.of(this, executor);
  }
}
