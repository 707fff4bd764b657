package dev.clew;

import java.util.Objects;
import java.util.function.Consumer;

/**
 * What {@link Stores#open(String, Opening)} may do. Immutable; as thread-safe as its listener.
 *
 * <pre>{@code
 * try (SessionStore store = Stores.open("sqlite:conversations.db", Opening.READ)) {
 *   store.session("user_123").getItems();
 * }
 * }</pre>
 */
public final class Opening {
  private enum Reach {
    READ,
    WRITE,
    CREATE
  }

  /**
   * Open to read. Nothing is created or changed, neither by opening nor later, and no permission to
   * write is needed. A write fails with {@link ClewException.NotSupported}, and opening a store
   * that does not exist with {@link ClewException.NoSuchStore}.
   */
  public static final Opening READ = new Opening(Reach.READ, what -> {});

  /**
   * Open an existing store to read and write; {@link ClewException.NoSuchStore} if it does not
   * exist. Sessions of another program count as existing: what Clew needs in addition is created.
   */
  public static final Opening WRITE = new Opening(Reach.WRITE, what -> {});

  /** Open to read and write; a store that does not exist is created. */
  public static final Opening CREATE = new Opening(Reach.CREATE, what -> {});

  private final Reach reach;
  private final Consumer<String> listener;

  private Opening(Reach reach, Consumer<String> listener) {
    this.reach = reach;
    this.listener = listener;
  }

  /** The same, and reports what it creates, such as {@code the file conversations.db}. */
  public Opening telling(Consumer<String> made) {
    return new Opening(reach, Objects.requireNonNull(made, "made"));
  }

  /** Whether nothing may be written. */
  public boolean isReadOnly() {
    return reach == Reach.READ;
  }

  /** Whether a store that does not exist is created. */
  public boolean mayCreate() {
    return reach == Reach.CREATE;
  }

  /** For a {@link StoreProvider}: reports that it created something. */
  public void made(String what) {
    listener.accept(what);
  }

  @Override
  public String toString() {
    return "Opening." + reach;
  }
}
