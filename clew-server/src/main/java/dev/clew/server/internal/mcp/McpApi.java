package dev.clew.server.internal.mcp;

import dev.clew.ClewException;
import dev.clew.SessionStore;
import dev.clew.mcp.McpCaller;
import dev.clew.mcp.McpMessage;
import dev.clew.mcp.McpReply;
import dev.clew.mcp.McpServer;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.sessions.SearchApi;
import dev.clew.server.operate.Scope;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The transport of MCP over HTTP. Thread-safe. There are no sessions of the protocol and nothing is
 * sent unasked, so that any server of a store may answer any message.
 */
public final class McpApi {
  private static final String PATH = "/mcp";
  private static final String JSON = "application/json";

  private final McpServer server;

  public McpApi(SessionStore store, SearchApi search) {
    String version = McpApi.class.getPackage().getImplementationVersion();
    this.server =
        new McpServer(
            store,
            (filter, query) -> refusing(() -> search.search(filter, query)),
            version == null ? "0" : version);
  }

  public List<Route> routes() {
    return List.of(
        Route.post(PATH, Scope.READ, "Answers a message of an MCP client.", this::answer)
            .taking(McpServer.MOST_BYTES),
        Route.get(PATH, Scope.READ, "There is no stream of events.", McpApi::refuse),
        Route.delete(PATH, Scope.READ, "There is no session to end.", McpApi::refuse));
  }

  private static void refuse(Call call) {
    call.answerHeader("Allow", "POST");
    throw Problem.refused(405, "method_not_allowed", null, "Send messages with POST.");
  }

  private void answer(Call call) {
    if (!call.header("Content-Type").map(McpApi::mediaType).orElse(JSON).equals(JSON)) {
      throw Problem.refused(
          415, "unsupported_media_type", "Content-Type", "Send messages as application/json.");
    }
    if (!accepts(call.header("Accept").orElse("*/*"))) {
      throw Problem.refused(
          406, "not_acceptable", "Accept", "Accept application/json and text/event-stream.");
    }
    McpCaller caller =
        new McpCaller(
            call.owner(),
            call.principal().may(Scope.WRITE),
            call::isWanted,
            bytes ->
                refusing(
                    () -> {
                      call.needs(bytes);
                      return bytes;
                    }));
    McpReply reply =
        server.answer(
            caller,
            new McpMessage(
                call.body(),
                call.header("MCP-Protocol-Version"),
                call.header("Mcp-Method"),
                call.header("Mcp-Name"),
                true));
    reply
        .json()
        .ifPresentOrElse(
            json -> call.reply(reply.status(), JSON, json), () -> call.replyEmpty(reply.status()));
  }

  /** A refusal for lack of room becomes the tool's answer, which the model can act on. */
  private static <T> T refusing(Supplier<T> work) {
    try {
      return work.get();
    } catch (Problem e) {
      throw new ClewException.RateLimited(e.getMessage(), null);
    }
  }

  private static String mediaType(String header) {
    return header.split(";", -1)[0].strip().toLowerCase(Locale.ROOT);
  }

  private static boolean accepts(String header) {
    Set<String> types = new HashSet<>();
    for (String type : header.split(",", -1)) {
      types.add(mediaType(type));
    }
    return types.contains("*/*")
        || ((types.contains(JSON) || types.contains("application/*"))
            && (types.contains("text/event-stream") || types.contains("text/*")));
  }
}
