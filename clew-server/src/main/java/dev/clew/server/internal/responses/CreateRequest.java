package dev.clew.server.internal.responses;

import dev.clew.Item;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.wire.GivenItems;
import dev.clew.server.internal.wire.Includes;
import dev.clew.server.internal.wire.Metadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A request to create a response. Immutable.
 *
 * @param instructions for this response only
 * @param previous the id of the response to follow
 * @param background whether the caller does not wait
 * @param truncate whether the oldest items may be dropped to fit
 * @param compactAt the number of tokens from which on the context is compacted
 * @param generate false if the model is not asked, only the context prepared
 * @param fields the whole request
 */
record CreateRequest(
    String model,
    List<Item> input,
    Optional<String> instructions,
    Optional<String> conversation,
    Optional<String> previous,
    boolean store,
    boolean stream,
    boolean background,
    boolean truncate,
    Optional<Long> compactAt,
    boolean generate,
    Fields fields) {
  /** The body is limited, so this only refuses very many tiny items. */
  private static final int MOST_INPUT = 10_000;

  private static final int MOST_TEXT = 10_485_760;
  private static final Set<String> KNOWN =
      Stream.concat(
              ModelContext.PASSED.stream(),
              Stream.of(
                  "background",
                  "context_management",
                  "conversation",
                  "include",
                  "input",
                  "instructions",
                  "metadata",
                  "model",
                  "moderation",
                  "previous_response_id",
                  "prompt",
                  "prompt_cache_options",
                  "store",
                  "stream",
                  "stream_options",
                  "text",
                  "tool_choice",
                  "tools",
                  "truncation"))
          .collect(Collectors.toUnmodifiableSet());

  /**
   * Reads and checks a request in OpenAI's order: model, input, unknown fields, then each field.
   *
   * @param strict refuses unknown fields
   */
  static CreateRequest read(Map<String, String> sent, boolean strict) {
    return read(sent, strict, true);
  }

  /** The same, perhaps without a question to the model, and then perhaps without any input. */
  static CreateRequest read(Map<String, String> sent, boolean strict, boolean generate) {
    Fields fields = Fields.of(sent);
    fields.needRaw("model");
    if (sent.containsKey("messages")) {
      throw Problem.invalid(
          "unsupported_parameter",
          null,
          "Unsupported parameter: 'messages'. In the Responses API, this parameter has moved to"
              + " 'input'. Try again with the new parameter.");
    }
    if (generate) {
      checkSomething(fields);
    }
    if (strict) {
      fields.checkKnown(KNOWN);
    }
    String model = fields.needText("model");
    List<Item> input = input(fields, strict);
    GivenTools.check(fields);
    checkNumbers(fields);
    checkRest(fields, strict);
    Optional<Fields> compaction = compaction(fields);
    return new CreateRequest(
        model,
        input,
        fields.text("instructions").filter(text -> !text.isEmpty()),
        conversation(fields),
        fields.text("previous_response_id"),
        fields.flag("store", true),
        fields.flag("stream", false),
        background(fields),
        fields.word("truncation", "auto", "disabled").equals(Optional.of("auto")),
        compaction.flatMap(each -> each.whole("compact_threshold", 1000, Long.MAX_VALUE)),
        generate,
        fields);
  }

  private static void checkSomething(Fields fields) {
    String input = fields.rawOr("input", "[]");
    boolean empty = input.equals("\"\"") || input.matches("\\[\\s*]");
    if (empty
        && !fields.has("previous_response_id")
        && !fields.has("prompt")
        && !fields.has("conversation")) {
      throw Problem.invalid(
          "missing_required_parameter",
          null,
          "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation' must be"
              + " provided.");
    }
  }

  private static List<Item> input(Fields fields, boolean strict) {
    Optional<String> raw = fields.raw("input");
    if (raw.isEmpty()) {
      return List.of();
    }
    if (raw.get().startsWith("\"")) {
      String text = fields.text("input", MOST_TEXT).orElseThrow();
      return text.isEmpty() ? List.of() : List.of(Item.user(text));
    }
    if (!raw.get().startsWith("[")) {
      throw Problem.wrongType("input", "a string or an array of items", raw.get());
    }
    return GivenItems.read("input", raw.get(), MOST_INPUT, strict);
  }

  private static void checkNumbers(Fields fields) {
    fields.whole("max_output_tokens", 16, Long.MAX_VALUE);
    fields.whole("max_tool_calls", 1, Long.MAX_VALUE);
    fields.whole("top_logprobs", 0, 20);
    fields.checkDecimal("temperature", 0, 2);
    fields.checkDecimal("top_p", 0, 1);
    fields.checkDecimal("presence_penalty", -2, 2);
    fields.checkDecimal("frequency_penalty", -2, 2);
  }

  private static void checkRest(Fields fields, boolean strict) {
    Metadata.read(fields.rawOr("metadata", "null"));
    Includes.check(fields.texts("include"), strict);
    fields.flag("parallel_tool_calls", true);
    fields.object("reasoning");
    fields.object("stream_options");
    fields.text("prompt_cache_key", 64);
    fields.text("safety_identifier", 128);
    fields.text("service_tier");
    fields.text("user");
    fields.object("prompt");
    ModelContext.PASSED.forEach(fields::value);
    fields
        .object("text")
        .ifPresent(
            text -> {
              text.word("verbosity", "low", "medium", "high");
              text.object("format").ifPresent(CreateRequest::checkFormat);
            });
  }

  private static void checkFormat(Fields format) {
    format.needText("type");
    String type = format.word("type", "text", "json_object", "json_schema").orElse("text");
    if (type.equals("json_schema")) {
      format.needText("name");
      format.needRaw("schema");
      format.object("schema");
      format.flag("strict", false);
    }
  }

  private static Optional<Fields> compaction(Fields fields) {
    List<Fields> all = fields.objects("context_management");
    all.forEach(
        each -> {
          each.needText("type");
          each.word("type", "compaction");
        });
    return all.stream().findFirst();
  }

  private static Optional<String> conversation(Fields fields) {
    Optional<String> raw = fields.raw("conversation");
    if (raw.isPresent() && raw.get().startsWith("{")) {
      return Optional.of(fields.object("conversation").orElseThrow().needText("id"));
    }
    if (raw.isPresent() && !raw.get().startsWith("\"")) {
      throw Problem.wrongType("conversation", "a string or an object", raw.get());
    }
    return fields.text("conversation");
  }

  private static boolean background(Fields fields) {
    boolean background = fields.flag("background", false);
    if (background && !fields.flag("store", true)) {
      throw Problem.invalid(
          "invalid_value", "background", "Background mode requires 'store' to be true.");
    }
    return background;
  }

  /** Checks parameters that exclude each other, after each was checked by itself. */
  void checkExclusive() {
    if (conversation.isPresent() && previous.isPresent()) {
      throw Problem.invalid(
          "mutually_exclusive_parameters",
          null,
          "Mutually exclusive parameters: ''. Ensure you are only providing one of:"
              + " 'previous_response_id' or 'conversation'.");
    }
  }

  void checkPrompt() {
    if (fields.has("prompt")) {
      String id = fields.object("prompt").flatMap(prompt -> prompt.text("id")).orElse("");
      throw Problem.notFound("Prompt with id '" + id + "' not found.");
    }
  }

  /** Whether the input ends with a request to compact now. */
  boolean wantsCompaction() {
    return !input.isEmpty() && input.get(input.size() - 1).type().equals("compaction_trigger");
  }
}
