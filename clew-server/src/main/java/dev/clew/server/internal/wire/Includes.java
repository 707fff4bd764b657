package dev.clew.server.internal.wire;

import dev.clew.server.internal.http.Problem;
import java.util.List;
import java.util.Set;

/** The {@code include} parameter; everything it may name is always included. Stateless. */
public final class Includes {
  private static final Set<String> KNOWN =
      Set.of(
          "file_search_call.results",
          "web_search_call.results",
          "web_search_call.action.sources",
          "message.input_image.image_url",
          "computer_call_output.output.image_url",
          "code_interpreter_call.outputs",
          "reasoning.encrypted_content",
          "message.output_text.logprobs");

  private Includes() {}

  public static boolean isKnown(String value) {
    return KNOWN.contains(value);
  }

  /** Refuses values that are not known if strict; otherwise they are ignored. */
  public static void check(List<String> values, boolean strict) {
    for (int i = 0; strict && i < values.size(); i++) {
      if (!KNOWN.contains(values.get(i))) {
        throw Problem.invalid(
            "invalid_value",
            "include[" + i + "]",
            "Invalid value: '%s'. Supported values are: '%s'."
                .formatted(values.get(i), String.join("', '", KNOWN.stream().sorted().toList())));
      }
    }
  }
}
