package dev.clew.tck;

import dev.clew.Session;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What every {@link Session} promises, as tests: rules C1 to C6, C8 and C9 of the contract, called
 * directly and asynchronously. One test at a time, so not thread-safe.
 *
 * <p>For sessions written by hand; the sessions of a store are tested with {@link StoreContract}.
 *
 * <pre>{@code
 * class MySessionTest extends SessionContract {
 *   @Override
 *   protected Session open() {
 *     return new MySession(UUID.randomUUID().toString());
 *   }
 * }
 * }</pre>
 */
@DisplayNameGeneration(RuleNames.class)
@ExtendWith(RuleFailures.class)
public abstract class SessionContract
    implements ReadingRules,
        AppendingRules,
        PoppingRules,
        ClearingRules,
        LosslessRules,
        AsyncRules {

  /** A session without items that has nothing in common with others. */
  protected abstract Session open();

  @Override
  public final Session newSession() {
    return open();
  }
}
