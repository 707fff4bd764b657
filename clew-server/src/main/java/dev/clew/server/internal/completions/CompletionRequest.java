package dev.clew.server.internal.completions;

import dev.clew.json.Json;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.wire.Metadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A request for a completion. Immutable.
 *
 * @param usage whether a streamed answer ends with the usage
 * @param store what it says about storing, if it says anything
 * @param functions whether it uses the fields that came before tools
 * @param fields the whole request
 */
record CompletionRequest(
    String model,
    Given given,
    boolean stream,
    boolean usage,
    Optional<Boolean> store,
    boolean functions,
    Fields fields) {
  private static final Set<String> KNOWN =
      Set.of(
          "audio",
          "conversation",
          "frequency_penalty",
          "function_call",
          "functions",
          "logit_bias",
          "logprobs",
          "max_completion_tokens",
          "max_tokens",
          "messages",
          "metadata",
          "modalities",
          "model",
          "moderation",
          "n",
          "parallel_tool_calls",
          "prediction",
          "presence_penalty",
          "prompt_cache_key",
          "prompt_cache_options",
          "prompt_cache_retention",
          "reasoning_effort",
          "response_format",
          "safety_identifier",
          "seed",
          "service_tier",
          "stop",
          "store",
          "stream",
          "stream_options",
          "temperature",
          "tool_choice",
          "tools",
          "top_logprobs",
          "top_p",
          "user",
          "verbosity",
          "web_search_options");

  /**
   * Reads and checks a request.
   *
   * @param strict refuses unknown fields
   */
  static CompletionRequest read(Map<String, String> sent, boolean strict) {
    Fields fields = Fields.of(sent);
    String model = fields.needText("model");
    Given given = MessageReader.read(fields);
    if (strict) {
      fields.checkKnown(KNOWN);
    }
    checkNumbers(fields);
    checkAnswer(fields);
    ChatTools.check(fields);
    if (strict) {
      StrictChat.check(fields);
    }
    Metadata.read(fields.rawOr("metadata", "null"));
    fields.text("prompt_cache_key", 64);
    fields.text("safety_identifier", 128);
    boolean stream = fields.flag("stream", false);
    Optional<Fields> options = fields.object("stream_options");
    if (options.isPresent() && !stream) {
      throw Problem.invalidValue("stream_options", "it is only allowed when 'stream' is true");
    }
    return new CompletionRequest(
        model,
        given,
        stream,
        options.map(each -> each.flag("include_usage", false)).orElse(false),
        fields.flag("store"),
        fields.has("functions"),
        fields);
  }

  private static void checkNumbers(Fields fields) {
    fields
        .whole("n", 1, Integer.MAX_VALUE)
        .filter(n -> n > 1)
        .ifPresent(
            n -> {
              throw Problem.invalid(
                  "unsupported_value",
                  "n",
                  "Unsupported value: 'n' does not support "
                      + n
                      + " here. Only 1 is supported; send the request several times.");
            });
    fields.whole("max_completion_tokens", 1, Long.MAX_VALUE);
    fields.whole("max_tokens", 1, Long.MAX_VALUE);
    fields.whole("top_logprobs", 0, 20);
    fields.checkDecimal("temperature", 0, 2);
    fields.checkDecimal("top_p", 0, 1);
    fields.checkDecimal("presence_penalty", -2, 2);
    fields.checkDecimal("frequency_penalty", -2, 2);
  }

  private static void checkAnswer(Fields fields) {
    for (String kind : fields.texts("modalities")) {
      if (!kind.equals("text")) {
        throw Problem.invalid(
            "unsupported_value",
            "modalities",
            "Unsupported value: '" + kind + "'. The server answers in text only.");
      }
    }
    fields
        .object("response_format")
        .ifPresent(
            format -> {
              format.needText("type");
              String type =
                  format.word("type", "text", "json_object", "json_schema").orElse("text");
              if (type.equals("json_schema")) {
                format.needRaw("json_schema");
                Fields schema = format.object("json_schema").orElseThrow();
                schema.needText("name");
                schema.object("schema");
                schema.flag("strict", false);
              }
            });
    fields.text("reasoning_effort");
    fields.word("verbosity", "low", "medium", "high");
    fields.flag("parallel_tool_calls", true);
    stop(fields);
  }

  private static void stop(Fields fields) {
    String stop = fields.rawOr("stop", "[]");
    if (!stop.startsWith("\"") && !stop.startsWith("[")) {
      throw Problem.wrongType("stop", "a string or an array of up to 4 strings", stop);
    }
    List<String> words = stop.startsWith("\"") ? List.of() : fields.texts("stop");
    if (words.size() > 4) {
      throw Problem.invalidValue("stop", "it has " + words.size() + " elements; the limit is 4");
    }
  }

  /** How long the answer may be. */
  Optional<Long> longest() {
    return fields
        .whole("max_completion_tokens", 1, Long.MAX_VALUE)
        .or(() -> fields.whole("max_tokens", 1, Long.MAX_VALUE));
  }

  /** A text at a place that other programs use for other things too. */
  Optional<String> textIfAny(String name) {
    return fields.raw(name).map(Json::string);
  }

  boolean isStored() {
    return store.orElse(false);
  }
}
