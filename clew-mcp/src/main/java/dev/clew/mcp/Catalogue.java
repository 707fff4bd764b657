package dev.clew.mcp;

import dev.clew.ClewException;
import dev.clew.SessionStore;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.kit.Resources;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All tools, and how they are called. Thread-safe. */
final class Catalogue {
  private static final Logger LOG = LoggerFactory.getLogger(Catalogue.class);

  private final Map<String, Tool> tools = new LinkedHashMap<>();

  Catalogue(SessionStore store, Searching searching) {
    Map<String, Tool.Work> work = new HashMap<>(new ReadTools(store, searching).all());
    work.putAll(new WriteTools(store).all());
    for (String description : Json.elements(Resources.text(Catalogue.class, "tools.json"))) {
      Tool tool = Tool.of(Json.readObject(description), work);
      tools.put(tool.name(), tool);
    }
  }

  /** What clients are told of the tools that the caller may call. */
  List<String> list(McpCaller caller) {
    return tools.values().stream()
        .filter(tool -> caller.mayWrite() || !tool.writes())
        .map(Tool::json)
        .toList();
  }

  JsonObject call(McpCaller caller, String name, Map<String, String> given) {
    Tool tool = tools.get(name);
    if (tool == null || (tool.writes() && !caller.mayWrite())) {
      throw RpcError.invalidParams("There is no tool '" + name + "'.");
    }
    try {
      String result = tool.work().run(caller, tool.input().read(given)).toString();
      return content(result).raw("structuredContent", result);
    } catch (ToolFailure e) {
      return content(String.valueOf(e.getMessage())).put("isError", true);
    } catch (ClewException e) {
      return content(sentence(name, e)).put("isError", true);
    }
  }

  private static JsonObject content(String text) {
    return new JsonObject()
        .putAll("content", List.of(new JsonObject().put("type", "text").put("text", text)));
  }

  /** Where the store is, and what it looks like, is none of the client's business. */
  private static String sentence(String tool, ClewException e) {
    if (e instanceof ClewException.SessionBusy) {
      return "A turn is running in this conversation; try again in a few seconds.";
    }
    if (e instanceof ClewException.RateLimited
        || e instanceof ClewException.InvalidItem
        || e instanceof ClewException.LimitExceeded
        || e instanceof ClewException.NotSupported) {
      return String.valueOf(e.getMessage());
    }
    if (e instanceof ClewException.VersionConflict conflict) {
      return conflict.operationReused()
          ? "This idempotency_key was used for another message; use a new one."
          : "The conversation was changed meanwhile; read it and decide again.";
    }
    if (e instanceof ClewException.CorruptRecord) {
      return "The conversation is damaged there and cannot be read; 'clew doctor' says more.";
    }
    LOG.warn("MCP tool {} failed", tool, e);
    return "The store cannot be used at the moment; try again.";
  }
}
