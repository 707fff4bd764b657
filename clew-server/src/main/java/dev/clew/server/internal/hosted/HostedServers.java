package dev.clew.server.internal.hosted;

import dev.clew.Item;
import dev.clew.agent.Model;
import dev.clew.agent.ToolOutput;
import dev.clew.json.Json;
import dev.clew.mcptools.McpFailure;
import dev.clew.mcptools.McpTools;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.limits.FewAtOnce;
import dev.clew.server.operate.AuditLog;
import dev.clew.server.settings.McpSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The MCP servers that requests may use. Thread-safe. */
public final class HostedServers {
  private static final Logger LOG = LoggerFactory.getLogger(HostedServers.class);
  private static final Pattern LABEL = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");
  private static final int MOST = 16;
  private static final int AT_ONCE = 64;
  private static final int OF_AN_OWNER = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final McpSettings settings;
  private final AuditLog audit;
  private final FewAtOnce calls =
      new FewAtOnce("mcp_calls", AT_ONCE, OF_AN_OWNER, AT_ONCE, PATIENCE);

  public HostedServers(McpSettings settings, AuditLog audit) {
    this.settings = settings;
    this.audit = audit;
  }

  /**
   * What a request wants of MCP servers.
   *
   * @param history the items before the request
   * @param input those of the request
   * @param model runs the servers that this one may not call, if it can
   * @throws Problem if it is not possible
   */
  public Hosted open(
      String owner,
      String requestId,
      Fields fields,
      List<Item> history,
      List<Item> input,
      Model model) {
    List<HostedServer> servers = new ArrayList<>();
    try {
      Set<String> labels = new HashSet<>();
      AtomicLong left =
          new AtomicLong(fields.whole("max_tool_calls", 1, Long.MAX_VALUE).orElse(Long.MAX_VALUE));
      HostedServer.Guard guard = guard(owner, requestId, left);
      for (Fields tool : fields.objects("tools")) {
        if (tool.needText("type").equals("mcp")) {
          Optional<HostedServer> server = server(guard, tool, model);
          String label = tool.needText("server_label");
          if (!labels.add(label)) {
            server.ifPresent(HostedServer::close);
            throw Problem.invalidValue(
                tool.path("server_label"), "two tools have the label '" + label + "'");
          }
          server.ifPresent(servers::add);
        }
      }
      if (servers.size() > MOST) {
        throw Problem.invalidValue("tools", "more than " + MOST + " MCP servers");
      }
      boolean elsewhere = servers.size() < labels.size();
      return Hosted.of(servers, history, input, elsewhere);
    } catch (RuntimeException e) {
      servers.forEach(HostedServer::close);
      throw e;
    }
  }

  /** The server of a tool; empty if the model's provider calls it. */
  private Optional<HostedServer> server(HostedServer.Guard guard, Fields tool, Model model) {
    String label = tool.needText("server_label");
    if (!LABEL.matcher(label).matches()) {
      throw Problem.invalidValue(
          tool.path("server_label"),
          "it must be 1 to 64 letters, digits, _ or -, starting with a letter");
    }
    Optional<String> url = tool.text("server_url", 4_096);
    Optional<McpTools> named = url.isPresent() ? Optional.empty() : settings.named(label);
    boolean allowed = named.isPresent() || (url.isPresent() && allows(tool, url.get()));
    if (!allowed && model.takesTools("mcp")) {
      return Optional.empty();
    }
    refuseOthers(tool);
    if (named.isPresent()) {
      if (tool.has("headers") || tool.has("authorization")) {
        throw Problem.invalidValue(
            tool.path(tool.has("headers") ? "headers" : "authorization"),
            "the operator of this server has set up the MCP server '" + label + "'");
      }
      return Optional.of(new HostedServer(named.get(), true, tool, guard));
    }
    if (url.isEmpty()) {
      throw notSetUp(tool, label);
    }
    if (!allowed) {
      throw notAllowed(tool, label, url.get());
    }
    return Optional.of(new HostedServer(atUrl(tool, label, url.get()), false, tool, guard));
  }

  private boolean allows(Fields tool, String url) {
    try {
      var unused = McpTools.http(url);
    } catch (IllegalArgumentException e) {
      throw Problem.invalidValue(tool.path("server_url"), e.getMessage());
    }
    return settings.allows(url);
  }

  private static Problem notSetUp(Fields tool, String label) {
    return Problem.invalid(
        "mcp_server_not_allowed",
        tool.path("server_label"),
        "This server has no MCP server named '"
            + label
            + "'. Send its 'server_url', or have the operator set it up with --mcp "
            + label
            + "=URL.");
  }

  private static Problem notAllowed(Fields tool, String label, String url) {
    String address = McpTools.http(url).name(label).open().address();
    return Problem.invalid(
        "mcp_server_not_allowed",
        tool.path("server_url"),
        "The MCP server '"
            + label
            + "' at "
            + address
            + " may not be called from here. The operator of this server can allow it with"
            + " --mcp-allow "
            + address
            + ".");
  }

  private static void refuseOthers(Fields tool) {
    for (String name : List.of("connector_id", "tunnel_id")) {
      if (tool.has(name)) {
        throw Problem.invalid(
            "unsupported_parameter",
            tool.path(name),
            "'" + name + "' is not supported here; send 'server_url'.");
      }
    }
    if (tool.flag("defer_loading", false)) {
      throw Problem.invalid(
          "unsupported_value",
          tool.path("defer_loading"),
          "'defer_loading' is not supported here.");
    }
  }

  private McpTools atUrl(Fields tool, String label, String url) {
    McpTools.Builder builder = McpTools.http(url).name(label);
    if (!settings.allowsPrivate(url)) {
      builder.publicOnly();
    }
    Optional<Fields> headers = tool.object("headers");
    headers.ifPresent(
        all ->
            all.raw()
                .keySet()
                .forEach(name -> header(builder, all.path(name), name, all.text(name).orElse(""))));
    tool.text("authorization")
        .ifPresent(
            token ->
                header(builder, tool.path("authorization"), "Authorization", "Bearer " + token));
    return builder.open();
  }

  private static void header(McpTools.Builder builder, String path, String name, String value) {
    try {
      builder.header(name, value);
    } catch (IllegalArgumentException e) {
      throw Problem.invalidValue(path, e.getMessage());
    }
  }

  /** Counts, limits and records calls. */
  private HostedServer.Guard guard(String owner, String requestId, AtomicLong left) {
    return (server, tool, work) -> {
      if (left.getAndDecrement() <= 0) {
        return ToolOutput.of("Not done: this response has used up its max_tool_calls.", true);
      }
      String result = "failed";
      try {
        ToolOutput output = limited(owner, work);
        result = output.failed() ? "tool error" : "ok";
        return output;
      } finally {
        LOG.debug("{} MCP {} {}: {}", requestId, server, tool, result);
        String outcome = result;
        // Elsewhere: this thread may be interrupted, which a write to the store must not be.
        var unused =
            CompletableFuture.runAsync(
                () ->
                    audit.note(
                        "turn",
                        owner,
                        "mcp_call " + server,
                        AuditLog.key(owner, tool),
                        outcome,
                        requestId));
      }
    };
  }

  private ToolOutput limited(String owner, HostedServer.Work work)
      throws McpFailure, InterruptedException {
    record Done(Optional<ToolOutput> output, Optional<Exception> failure) {}
    Done done =
        calls.run(
            owner,
            () -> {
              try {
                return new Done(Optional.of(work.run()), Optional.empty());
              } catch (McpFailure | InterruptedException e) {
                return new Done(Optional.empty(), Optional.of(e));
              }
            });
    if (done.output().isPresent()) {
      return done.output().get();
    }
    Exception failure = done.failure().orElseThrow();
    if (failure instanceof McpFailure known) {
      throw known;
    }
    throw (InterruptedException) failure;
  }

  /** The tool of a request without what nobody may see. */
  public static void redact(Map<String, String> tool) {
    tool.remove("authorization");
    if (tool.containsKey("headers")) {
      tool.put("headers", "null");
    }
    String url = Json.string(tool.get("server_url"));
    if (url != null && url.indexOf('?') >= 0) {
      tool.put("server_url", Json.quote(url.substring(0, url.indexOf('?'))));
    }
  }
}
