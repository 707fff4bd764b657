package dev.clew.server.internal.responses;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.ToolCallPairing;
import dev.clew.View;
import dev.clew.Window;
import dev.clew.agent.Compaction;
import dev.clew.agent.CompactionRequest;
import dev.clew.agent.Compactor;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelSettings;
import dev.clew.agent.OutputSchema;
import dev.clew.agent.TokenCounter;
import dev.clew.agent.TokenWindow;
import dev.clew.agent.ToolSpec;
import dev.clew.agent.Usage;
import dev.clew.json.Json;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.responses.TurnPreparer.PreparedTurn;
import dev.clew.server.internal.runs.CompactionSeal;
import dev.clew.server.internal.wire.Includes;
import dev.clew.server.internal.wire.WireItems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Makes the model request for a client's request. Thread-safe.
 *
 * @param summaries the compactor for given instructions, which may be empty
 * @param room the size of the model's context window
 */
record ModelContext(CompactionSeal seal, Function<String, Compactor> summaries, long room) {
  /** Settings that are passed on unchanged. */
  static final List<String> PASSED =
      List.of(
          "temperature",
          "top_p",
          "presence_penalty",
          "frequency_penalty",
          "max_output_tokens",
          "max_tool_calls",
          "parallel_tool_calls",
          "top_logprobs",
          "reasoning",
          "prompt_cache_key",
          "prompt_cache_retention",
          "safety_identifier",
          "service_tier",
          "user");

  /** Types whose ids and states mean nothing to the model's provider. */
  private static final Set<String> PLAIN =
      Set.of("message", "function_call", "function_call_output", "compaction");

  private static final String ENCRYPTED = "reasoning.encrypted_content";

  /**
   * The request to the model.
   *
   * @throws Problem if tool calls and outputs do not match, or there are too many items
   */
  ModelRequest request(
      String owner, CreateRequest request, List<Item> context, Namespaces namespaces) {
    checkPairs(context);
    List<Item> shown = shown(fitting(request, open(owner, context)));
    Fields fields = request.fields();
    List<ToolSpec> functions = GivenTools.functions(fields);
    functions.addAll(namespaces.functions());
    return new ModelRequest(
        "",
        namespaces.instructions(request.instructions().orElse("")),
        shown.stream().map(namespaces::toModel).toList(),
        functions,
        schema(fields),
        settings(fields, namespaces.areKnown()),
        Optional.empty(),
        Optional.empty());
  }

  /** Items with opened summaries and without our own ids and states. */
  List<Item> open(String owner, List<Item> items) {
    return seal.open(owner, items).stream().map(ModelContext::withoutOurs).toList();
  }

  /** Items in a form that every model reads. */
  private static List<Item> shown(List<Item> open) {
    return new CompactionRequest(open, Optional.empty(), false).modelInput();
  }

  private static Item withoutOurs(Item item) {
    boolean plain = PLAIN.contains(item.type());
    boolean reasoning = item.type().equals("reasoning");
    if (!plain && !reasoning) {
      return item;
    }
    Map<String, String> fields = UncheckedJson.fields(item.json());
    boolean changed = false;
    // Encrypted reasoning is bound to the provider's id.
    if (plain || Json.string(fields.get("encrypted_content")) == null) {
      changed = fields.remove("id") != null;
    }
    if (plain) {
      changed |= fields.remove("status") != null;
    }
    return changed ? Item.stored(WireItems.object(fields)) : item;
  }

  /**
   * Checks that each tool call has an output and each output a call.
   *
   * @throws Problem if not
   */
  static void checkPairs(List<Item> context) {
    ToolCallPairing pairing = new ToolCallPairing();
    for (int i = 0; i < context.size(); i++) {
      pairing.add(i, context.get(i));
    }
    for (ToolCallPairing.Unpaired lone : pairing.unpaired()) {
      throw Problem.refused(
          400,
          null,
          "input",
          lone.isOutput()
              ? "No tool call found for function call output with call_id " + lone.callId() + "."
              : "No tool output found for function call " + lone.callId() + ".");
    }
  }

  private List<Item> fitting(CreateRequest request, List<Item> items) {
    if (isSmall(items)) {
      return items;
    }
    long around = around(request.fields());
    TokenCounter counter = TokenCounter.forModel(request.model());
    long tokens = counter.count(items) + around;
    if (tokens <= room) {
      return items;
    }
    if (!request.truncate()) {
      throw Problem.invalid(
          "context_length_exceeded",
          "input",
          String.format(
              "Your input exceeds the context window of this model: %d tokens, and it has %d."
                  + " Shorten it, or set 'truncation' to 'auto'.",
              tokens, room));
    }
    MemorySession all = new MemorySession("context", items);
    return TokenWindow.of(Math.max(1, room - around), request.model()).read(all);
  }

  /** Whether the items obviously fit, so that they need not be counted. */
  private boolean isSmall(List<Item> items) {
    long most = 0;
    for (Item item : items) {
      most += 3L * item.json().length() + 1000; // UTF-8 bytes, at least one per token; an image
    }
    return most < room;
  }

  long tokens(String owner, CreateRequest request, List<Item> context) {
    return tokens(owner, request, context, () -> true);
  }

  /**
   * The tokens of a context.
   *
   * @param wanted whether the client still waits, asked before each item
   * @throws Problem if it does not
   */
  long tokens(String owner, CreateRequest request, List<Item> context, BooleanSupplier wanted) {
    TokenCounter counter = TokenCounter.forModel(request.model());
    long tokens = around(request.fields());
    for (Item item : open(owner, context)) {
      if (!wanted.getAsBoolean()) {
        throw Problem.unavailable("client_left", "The client has disconnected.");
      }
      tokens += counter.count(item);
    }
    return tokens;
  }

  private static long around(Fields fields) {
    TokenCounter counter = TokenCounter.forModel("");
    long tokens = counter.count(fields.text("instructions").orElse(""));
    for (String tool : fields.array("tools")) {
      tokens += counter.count(tool);
    }
    return tokens;
  }

  /**
   * A compacted context. Immutable.
   *
   * @param item the sealed summary
   */
  record Compacted(Item item, Usage usage) {}

  /**
   * Compacts a context.
   *
   * @param instructions what else the summary should keep, or how it should be written
   */
  Compacted compact(String owner, List<Item> items, String instructions) {
    Compaction made =
        summaries
            .apply(instructions)
            .compact(new CompactionRequest(open(owner, items), Optional.empty(), true));
    String summary =
        made.items().stream()
            .map(Item::view)
            .filter(View.Compaction.class::isInstance)
            .flatMap(view -> ((View.Compaction) view).summary().stream())
            .findFirst()
            .orElseThrow(
                () -> new ClewException.ModelFailed("the model wrote no summary", null, true));
    return new Compacted(seal.seal(owner, summary), made.usage());
  }

  /**
   * Whether the history of a turn must be compacted first: on request, or because it is too long.
   * Never in the middle of a turn, after the output of a tool, because the model's plan would be
   * lost.
   */
  boolean isDue(String owner, CreateRequest request, PreparedTurn turn) {
    if (turn.history().isEmpty() || !turn.input().stream().allMatch(Window::isLeftByCompaction)) {
      return false;
    }
    return request.wantsCompaction()
        || (request.compactAt().isPresent()
            && tokens(owner, request, turn.context()) > request.compactAt().get());
  }

  private static Optional<OutputSchema> schema(Fields fields) {
    return fields
        .object("text")
        .flatMap(text -> text.object("format"))
        .filter(format -> format.needText("type").equals("json_schema"))
        .map(
            format ->
                new OutputSchema(
                    format.needText("name"),
                    format.rawOr("schema", "{}"),
                    format.flag("strict", false)));
  }

  private static ModelSettings settings(Fields fields, boolean namespaces) {
    ModelSettings settings = ModelSettings.DEFAULT.store(false);
    for (String name : PASSED) {
      Optional<Object> value = fields.value(name);
      if (value.isPresent()) {
        settings = settings.with(name, value.get());
      }
    }
    Optional<Object> choice = GivenTools.choice(fields);
    if (choice.isPresent()) {
      settings = settings.with("tool_choice", choice.get());
    }
    List<Object> others = GivenTools.others(fields, namespaces);
    if (!others.isEmpty()) {
      settings = settings.with("tools", others);
    }
    Map<String, Object> text = text(fields);
    if (!text.isEmpty()) {
      settings = settings.with("text", text);
    }
    Set<String> include = new LinkedHashSet<>(fields.texts("include"));
    include.removeIf(name -> !Includes.isKnown(name));
    if (include.isEmpty()) {
      return settings;
    }
    include.add(ENCRYPTED);
    return settings.with("include", new ArrayList<>(include));
  }

  private static Map<String, Object> text(Fields fields) {
    Map<String, Object> out = new LinkedHashMap<>();
    Optional<Fields> text = fields.object("text");
    text.flatMap(each -> each.value("verbosity")).ifPresent(value -> out.put("verbosity", value));
    text.flatMap(each -> each.object("format"))
        .filter(format -> format.needText("type").equals("json_object"))
        .ifPresent(format -> out.put("format", Map.of("type", "json_object")));
    return out;
  }
}
