package dev.clew.cli.mcp;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * The options that name MCP servers. Used by one thread.
 *
 * <p>picocli looks at the fields and signatures here at every start, so nothing of the servers may
 * appear in them.
 */
public final class McpServerOptions {
  @Option(names = "--mcp", paramLabel = "NAME=SERVER", split = "\n")
  List<String> servers = new ArrayList<>();

  @Option(names = "--mcp-only", paramLabel = "TOOL", split = ",")
  List<String> only = new ArrayList<>();

  @Option(names = "--mcp-without-approval", paramLabel = "TOOL", split = ",")
  List<String> withoutApproval = new ArrayList<>();

  @Option(names = "--mcp-header", paramLabel = "NAME=HEADER", split = "\n")
  List<String> headers = new ArrayList<>();

  @Option(names = "--mcp-env", paramLabel = "NAME=VARIABLE", split = ",")
  List<String> variables = new ArrayList<>();
}
