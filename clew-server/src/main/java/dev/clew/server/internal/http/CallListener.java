package dev.clew.server.internal.http;

/** Follows calls: limits, metrics, logs. Thread-safe; called from any thread. */
public interface CallListener {
  /** A call arrived; returns what to do when this thread is done with it. */
  default Runnable begun(Call call) {
    return () -> {};
  }

  /**
   * The caller is known, and nothing was done yet.
   *
   * @throws Problem to refuse the call
   */
  default void admitted(Call call, Route route, Principal principal) {}

  /** The call was handled or refused; the status is final unless the answer comes later. */
  default void handled(Call call) {}

  /** A request was refused before it became a call: it was too large or not HTTP. */
  default void refusedUnread(int status) {}

  /** The answer was sent, or the stream ended. */
  default void answered(Call call) {}

  /**
   * A request arrived in a message of a socket.
   *
   * @throws Problem to refuse it
   */
  default void received(Principal principal) {}

  /** Such a request was answered or refused. */
  default void answered(Upgrade.Answered request) {}
}
