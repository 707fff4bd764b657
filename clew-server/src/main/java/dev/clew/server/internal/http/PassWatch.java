package dev.clew.server.internal.http;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks again, about once a second, whether the caller of a long transfer is still admitted. Used by
 * one thread at a time.
 */
final class PassWatch {
  private static final Logger LOG = LoggerFactory.getLogger(PassWatch.class);
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Admission admission;
  private final Admission.Pass pass;
  private long askedAt = System.nanoTime();

  PassWatch(Admission admission, Admission.Pass pass) {
    this.admission = admission;
    this.pass = pass;
  }

  /**
   * Called with each piece of the transfer.
   *
   * @throws Problem if the token was revoked or has expired
   */
  void check() {
    long now = System.nanoTime();
    if (now - askedAt < EVERY_NANOS) {
      return;
    }
    askedAt = now;
    if (!isGood()) {
      throw refusal();
    }
  }

  /** Why a transfer that has begun does not go on. */
  static Problem refusal() {
    return Problem.unauthorized("The API key is not valid any more.");
  }

  private boolean isGood() {
    try {
      return admission.isGood(pass);
    } catch (RuntimeException e) { // unknown for now, so ask again in a second
      LOG.debug("could not check the token of a transfer", e);
      return true;
    }
  }
}
