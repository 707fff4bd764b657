package dev.clew.cli;

import dev.clew.cli.terminal.SystemTerminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Does what short commands, a chat and {@code mcp} do, where nobody sees it: the launcher runs it
 * once and keeps the classes that it needed in an archive. Stateless.
 */
final class CdsTraining {
  private static final String CHAT =
      """
      meeting tomorrow at 2pm
      move it to 3pm
      search for meeting
      what do I have next week?
      /title training
      /sessions
      /export
      cancel it
      y
      /undo
      """;

  private static final String MCP =
      """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
      {"jsonrpc":"2.0","method":"notifications/initialized"}
      {"jsonrpc":"2.0","id":2,"method":"tools/list"}
      {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_conversations"}}
      {"jsonrpc":"2.0","id":4,"method":"tools/call",\
      "params":{"name":"search_conversations","arguments":{"query":"meeting"}}}
      """;

  private CdsTraining() {}

  /** Leaves nothing behind. */
  public static void main(String[] args) throws IOException {
    Path folder = Files.createTempDirectory("clew");
    Map<String, String> env = Map.of("XDG_DATA_HOME", folder.toString());
    try {
      run(env, "", "--version");
      run(env, "", "add", "s", "a meeting");
      run(env, "", "sessions", "list");
      run(env, "", "sessions", "show", "s");
      run(env, "", "search", "meeting");
      run(env, "", "export", "s");
      run(env, MCP, "mcp");
      run(env, "", "pop", "s", "--yes");
      run(env, "", "doctor");
      run(env, "", "--help");
      run(env, CHAT, "chat", "training", "--model", "offline");
    } finally {
      delete(folder);
    }
  }

  private static void run(Map<String, String> env, String in, String... args) {
    Main.run(
        args,
        new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
        OutputStream.nullOutputStream(),
        OutputStream.nullOutputStream(),
        env,
        SystemTerminal.of(env));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.delete(file);
      }
    }
  }
}
