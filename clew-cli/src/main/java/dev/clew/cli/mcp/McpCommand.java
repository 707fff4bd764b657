package dev.clew.cli.mcp;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.mcp.McpCaller;
import dev.clew.mcp.McpServer;
import dev.clew.mcp.McpStdio;
import dev.clew.mcp.Searching;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code clew mcp}: serves another agent. Used once, by one thread. */
@Command(name = "mcp")
public final class McpCommand extends StoreAction {
  @Option(names = "--write")
  boolean write;

  @Override
  protected SessionStore open() {
    return clew.openStore(write ? Opening.CREATE : Opening.READ);
  }

  @Override
  protected int run(SessionStore store) {
    String version = McpCommand.class.getPackage().getImplementationVersion();
    McpServer server = new McpServer(store, Searching.of(store), version == null ? "0" : version);
    try {
      McpStdio.serve(
          server,
          McpCaller.of(clew.owner(), write),
          clew.surroundings().in(),
          json -> clew.out().line(json).flush());
    } catch (IOException e) {
      throw Failure.failed("cannot read standard input: " + Humanize.reason(e));
    }
    return ExitCode.OK;
  }
}
