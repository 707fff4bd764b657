package dev.clew;

import java.util.Objects;
import java.util.function.Consumer;

/**
 * How far {@link Stores#open(String, Opening)} may go. Immutable; as thread-safe as the listener.
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
   * To read only. Nothing is created or changed, neither by opening nor later, and nothing that may
   * be read needs to be writable. A write fails with {@link ClewException.NotSupported}, a store
   * that is not there with {@link ClewException.NoSuchStore}.
   */
  public static final Opening READ = new Opening(Reach.READ, what -> {});

  /**
   * To read and write a store that is there, else {@link ClewException.NoSuchStore}. Sessions that
   * another program keeps are there: what Clew needs beside them is made.
   */
  public static final Opening WRITE = new Opening(Reach.WRITE, what -> {});

  /** To read and write; a store that is not there is made. */
  public static final Opening CREATE = new Opening(Reach.CREATE, what -> {});

  private final Reach reach;
  private final Consumer<String> listener;

  private Opening(Reach reach, Consumer<String> listener) {
    this.reach = reach;
    this.listener = listener;
  }

  /** The same, and tells what it made, such as {@code the file conversations.db}. */
  public Opening telling(Consumer<String> made) {
    return new Opening(reach, Objects.requireNonNull(made, "made"));
  }

  /** Whether nothing may be written. */
  public boolean isReadOnly() {
    return reach == Reach.READ;
  }

  /** Whether a store that is not there is made. */
  public boolean mayCreate() {
    return reach == Reach.CREATE;
  }

  /** For a {@link StoreProvider}: says that it made something. */
  public void made(String what) {
    listener.accept(what);
  }

  @Override
  public String toString() {
    return "Opening." + reach;
  }
}
