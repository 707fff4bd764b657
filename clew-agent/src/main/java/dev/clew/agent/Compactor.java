package dev.clew.agent;

/**
 * Turns a long history into a shorter one. Implementations are thread-safe.
 *
 * <p>A {@link CompactionSession} decides when, and replaces what it read with the result. If a
 * compactor throws, the history does not change.
 */
@FunctionalInterface
public interface Compactor {
  /** How many items {@link #keepNewest()} keeps. */
  int DEFAULT_KEPT = 20;

  /**
   * What stands for the history from now on. It must not be empty.
   *
   * @throws dev.clew.ClewException if that could not be done; it is tried again later
   */
  Compaction compact(CompactionRequest request);

  /** Whether it can start from a response that the provider keeps, instead of from the items. */
  default boolean canFollowResponses() {
    return false;
  }

  /**
   * Whether it can produce one compaction item that stands for everything. A provider whose
   * compaction keeps the user's messages cannot.
   */
  default boolean canMakeOneItem() {
    return true;
  }

  /**
   * Lets a model write a summary. It stands for all but the last turn, which stays as it is, as do
   * system and developer messages.
   */
  static Compactor summary(Model model) {
    return summary(model, "", SummaryCompactor.PROMPT);
  }

  /**
   * The same, with further instructions.
   *
   * @param instructions what else the summary should keep, or how it should be written
   */
  static Compactor summary(Model model, String instructions) {
    return summary(
        model,
        "",
        instructions.isBlank()
            ? SummaryCompactor.PROMPT
            : SummaryCompactor.PROMPT + "\n\n" + instructions.strip());
  }

  /**
   * Lets a model write a summary, with your own prompt.
   *
   * @param modelName the name of the model; empty for the provider's default
   * @param prompt what the model should do with the transcript
   */
  static Compactor summary(Model model, String modelName, String prompt) {
    return new SummaryCompactor(model, modelName, prompt);
  }

  /** Keeps the newest {@value #DEFAULT_KEPT} items, and system messages. */
  static Compactor keepNewest() {
    return keepNewest(DEFAULT_KEPT);
  }

  /**
   * Keeps at most {@code count} of the newest items, and in any case system and developer messages.
   * It cuts where a turn begins, or else between the steps of the last turn.
   */
  static Compactor keepNewest(int count) {
    return keepNewest(count, true);
  }

  /**
   * Keeps at most {@code count} of the newest items.
   *
   * @param preserveSystem whether system and developer messages stay in any case, or go when they
   *     are old like all others
   */
  static Compactor keepNewest(int count, boolean preserveSystem) {
    return new KeepNewest(count, preserveSystem);
  }
}
