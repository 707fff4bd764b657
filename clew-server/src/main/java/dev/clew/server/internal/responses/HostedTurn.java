package dev.clew.server.internal.responses;

import dev.clew.Item;
import dev.clew.View;
import dev.clew.agent.Agent;
import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.ModelSettings;
import dev.clew.agent.RunConfig;
import dev.clew.agent.RunEvent;
import dev.clew.agent.RunInput;
import dev.clew.agent.Runner;
import dev.clew.agent.Tool;
import dev.clew.agent.ToolCall;
import dev.clew.agent.ToolSpec;
import dev.clew.agent.Usage;
import dev.clew.json.Json;
import dev.clew.json.UncheckedJson;
import dev.clew.mcptools.McpFailure;
import dev.clew.server.internal.hosted.Hosted;
import dev.clew.server.internal.hosted.HostedItems;
import dev.clew.server.internal.hosted.HostedServer;
import dev.clew.server.internal.hosted.HostedTool;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.runs.Stop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Answers with the tools of MCP servers: a run of an agent, whose calls of these tools are items of
 * the output. Calls that need an approval, and functions of the client, end it. Used by one thread.
 */
final class HostedTurn {
  private static final int MOST_TURNS = 64;
  private static final String CHOICE = "tool_choice";
  private static final String TOOLS = "tools";

  /** What a client does itself before the model can go on. */
  private static final Set<String> OF_CLIENTS =
      Set.of(
          "custom_tool_call",
          "computer_call",
          "local_shell_call",
          "shell_call",
          "apply_patch_call");

  private final Hosted hosted;
  private final ModelRequest asked;
  private final Consumer<Usage> used;
  private final Output output;
  private final Stop stop;
  private final Map<String, HostedTool> tools = new LinkedHashMap<>();
  private final Map<String, String> begun = new HashMap<>();

  /** The client has to do something first. */
  private static final class ClientsTurn extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClientsTurn() {
      super("the client has to act", null, false, false);
    }
  }

  /**
   * One response.
   *
   * @param asked the request to the model, without the tools of the servers
   * @param used told about the usage of each answer
   */
  HostedTurn(Hosted hosted, ModelRequest asked, Consumer<Usage> used, Output output, Stop stop) {
    this.hosted = hosted;
    this.asked = asked;
    this.used = used;
    this.output = output;
    this.stop = stop;
  }

  /** Lists the tools and answers. */
  void answer(Model model, boolean streamed) {
    for (int i = 0; i < hosted.servers().size(); i++) {
      HostedServer server = hosted.servers().get(i);
      Optional<List<String>> known = hosted.listed().get(i);
      add(server.tools(known.orElseGet(() -> listed(server))));
    }
    List<Tool> all = new ArrayList<>(tools.values());
    asked.tools().forEach(function -> all.add(new ClientFunction(function)));
    Agent agent = agent(all);
    RunConfig config = RunConfig.DEFAULT.maxTurns(MOST_TURNS).listener(this::heard);
    Steps steps = new Steps(model, streamed);
    try {
      var unused =
          stop.guard(() -> Runner.with(steps).run(agent, RunInput.items(asked.input()), config));
    } catch (ClientsTurn e) {
      // Its items are in the output.
    }
  }

  private void add(List<HostedTool> more) {
    for (HostedTool tool : more) {
      if (tools.putIfAbsent(tool.name(), tool) != null) {
        throw Problem.invalidValue(
            TOOLS,
            "two tools of MCP servers are '"
                + tool.name()
                + "' for the model; change a"
                + " server_label, or name the 'allowed_tools'");
      }
    }
  }

  private static Agent agent(List<Tool> tools) {
    try {
      return Agent.builder().name("response").tools(tools).build();
    } catch (IllegalArgumentException e) { // two of one name, or one that no model takes
      throw Problem.invalidValue(TOOLS, e.getMessage());
    }
  }

  /** Lists the tools of a server, as an item of the output. A failure is in the item. */
  private List<String> listed(HostedServer server) {
    Item listing = HostedItems.listing(server.label());
    output.accept(new ModelEvent.ItemStarted(listing));
    List<String> found = List.of();
    String error = null;
    try {
      found = stop.guard(() -> list(server));
    } catch (Unlisted e) {
      error = e.getMessage();
    }
    output.answered(List.of(HostedItems.listed(listing, server.label(), found, error)));
    return found;
  }

  private static final class Unlisted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unlisted(String message) {
      super(message, null, false, false);
    }
  }

  private static List<String> list(HostedServer server) {
    try {
      return server.list();
    } catch (McpFailure e) {
      throw new Unlisted(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unlisted("interrupted");
    }
  }

  private void heard(RunEvent event) {
    if (event instanceof RunEvent.ToolStarted started) {
      tool(started.tool()).ifPresent(tool -> begin(tool, started.callId(), started.arguments()));
    } else if (event instanceof RunEvent.ToolFinished done) {
      tool(done.tool()).ifPresent(tool -> end(tool, done));
    }
  }

  private Optional<HostedTool> tool(String name) {
    return Optional.ofNullable(tools.get(name));
  }

  private void begin(HostedTool tool, String callId, String arguments) {
    begun.put(callId, arguments);
    output.calling(HostedItems.calling(tool, callId, ""), arguments);
  }

  private void end(HostedTool tool, RunEvent.ToolFinished done) {
    String error = tool.error(done.callId(), done.output(), done.failed());
    String text = error.equals("null") ? done.output() : null;
    String arguments = begun.getOrDefault(done.callId(), "");
    output.add(HostedItems.called(tool, done.callId(), arguments, text, error));
  }

  /** A function that the client runs: the answer ends with its call. */
  private record ClientFunction(ToolSpec spec) implements Tool {
    @Override
    public Object call(ToolCall call) {
      throw new IllegalStateException("the client calls it");
    }

    @Override
    public boolean needsApproval(ToolCall call) {
      return true;
    }
  }

  /** The model as the run sees it: calls that were approved are its first answer. */
  private final class Steps implements Model {
    private final Model model;
    private final boolean streamed;
    private boolean approvedDone;
    private boolean answered;
    private boolean clientMustAct;

    Steps(Model model, boolean streamed) {
      this.model = model;
      this.streamed = streamed;
    }

    @Override
    public ModelResponse respond(ModelRequest request) {
      if (!approvedDone) {
        approvedDone = true;
        List<Item> calls = new ArrayList<>();
        for (Hosted.Approved call : hosted.approved()) {
          calls.add(
              Item.functionCall(
                  call.callId(),
                  ToolSpec.nameOf(call.server().label(), call.tool()),
                  call.arguments()));
        }
        calls.forEach(HostedTurn.this::refuse);
        if (!calls.isEmpty()) {
          return ModelResponse.of(calls.toArray(Item[]::new));
        }
      }
      if (clientMustAct) {
        throw new ClientsTurn();
      }
      stop.check();
      ModelRequest real = request(request.input());
      ModelResponse answer = streamed ? model.stream(real, this::pass) : model.respond(real);
      answered = true;
      used.accept(answer.usage());
      output.answered(answer.output().stream().flatMap(item -> shown(item).stream()).toList());
      answer.output().forEach(HostedTurn.this::refuse);
      clientMustAct = answer.output().stream().anyMatch(HostedTurn::isOfClient);
      return answer;
    }

    private ModelRequest request(List<Item> input) {
      List<ToolSpec> specs = new ArrayList<>(asked.tools());
      tools.values().forEach(tool -> specs.add(tool.spec()));
      return new ModelRequest(
          asked.model(),
          instructions(),
          input,
          specs,
          asked.outputSchema(),
          settings(),
          Optional.empty(),
          Optional.empty());
    }

    private ModelSettings settings() {
      ModelSettings settings = asked.settings();
      Optional<Object> others = settings.get(TOOLS);
      if (others.isPresent()) {
        settings = settings.with(TOOLS, withoutOurs((List<?>) others.get()));
      }
      Optional<Object> choice = settings.get(CHOICE);
      if (choice.isEmpty() || "auto".equals(choice.get()) || "none".equals(choice.get())) {
        return settings;
      }
      // Once it has called what it must, it may answer.
      return settings.with(CHOICE, answered ? "auto" : choice(choice.get()));
    }

    private void pass(ModelEvent event) {
      stop.check();
      if (event instanceof ModelEvent.ItemStarted started) {
        begun(started.item()).ifPresent(item -> output.accept(new ModelEvent.ItemStarted(item)));
      } else if (event instanceof ModelEvent.ItemDone done && isCallOfOurs(done.item())) {
        // It goes on until the tool has answered.
      } else {
        output.accept(event);
      }
    }
  }

  private String instructions() {
    String text = asked.instructions();
    for (HostedServer server : hosted.servers()) {
      text = GivenTools.introduce(text, server.label(), server.description());
    }
    return text;
  }

  private List<?> withoutOurs(List<?> others) {
    return others.stream().filter(tool -> !isOurs(tool)).toList();
  }

  private boolean isOurs(Object tool) {
    return tool instanceof Map<?, ?> fields
        && "mcp".equals(fields.get("type"))
        && hosted.servers().stream()
            .anyMatch(server -> server.label().equals(fields.get("server_label")));
  }

  /** A tool of ours that must be called is a function for the model. */
  private Object choice(Object choice) {
    if (!isOurs(choice)) {
      return choice;
    }
    Map<?, ?> fields = (Map<?, ?>) choice;
    Object name = fields.get("name");
    return name == null
        ? "required"
        : ToolSpec.nameOf(String.valueOf(fields.get("server_label")), String.valueOf(name));
  }

  private static boolean isOfClient(Item item) {
    return OF_CLIENTS.contains(item.type()) || Namespaces.isCall(item);
  }

  private static String name(Item item) {
    String name = Json.string(UncheckedJson.fields(item.json()).get("name"));
    return name == null ? "" : name;
  }

  private boolean isFunctionOfClient(String name) {
    return asked.tools().stream().anyMatch(function -> function.name().equals(name));
  }

  /** Whether we call it, or answer that there is no such tool. */
  private boolean isCallOfOurs(Item item) {
    return item.type().equals("function_call")
        && !Namespaces.isCall(item)
        && !isFunctionOfClient(name(item));
  }

  /** An item that begins; a request for an approval begins when it is complete. */
  private Optional<Item> begun(Item item) {
    if (!isCallOfOurs(item)) {
      return Optional.of(item);
    }
    String callId = Json.string(UncheckedJson.fields(item.json()).get("call_id"));
    return callId == null
        ? Optional.empty()
        : tool(name(item))
            .filter(tool -> !tool.needsApproval())
            .map(tool -> HostedItems.calling(tool, callId, ""));
  }

  /** Shows that a tool was called which a server does not have, or the request leaves out. */
  private void refuse(Item item) {
    if (!(item.view() instanceof View.FunctionCall call)
        || !isCallOfOurs(item)
        || tool(call.name()).isPresent()) {
      return;
    }
    for (HostedServer server : hosted.servers()) {
      String start = ToolSpec.nameOf(server.label(), "");
      if (call.name().startsWith(start)) {
        String name = call.name().substring(start.length());
        String id = call.callId();
        output.calling(
            HostedItems.notOffered(server.label(), name, id, "", false), call.arguments());
        output.add(HostedItems.notOffered(server.label(), name, id, call.arguments(), true));
        return;
      }
    }
  }

  /** An item of an answer as clients see it: nothing yet if the model calls what nobody has. */
  private Optional<Item> shown(Item item) {
    if (!(item.view() instanceof View.FunctionCall call) || !isCallOfOurs(item)) {
      return Optional.of(item);
    }
    return tool(call.name())
        .map(
            tool ->
                tool.needsApproval()
                    ? HostedItems.approvalRequest(tool, call.arguments())
                    : HostedItems.calling(tool, call.callId(), call.arguments()));
  }
}
