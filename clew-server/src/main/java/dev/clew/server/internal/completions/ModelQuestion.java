package dev.clew.server.internal.completions;

import dev.clew.Item;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelSettings;
import dev.clew.agent.OutputSchema;
import dev.clew.agent.TokenCounter;
import dev.clew.json.JsonText;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the request to the model: exactly the messages that the client sent. Stateless. */
final class ModelQuestion {
  /** Settings that have the same name in the Responses API or are none there. */
  private static final List<String> PASSED =
      List.of(
          "temperature",
          "top_p",
          "presence_penalty",
          "frequency_penalty",
          "stop",
          "seed",
          "logit_bias",
          "parallel_tool_calls",
          "prompt_cache_key",
          "prompt_cache_retention",
          "safety_identifier",
          "service_tier");

  private ModelQuestion() {}

  /**
   * The request.
   *
   * @param room the size of the model's context window
   * @throws Problem if the messages do not fit into it
   */
  static ModelRequest of(CompletionRequest request, long room) {
    checkSize(request, room);
    Fields fields = request.fields();
    return new ModelRequest(
        "",
        "",
        request.given().items(),
        ChatTools.functions(fields),
        schema(fields),
        settings(request),
        Optional.empty(),
        Optional.empty());
  }

  private static void checkSize(CompletionRequest request, long room) {
    long most = 0;
    for (Item item : request.given().items()) {
      most += JsonText.utf8Length(item.json()); // at least one byte per token
    }
    if (most <= room) {
      return;
    }
    TokenCounter counter = TokenCounter.forModel(request.model());
    long tokens = 0;
    for (Item item : request.given().items()) {
      tokens += counter.count(item);
      if (tokens > room) { // counting the rest takes long and changes nothing
        throw Problem.invalid(
            "context_length_exceeded",
            "messages",
            String.format(
                "This model's maximum context length is %d tokens. However, your messages resulted"
                    + " in at least %d tokens. Please reduce the length of the messages.",
                room, tokens));
      }
    }
  }

  private static Optional<OutputSchema> schema(Fields fields) {
    return fields
        .object("response_format")
        .flatMap(format -> format.object("json_schema"))
        .map(
            schema ->
                new OutputSchema(
                    schema.needText("name"),
                    schema.rawOr("schema", "{}"),
                    schema.flag("strict", false)));
  }

  private static ModelSettings settings(CompletionRequest request) {
    Fields fields = request.fields();
    Map<String, Object> all = new LinkedHashMap<>();
    for (String name : PASSED) {
      fields.value(name).ifPresent(value -> all.put(name, value));
    }
    request.longest().ifPresent(most -> all.put("max_output_tokens", most));
    request.textIfAny("user").ifPresent(user -> all.put("user", user));
    fields
        .value("top_logprobs")
        .filter(most -> fields.flag("logprobs", false))
        .ifPresent(most -> all.put("top_logprobs", most));
    fields
        .text("reasoning_effort")
        .ifPresent(effort -> all.put("reasoning", Map.of("effort", effort)));
    ChatTools.choice(fields).ifPresent(choice -> all.put("tool_choice", choice));
    List<Object> others = ChatTools.others(fields);
    if (!others.isEmpty()) {
      all.put("tools", others);
    }
    Map<String, Object> text = new LinkedHashMap<>();
    fields.text("verbosity").ifPresent(verbosity -> text.put("verbosity", verbosity));
    fields
        .object("response_format")
        .filter(format -> format.needText("type").equals("json_object"))
        .ifPresent(format -> text.put("format", Map.of("type", "json_object")));
    if (!text.isEmpty()) {
      all.put("text", text);
    }
    ModelSettings settings = ModelSettings.DEFAULT.store(false);
    for (Map.Entry<String, Object> each : all.entrySet()) {
      settings = settings.with(each.getKey(), each.getValue());
    }
    return settings;
  }
}
