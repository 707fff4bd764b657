package dev.clew.agent;

/**
 * Tokens that were used. Immutable.
 *
 * @param requests how many requests they are of
 * @param inputTokens all tokens of the input
 * @param cachedTokens those of the input that came out of the provider's cache
 * @param outputTokens all tokens of the output
 * @param reasoningTokens those of the output that were reasoning
 */
public record Usage(
    int requests, long inputTokens, long cachedTokens, long outputTokens, long reasoningTokens) {
  /** Nothing. */
  public static final Usage NONE = new Usage(0, 0, 0, 0, 0);

  /** One request. */
  public static Usage of(long inputTokens, long outputTokens) {
    return new Usage(1, inputTokens, 0, outputTokens, 0);
  }

  /** Both together. */
  public Usage plus(Usage other) {
    return new Usage(
        requests + other.requests,
        inputTokens + other.inputTokens,
        cachedTokens + other.cachedTokens,
        outputTokens + other.outputTokens,
        reasoningTokens + other.reasoningTokens);
  }

  /** Input and output. */
  public long totalTokens() {
    return inputTokens + outputTokens;
  }
}
