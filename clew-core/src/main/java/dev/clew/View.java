package dev.clew;

import java.util.List;
import java.util.Optional;

/**
 * What an {@link Item} says, as typed values. Immutable. A view shows what Clew understands; the
 * item's text remains the whole truth.
 *
 * <pre>{@code
 * String text = item.view() instanceof View.Message message ? message.text() : "";
 * }</pre>
 */
public sealed interface View {

  /** A message of a role. Content given as a plain string is one text part. */
  record Message(Role role, List<Part> content) implements View {
    /** Makes the content unmodifiable. */
    public Message {
      content = List.copyOf(content);
    }

    /** The text parts and refusals, joined. */
    public String text() {
      return Parts.text(content);
    }
  }

  /** The model asks for a tool. The arguments are JSON text, as the model wrote them. */
  record FunctionCall(String callId, String name, String arguments) implements View {}

  /** What a tool answered. Output given as a plain string is one text part. */
  record FunctionCallOutput(String callId, List<Part> output) implements View {
    /** Makes the output unmodifiable. */
    public FunctionCallOutput {
      output = List.copyOf(output);
    }

    /** The text parts, joined. */
    public String text() {
      return Parts.text(output);
    }
  }

  /** The model's reasoning, as plaintext if the model shows it. */
  record Reasoning(List<Part> summary, List<Part> content, Optional<String> encryptedContent)
      implements View {
    /** Makes the lists unmodifiable. */
    public Reasoning {
      summary = List.copyOf(summary);
      content = List.copyOf(content);
    }

    /** The summary and the content, joined. */
    public String text() {
      return Parts.text(summary) + Parts.text(content);
    }
  }

  /** Stands for a longer history that was compacted. */
  record Compaction(Optional<String> encryptedContent, Optional<String> summary) implements View {}

  /** An item of any other type, or one that lacks what its type requires. */
  record Other(String type) implements View {}
}
