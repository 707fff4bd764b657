package dev.clew.mcp;

/** What a model can correct: the sentence goes to it as the tool's result. Has no stack trace. */
final class ToolFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ToolFailure(String sentence) {
    super(sentence, null, false, false);
  }

  static ToolFailure noSession(String id) {
    return new ToolFailure(
        "There is no conversation '"
            + id
            + "'; list_conversations and search_conversations return"
            + " their ids.");
  }
}
