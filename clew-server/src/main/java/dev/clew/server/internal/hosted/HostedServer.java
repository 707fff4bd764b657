package dev.clew.server.internal.hosted;

import dev.clew.agent.ToolOutput;
import dev.clew.mcptools.McpFailure;
import dev.clew.mcptools.McpTool;
import dev.clew.mcptools.McpTools;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** An MCP server during one response. Thread-safe. Whoever made it closes it. */
public final class HostedServer implements AutoCloseable {
  private final McpTools tools;
  private final boolean ours;
  private final String description;
  private final Choice offered;
  private final Predicate<HostedTool> approval;
  private final Guard guard;
  private final Map<String, String> approved = new ConcurrentHashMap<>();
  private final Map<String, Approvals.Mark> marks = new ConcurrentHashMap<>();

  /** Runs calls, within the limits of an owner. */
  interface Guard {
    ToolOutput run(String server, String tool, Work work) throws McpFailure, InterruptedException;
  }

  /** A call. */
  interface Work {
    ToolOutput run() throws McpFailure, InterruptedException;
  }

  /**
   * Some of a server's tools. Immutable.
   *
   * @param names empty for any
   * @param readOnly whether only those that change nothing, or only the others
   */
  private record Choice(Optional<Set<String>> names, Optional<Boolean> readOnly) {
    static final Choice ALL = new Choice(Optional.empty(), Optional.empty());

    /** What a field says: a list of names, or a filter. */
    static Optional<Choice> read(Fields fields, String name) {
      Optional<String> raw = fields.raw(name);
      if (raw.isEmpty()) {
        return Optional.empty();
      }
      if (raw.get().startsWith("[")) {
        Set<String> names = new HashSet<>(fields.texts(name));
        return Optional.of(new Choice(Optional.of(names), Optional.empty()));
      }
      Fields filter = fields.object(name).orElseThrow();
      Optional<Set<String>> names =
          filter.has("tool_names")
              ? Optional.of(new HashSet<>(filter.texts("tool_names")))
              : Optional.empty();
      return Optional.of(new Choice(names, filter.flag("read_only")));
    }

    boolean has(String tool, boolean isReadOnly) {
      return (names.isEmpty() || names.get().contains(tool))
          && (readOnly.isEmpty() || readOnly.get() == isReadOnly);
    }
  }

  /**
   * A server.
   *
   * @param ours whether the operator set it up, for all responses
   * @param fields what the request says
   */
  HostedServer(McpTools tools, boolean ours, Fields fields, Guard guard) {
    this.tools = tools;
    this.ours = ours;
    this.guard = guard;
    this.description = fields.text("server_description", 4_096).orElse("");
    this.offered = Choice.read(fields, "allowed_tools").orElse(Choice.ALL);
    this.approval = approval(fields);
  }

  /** Tools that are not listed need an approval. */
  private static Predicate<HostedTool> approval(Fields fields) {
    String name = "require_approval";
    String raw = fields.rawOr(name, "\"always\"");
    if (!raw.startsWith("{")) {
      boolean always = fields.word(name, "always", "never").orElse("always").equals("always");
      return tool -> always;
    }
    Fields filters = fields.object(name).orElseThrow();
    Optional<Choice> never = Choice.read(filters, "never");
    Optional<Choice> always = Choice.read(filters, "always");
    if (never.isEmpty() && always.isEmpty()) {
      throw Problem.invalidValue(fields.path(name), "it has neither 'always' nor 'never'");
    }
    return tool ->
        never.isEmpty()
            || !never.get().has(tool.tool(), tool.isReadOnly())
            || (always.isPresent() && always.get().has(tool.tool(), tool.isReadOnly()));
  }

  public String label() {
    return tools.name();
  }

  public String description() {
    return description;
  }

  boolean needsApproval(HostedTool tool) {
    return approval.test(tool);
  }

  Optional<String> approval(String callId) {
    return Optional.ofNullable(approved.get(callId));
  }

  void approve(String callId, String request) {
    approved.put(callId, request);
  }

  /** An approved call may be made. */
  void may(String callId, Approvals.Mark mark) {
    marks.put(callId, mark);
  }

  ToolOutput guarded(String callId, String tool, Work work)
      throws McpFailure, InterruptedException {
    return guard.run(
        label(),
        tool,
        () -> {
          Optional.ofNullable(marks.get(callId)).ifPresent(Approvals.Mark::made);
          return work.run();
        });
  }

  /** The JSON of its tools, as the API lists them. */
  public List<String> list() throws McpFailure, InterruptedException {
    return tools.list().stream()
        .filter(tool -> offered.has(tool.tool(), tool.isReadOnly()))
        .map(McpTool::json)
        .toList();
  }

  /**
   * Whether the request lets a tool be called.
   *
   * @param listed the server's tools, as far as they are known
   */
  boolean mayOffer(String tool, List<String> listed) {
    return offered.names().map(names -> names.contains(tool)).orElse(true)
        && listed.stream()
            .filter(json -> json.startsWith("{"))
            .flatMap(json -> tools.tool(json).stream())
            .filter(each -> each.tool().equals(tool))
            .allMatch(each -> offered.has(tool, each.isReadOnly()));
  }

  /** The tools of a list, without those the request leaves out. */
  public List<HostedTool> tools(List<String> listed) {
    return listed.stream()
        .filter(json -> json.startsWith("{"))
        .flatMap(json -> tools.tool(json).stream())
        .filter(tool -> offered.has(tool.tool(), tool.isReadOnly()))
        .map(tool -> new HostedTool(tool, this))
        .toList();
  }

  @Override
  public void close() {
    marks.values().forEach(Approvals.Mark::close);
    if (!ours) {
      tools.close();
    }
  }
}
