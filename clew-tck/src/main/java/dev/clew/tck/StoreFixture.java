package dev.clew.tck;

import dev.clew.Capability;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import java.util.Optional;

/** What the rules about stores need; {@link StoreContract} provides it. */
interface StoreFixture extends SessionFixture {

  /** The store under test; opened when first asked for. */
  SessionStore store();

  /** The clock of the store under test. */
  TestClock clock();

  /** What the store under test was, or will be, opened with. */
  StoreOptions options();

  /** How many random operation sequences are run. */
  int sequences();

  /** Goes on with a fresh empty store, opened with these options. */
  SessionStore openWith(StoreOptions options);

  /**
   * Closes the store and opens it again, with these options.
   *
   * @return whether the data is expected to be there; a volatile store has none afterwards
   */
  boolean restart(StoreOptions options);

  /** Closes the store and opens it again. */
  default boolean restart() {
    return restart(options());
  }

  /**
   * A second handle on the data of the store, which stays open; none for a volatile store. Closed
   * by the fixture.
   */
  Optional<SessionStore> secondHandle();

  /** A second handle where the store allows one, else the store itself. */
  default SessionStore elsewhere() {
    boolean shared = store().traits().capabilities().contains(Capability.WATCH_ACROSS_PROCESSES);
    return shared ? secondHandle().orElseThrow() : store();
  }

  /** What spoils records of the store under test, if anything can. */
  Optional<Damager> damager();

  /** A key of the default owner that was not used before in this test. */
  SessionKey newKey();

  @Override
  default StoredSession newSession() {
    return store().session(newKey());
  }
}
