package dev.clew.adapter;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Window;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The memories of a framework's conversations in a store. Thread-safe; closes nothing.
 *
 * <pre>{@code
 * Memories<Message> memories = Memories.builder(store, new SpringCodec()).build();
 * memories.memory(SessionKey.of("trip")).add(List.of(new UserMessage("Hello")));
 * }</pre>
 *
 * @param <M> the framework's type of messages
 */
public final class Memories<M> {
  private final SessionStore store;
  final MessageCodec<M> codec;
  final MessageFrame<M> frame;
  final Reader<M> reader;
  final boolean repair;
  final @Nullable Window window;
  final @Nullable TurnLeases turns;
  final Recent<Reading<M>> recent = new Recent<>(reading -> reading.framed().size());
  final Tails tails;
  final Decoded<M> decoded;

  /** What each thread read last and has not saved yet. An application has few of these objects. */
  @SuppressWarnings("ThreadLocalUsage")
  final ThreadLocal<@Nullable LastRead<M>> lastRead = new ThreadLocal<>();

  /** A reading of a session. */
  record LastRead<M>(SessionKey key, Reading<M> reading) {}

  private Memories(Builder<M> builder) {
    this.store = builder.store;
    this.codec = builder.codec;
    this.frame = new MessageFrame<>(codec);
    this.tails = new Tails(store);
    this.decoded = new Decoded<>(frame);
    this.reader = new Reader<>(codec, decoded, tails, builder.repair, builder.openCalls);
    this.repair = builder.repair;
    this.window = builder.window;
    Duration longest = builder.longestTurn;
    this.turns = longest == null ? null : new TurnLeases(store.leases(), longest);
  }

  /** Memories in this store. */
  public static <M> Builder<M> builder(SessionStore store, MessageCodec<M> codec) {
    return new Builder<>(store, codec);
  }

  /** The memory of one session, which need not exist. Touches no store and is cheap to make. */
  public SessionMemory<M> memory(SessionKey key) {
    return new SessionMemory<>(this, store.session(key));
  }

  /** Nothing is known of a session any more. */
  void forget(SessionKey key) {
    recent.remove(key);
    tails.forget(key);
    decoded.forget(key);
  }

  /** The store they are in. */
  public SessionStore store() {
    return store;
  }

  /** Settings of memories. Not thread-safe. */
  public static final class Builder<M> {
    private final SessionStore store;
    private final MessageCodec<M> codec;
    private @Nullable Window window;
    private @Nullable Duration longestTurn;
    private boolean repair = true;
    private boolean openCalls = true;

    private Builder(SessionStore store, MessageCodec<M> codec) {
      this.store = Objects.requireNonNull(store, "store");
      this.codec = codec;
    }

    /**
     * What is shown of the history, with the newest system message first. Without a window, a
     * memory shows the list that was saved last, and what was appended since.
     */
    public Builder<M> window(Window value) {
      this.window = value;
      return this;
    }

    /**
     * Whether tool calls without a result, and results without a call, are left out of what is
     * shown; true by default. They stay stored.
     */
    public Builder<M> repair(boolean value) {
      this.repair = value;
      return this;
    }

    /**
     * Whether {@link #repair} leaves the calls at the end alone, whose results may still come; true
     * by default. A framework that reads before it adds the user's message, and not between a call
     * and its result, wants them left out: they are of a turn that failed.
     */
    public Builder<M> openCalls(boolean value) {
      this.openCalls = value;
      return this;
    }

    /**
     * Lets a turn wait until the one before it has its answer, at most this long. A turn begins
     * with {@link SessionMemory#turn}, or else when its user's message is added: what was read
     * before then lacks the answer that was waited for. A turn that fails without having been
     * closed lets others wait this long. By default turns may overlap: nothing is lost, but the
     * messages of two turns may alternate.
     */
    public Builder<M> turnLease(Duration longest) {
      if (longest.toMillis() < 1) {
        throw new IllegalArgumentException("a turn lasts at least a millisecond, not " + longest);
      }
      this.longestTurn = longest;
      return this;
    }

    /** The memories. */
    public Memories<M> build() {
      return new Memories<>(this);
    }
  }
}
