package dev.clew.server.internal.http;

/** Somebody who follows calls: limits, metrics, logs. Thread-safe; calls come from any thread. */
public interface CallListener {
  /** A call has come; what is to be done when this thread is through with it. */
  default Runnable begun(Call call) {
    return () -> {};
  }

  /**
   * Its caller is known, and nothing was done yet.
   *
   * @throws Problem to refuse it
   */
  default void admitted(Call call, Route route, Principal principal) {}

  /** It was done or refused; what it answers is settled, unless the answer comes later. */
  default void handled(Call call) {}

  /** Something was refused before it was a call: a header or a body too large, or no HTTP. */
  default void refusedUnread(int status) {}

  /** Its answer is out, or its stream has ended. */
  default void answered(Call call) {}
}
