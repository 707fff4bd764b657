package dev.clew.agent;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Options of a manual compaction. Immutable; each method returns a copy.
 *
 * <pre>{@code
 * session.runCompaction(CompactionOptions.FORCE);
 * session.runCompaction(CompactionOptions.DEFAULT.responseId("resp_1").store(true));
 * }</pre>
 *
 * @param responseId the provider's response that knows the whole history, if one does
 * @param compactionMode what to compact from; by default that of the session
 * @param store whether the provider has stored that response; by default it has
 * @param force whether to compact without asking the trigger
 */
public record CompactionOptions(
    Optional<String> responseId,
    Optional<CompactionMode> compactionMode,
    boolean store,
    boolean force) {
  /** If the trigger asks for it, from the items. */
  public static final CompactionOptions DEFAULT =
      new CompactionOptions(Optional.empty(), Optional.empty(), true, false);

  /** Now, whatever the trigger says. */
  public static final CompactionOptions FORCE = DEFAULT.force(true);

  /** The provider's response that knows the whole history. */
  public CompactionOptions responseId(@Nullable String value) {
    return new CompactionOptions(Optional.ofNullable(value), compactionMode, store, force);
  }

  /** From what to compact, this time. */
  public CompactionOptions compactionMode(CompactionMode value) {
    return new CompactionOptions(responseId, Optional.of(value), store, force);
  }

  /** Whether the provider has stored the response. */
  public CompactionOptions store(boolean value) {
    return new CompactionOptions(responseId, compactionMode, value, force);
  }

  /** Whether to compact without asking the trigger. */
  public CompactionOptions force(boolean value) {
    return new CompactionOptions(responseId, compactionMode, store, value);
  }
}
