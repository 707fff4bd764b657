package dev.clew.mcptools;

import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the list of a server's tools. Used once, by one thread. */
final class Listing {
  private static final Logger LOG = LoggerFactory.getLogger(Listing.class);

  private final McpTools server;
  private final List<McpTool> tools = new ArrayList<>();
  private long chars;
  private int seen;

  Listing(McpTools server) {
    this.server = server;
  }

  List<McpTool> read(Wire wire) throws McpFailure, InterruptedException {
    long end = System.nanoTime() + server.limit().toNanos();
    String cursor = "";
    for (int page = 0; page < Bounds.PAGES; page++) {
      JsonObject params = new JsonObject();
      String result =
          wire.ask(
              "tools/list",
              (cursor.isEmpty() ? params : params.put("cursor", cursor)).toString(),
              Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      Map<String, String> fields = Json.fields(result);
      String all = fields.getOrDefault("tools", "");
      if (!all.startsWith("[")) {
        throw McpFailure.connection("its list of tools is not a list");
      }
      for (String tool : Json.elements(all)) {
        add(tool);
      }
      String next = Json.string(fields.get("nextCursor"));
      if (next == null || next.isEmpty()) {
        checkNames();
        return tools;
      }
      cursor = next;
    }
    throw McpFailure.connection("its list of tools has more than " + Bounds.PAGES + " pages");
  }

  private void add(String json) throws McpFailure {
    if (++seen > Bounds.PAGES * Bounds.TOOLS) {
      throw McpFailure.connection("its list of tools is too long");
    }
    Map<String, String> fields = json.startsWith("{") ? Json.fields(json) : Map.of();
    String name = text(fields, "name");
    String schema = fields.getOrDefault("inputSchema", "{}");
    if (name.isEmpty()
        || name.length() > Bounds.NAME_CHARS
        || !name.equals(Bounds.quoted(name))
        || schema.length() > Bounds.SCHEMA_CHARS) {
      LOG.warn(
          "MCP server {}: the tool '{}' is left out: its name is not a short text, or its schema"
              + " has more than {} characters",
          server.name(),
          Bounds.quoted(name),
          Bounds.SCHEMA_CHARS);
      return;
    }
    if (!server.offers(name)) {
      return;
    }
    McpTool tool =
        McpTool.of(
            server,
            name,
            Bounds.clean(text(fields, "description"), Bounds.DESCRIPTION_CHARS),
            schema,
            fields.getOrDefault("annotations", "null"));
    chars += tool.json().length();
    if (tools.size() == Bounds.TOOLS || chars > Bounds.LISTING_CHARS) {
      throw McpFailure.connection(
          "it has more than "
              + Bounds.TOOLS
              + " tools, or their descriptions are too long; name the tools that you want");
    }
    tools.add(tool);
  }

  /** Two tools of one name would hide each other from the model. */
  private void checkNames() throws McpFailure {
    Map<String, String> names = new HashMap<>();
    for (McpTool tool : tools) {
      String other = names.put(tool.name(), tool.tool());
      if (other != null) {
        throw McpFailure.connection(
            "its tools '"
                + other
                + "' and '"
                + tool.tool()
                + "' have the same name for models, '"
                + tool.name()
                + "'");
      }
    }
  }

  private static String text(Map<String, String> fields, String name) {
    String text = Json.string(fields.get(name));
    return text == null ? "" : text;
  }
}
