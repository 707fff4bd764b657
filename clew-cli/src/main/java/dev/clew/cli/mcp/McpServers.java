package dev.clew.cli.mcp;

import dev.clew.cli.terminal.Failure;
import dev.clew.mcptools.McpTools;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The MCP servers that options name. Used by one thread; whoever opened them closes them. */
public final class McpServers implements AutoCloseable {
  private static final Pattern NAMED = Pattern.compile("(?s)([A-Za-z0-9_-]{1,64})=(.+)");
  private static final Pattern HEADER = Pattern.compile("([^:]+):\\s*(.*)");
  private static final Pattern VARIABLE =
      Pattern.compile("\\$(?:\\{([A-Za-z_][A-Za-z0-9_]*)}|([A-Za-z_][A-Za-z0-9_]*))");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

  private final List<McpTools> all = new ArrayList<>();

  private McpServers() {}

  /**
   * The servers. None is started or called yet.
   *
   * @throws Failure if an option makes no sense
   */
  public static McpServers open(McpServerOptions options, Map<String, String> env) {
    Map<String, McpTools.Builder> named = new LinkedHashMap<>();
    for (String server : options.servers) {
      String[] parts = split("--mcp", server, "docs=https://mcp.example.com/mcp");
      if (named.containsKey(parts[0])) {
        throw wrong("--mcp", "two servers have the name '" + parts[0] + "'; rename one");
      }
      named.put(parts[0], builder(parts[0], parts[1]));
    }
    for (String header : options.headers) {
      String[] parts = split("--mcp-header", header, "docs=Authorization: Bearer $DOCS_TOKEN");
      Matcher matcher = HEADER.matcher(parts[1]);
      if (!matcher.matches()) {
        throw wrong("--mcp-header", "write NAME=HEADER: VALUE");
      }
      McpTools.Builder server = find("--mcp-header", named, parts[0]);
      check("--mcp-header", () -> server.header(matcher.group(1), filled(matcher.group(2), env)));
    }
    for (String variable : options.variables) {
      String[] parts = split("--mcp-env", variable, "files=API_KEY");
      String value = env.get(parts[1]);
      if (value == null) {
        throw wrong("--mcp-env", "the environment has no variable '" + parts[1] + "'");
      }
      find("--mcp-env", named, parts[0]).environment(parts[1], value);
    }
    byServer(
        "--mcp-only",
        options.only,
        named,
        (server, tools) -> server.only(tools.toArray(String[]::new)));
    byServer(
        "--mcp-without-approval",
        options.withoutApproval,
        named,
        (server, tools) ->
            server.withoutApproval(
                tools.contains("") ? new String[0] : tools.toArray(String[]::new)));
    McpServers servers = new McpServers();
    named.values().forEach(builder -> servers.all.add(builder.open()));
    return servers;
  }

  private static String[] split(String option, String text, String example) {
    Matcher matcher = NAMED.matcher(text.strip());
    if (!matcher.matches()) {
      throw wrong(option, "'" + text + "' has no name; write it as " + example);
    }
    return new String[] {matcher.group(1), matcher.group(2).strip()};
  }

  private static McpTools.Builder builder(String name, String server) {
    McpTools.Builder[] made = new McpTools.Builder[1];
    check(
        "--mcp",
        () ->
            made[0] =
                (server.matches("(?i)https?://.*")
                        ? McpTools.http(server)
                        : McpTools.stdio(words(server)))
                    .name(name));
    return made[0];
  }

  /** The words of a command, of which some may have quotes. */
  private static String[] words(String command) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(command);
    while (matcher.find()) {
      String quoted = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
      words.add(quoted == null ? matcher.group(3) : quoted);
    }
    return words.toArray(String[]::new);
  }

  /** Tells each server which of its tools an option names; an empty name stands for all. */
  private static void byServer(
      String option,
      List<String> tools,
      Map<String, McpTools.Builder> named,
      BiConsumer<McpTools.Builder, List<String>> change) {
    Map<String, List<String>> all = new LinkedHashMap<>();
    for (String tool : tools) {
      int mark = tool.indexOf("__");
      String name = mark < 0 ? tool.strip() : tool.substring(0, mark).strip();
      all.computeIfAbsent(name, any -> new ArrayList<>())
          .add(mark < 0 ? "" : tool.substring(mark + 2).strip());
    }
    all.forEach((name, its) -> change.accept(find(option, named, name), its));
  }

  private static McpTools.Builder find(
      String option, Map<String, McpTools.Builder> named, String name) {
    McpTools.Builder server = named.get(name);
    if (server == null) {
      throw wrong(
          option, "there is no MCP server '" + name + "'; name it with --mcp " + name + "=…");
    }
    return server;
  }

  private static String filled(String text, Map<String, String> env) {
    return VARIABLE
        .matcher(text)
        .replaceAll(
            found -> {
              String name = found.group(1) == null ? found.group(2) : found.group(1);
              String value = env.get(name);
              if (value == null) {
                throw new IllegalArgumentException(
                    "the environment has no variable '" + name + "'");
              }
              return Matcher.quoteReplacement(value);
            });
  }

  private static void check(String option, Runnable change) {
    try {
      change.run();
    } catch (IllegalArgumentException e) {
      throw wrong(option, String.valueOf(e.getMessage()));
    }
  }

  private static Failure wrong(String option, String why) {
    return Failure.usage(option + ": " + why).in(option);
  }

  /** The servers. */
  public List<McpTools> all() {
    return List.copyOf(all);
  }

  @Override
  public void close() {
    all.forEach(McpTools::close);
  }
}
