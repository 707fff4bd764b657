package dev.clew.cli.serve;

import dev.clew.SessionStore;
import dev.clew.cli.command.Action;
import dev.clew.cli.mcp.McpServerOptions;
import dev.clew.cli.mcp.McpServers;
import dev.clew.cli.model.Models;
import dev.clew.cli.terminal.Failure;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code clew serve}: the store over HTTP, until it is stopped. Used once, by one thread.
 *
 * <p>picocli looks at the fields and signatures here at every start of every command, so nothing of
 * the server may appear in them.
 */
@Command(name = "serve")
public final class ServeCommand extends Action {
  @Option(names = "--host", paramLabel = "ADDRESS")
  @Nullable String host;

  @Option(names = "--port", paramLabel = "N")
  @Nullable String port;

  @Option(names = "--model", paramLabel = "NAME", split = ",")
  List<String> models = new ArrayList<>();

  @Option(names = "--instructions", paramLabel = "TEXT")
  @Nullable String instructions;

  @Option(names = "--demo")
  boolean demo;

  @Option(names = "--auth", paramLabel = "HOW")
  String auth = "token";

  @Option(names = "--allow-origin", paramLabel = "ORIGIN", split = ",")
  List<String> origins = new ArrayList<>();

  @Option(names = "--strict")
  boolean strict;

  @Mixin McpServerOptions mcp = new McpServerOptions();

  @Option(names = "--mcp-allow", paramLabel = "URL", split = ",")
  List<String> mcpAllow = new ArrayList<>();

  @Option(names = "--mcp-allow-private", paramLabel = "URL", split = ",")
  List<String> mcpAllowPrivate = new ArrayList<>();

  @Mixin ServeOptions more = new ServeOptions();

  @Override
  protected int run() {
    Map<String, String> env = clew.surroundings().env();
    boolean tokens = ServeOptions.word("--auth", auth, List.of("token", "none")).equals("token");
    String address = ServeOptions.or(host, "127.0.0.1");
    int number = ServeOptions.number("--port", ServeOptions.or(port, "8787"), 0, 65_535);
    List<String> names = Models.chooseAll(models);
    refuseToAskItself(names, env, address, number);
    String name = names.get(0);
    Clock clock = Clock.system(ZoneId.systemDefault());
    Models.checkInstructions(name, instructions, demo);
    Models.Chosen chosen =
        name.equals(Models.OFFLINE)
            ? Models.offline(clock, Duration.ZERO)
            : clew.judging(
                "--model", name, it -> Models.remote(it, instructions, demo, env, clock));
    try (McpServers servers = McpServers.open(mcp, env)) {
      Serving serving = new Serving(clew, names, chosen.with(servers.all()));
      serving.judge(address, number, tokens, strict, origins, more);
      serving.mcp(servers, mcpAllow, mcpAllowPrivate);
      return serve(serving);
    }
  }

  private int serve(Serving serving) {
    UnaryOperator<SessionStore> decryption = clew.decryption();
    try (SessionStore plain = clew.openPlainStore(ServeOptions.or(more.expireAfter, ""));
        SessionStore store = decryption.apply(plain)) {
      return serving.run(store, plain);
    } finally {
      serving.closed();
    }
  }

  /** Each question would be asked again and again, until the server takes no more. */
  private static void refuseToAskItself(
      List<String> models, Map<String, String> env, String host, int port) {
    String base = env.getOrDefault("OPENAI_BASE_URL", "");
    if (models.stream().allMatch(Models.OFFLINE::equals) || !OwnAddress.is(base, host, port)) {
      return;
    }
    throw Failure.usage(
        "OPENAI_BASE_URL is "
            + base
            + ", the address of this server: it would call itself. For this command the "
            + "variable names the model's server; unset it to use OpenAI. Set it only for "
            + "the programs that call this server");
  }
}
