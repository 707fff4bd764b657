package dev.clew.cli.serve;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.agent.Model;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.StoreLocation;
import dev.clew.cli.mcp.McpServers;
import dev.clew.cli.model.Models;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Output;
import dev.clew.mcptools.McpTools;
import dev.clew.server.ClewServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import dev.clew.server.settings.ChatSettings;
import dev.clew.server.settings.McpSettings;
import dev.clew.server.settings.ServerSettings;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server from its start to the signal that stops it. Used once, by one thread. */
final class Serving {
  /** How long a stop waits for turns in flight, and then for the store. */
  private static final long PATIENCE_SECONDS = 20;

  private final Clew clew;
  private final List<String> modelNames;
  private final Models.Chosen chosen;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable ServerSettings settings;
  private boolean logLost;

  /**
   * What is served.
   *
   * @param modelNames of all models; the first is the one that was chosen
   */
  Serving(Clew clew, List<String> modelNames, Models.Chosen chosen) {
    this.clew = clew;
    this.modelNames = List.copyOf(modelNames);
    this.chosen = chosen;
  }

  /** Refuses what cannot be served, before a store is opened or created. */
  void judge(
      String host,
      int port,
      boolean tokens,
      boolean strict,
      List<String> origins,
      ServeOptions more) {
    if (!tokens && !OwnAddress.isLoopback(host)) {
      throw Failure.usage(
              "--auth none works only on this machine: remove it, or use --host 127.0.0.1")
          .in("--host");
    }
    Map<String, String> env = clew.surroundings().env();
    ServerSettings basic =
        withModels(ServerSettings.of(clew.nothing()), env)
            .allowedOrigins(checked(origins))
            .at(host, port)
            .auth(tokens ? ServerSettings.Auth.TOKEN : ServerSettings.Auth.NONE)
            .strict(strict)
            .secret(env.get("CLEW_SECRET"))
            .chat(ChatSettings.DEFAULT.agent(chosen.agent()));
    settings = new ServeSettings(more, !isOffline()).applyTo(basic, this::log);
    try {
      ClewServer.check(settings);
    } catch (IOException e) {
      throw cannotListen(e);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(String.valueOf(e.getMessage()));
    }
  }

  /** Adds the MCP servers that clients may use. */
  void mcp(McpServers servers, List<String> allowed, List<String> allowedPrivate) {
    McpSettings mcp = McpSettings.NONE;
    for (McpTools server : servers.all()) {
      mcp = mcp.server(server);
    }
    for (String url : allowed) {
      mcp = added("--mcp-allow", mcp::allow, url);
    }
    for (String url : allowedPrivate) {
      mcp = added("--mcp-allow-private", mcp::allowPrivate, url);
    }
    settings = Objects.requireNonNull(settings).mcp(mcp);
  }

  private McpSettings added(String option, Function<String, McpSettings> adding, String url) {
    return clew.judging(
        option,
        url,
        it -> {
          try {
            return adding.apply(it);
          } catch (IllegalArgumentException e) {
            throw Failure.usage(option + ": " + e.getMessage()).in(option);
          }
        });
  }

  /**
   * Serves a store until the process is told to stop.
   *
   * @param plain the store, or the one behind it if it is encrypted
   */
  int run(SessionStore store, SessionStore plain) {
    Thread stop = new Thread(this::stop, "clew-stop");
    ServerSettings served = ServeSettings.over(Objects.requireNonNull(settings), store, plain);
    try (ClewServer server = start(served)) {
      Runtime.getRuntime().addShutdownHook(stop);
      greet(server, served);
      stopping.await();
      clew.noteNow("stopping; answers in progress have a few seconds to finish");
      return ExitCode.OK;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.OK;
    }
  }

  private ServerSettings withModels(ServerSettings settings, Map<String, String> env) {
    try {
      ServerSettings all = settings.model(chosen.model(), Models.shortName(modelNames.get(0)));
      for (String name : modelNames.subList(1, modelNames.size())) {
        Model model = clew.judging("--model", name, it -> Models.named(it, env));
        all = all.andModel(model, Models.shortName(name));
      }
      return all;
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--model: " + e.getMessage()).in("--model");
    }
  }

  private Set<String> checked(List<String> origins) {
    ServerSettings any = ServerSettings.of(clew.nothing());
    for (String origin : origins) {
      clew.judging(
          "--allow-origin",
          origin,
          it -> {
            try {
              return any.allowedOrigins(Set.of(it));
            } catch (IllegalArgumentException e) {
              throw Failure.usage("--allow-origin: " + e.getMessage()).in("--allow-origin");
            }
          });
    }
    return new HashSet<>(origins);
  }

  private boolean isOffline() {
    return modelNames.get(0).equals(Models.OFFLINE);
  }

  /** Calls are answered by many threads, and go on when nobody reads the log any more. */
  private synchronized void log(String line) {
    if (!logLost) {
      try {
        clew.surroundings().err().line(line).flush();
      } catch (Output.ReaderGone | Failure e) {
        logLost = true;
      }
    }
  }

  private ClewServer start(ServerSettings settings) {
    try {
      return ClewServer.start(settings);
    } catch (IOException e) {
      throw cannotListen(e);
    }
  }

  /** Why it cannot listen, and what to do. */
  private static Failure cannotListen(IOException failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String reason = String.valueOf(cause.getMessage());
    String option = "--host";
    if (cause instanceof UnresolvedAddressException) {
      reason =
          "there is no such host; use 127.0.0.1 for this machine only, 0.0.0.0 for all addresses";
    } else if (reason.contains("in use")) {
      reason = "the address is already in use; choose another port with --port";
      option = "--port";
    } else if (reason.contains("assign")) {
      reason =
          "this machine has no such address; use 127.0.0.1 for this machine only, 0.0.0.0 for all "
              + "addresses";
    } else if (reason.contains("denied")) {
      reason = "that port needs root rights; choose another one with --port";
      option = "--port";
    }
    return Failure.failed(failure.getMessage() + ": " + reason).in(option);
  }

  /** Runs when a signal has come: the process ends when this returns. */
  private void stop() {
    stopping.countDown();
    try {
      boolean inTime = closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (!inTime) {
        clew.note("stopped before everything was finished");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The store is closed; the process may end. */
  void closed() {
    closed.countDown();
  }

  private void greet(ClewServer server, ServerSettings served) {
    say("serving " + StoreLocation.forDisplay(clew.storeUrl()));
    say("  at       " + server.url() + everywhere(served.host()));
    say("  SDKs     OPENAI_BASE_URL=" + server.url() + "/v1  (in programs that call it)");
    if (served.auth() == ServerSettings.Auth.TOKEN) {
      say("  sign in  " + server.signInLink() + "  (once, with the administration)");
      token(server.tokens());
    } else {
      say("  NO SIGN-IN: everyone on this machine may read and change all conversations");
    }
    say("  model    " + chosen.introduction());
    for (String name : modelNames.subList(1, modelNames.size())) {
      say("  and      " + name);
    }
    mcp(served.mcp()).ifPresent(line -> say("  MCP      " + line));
    if (isOffline()) {
      say("  note     no real model is configured; use --model openai:NAME, or --model");
      say("           chat:NAME for a model server of your own ('clew serve --help')");
    } else {
      long tokens = served.turns().contextTokens();
      say(String.format(Locale.ROOT, "  context  %,d tokens; --context-tokens changes it", tokens));
    }
    say("Ctrl-C stops it.");
    clew.out().flush();
  }

  /** The MCP servers that clients may use. */
  private static Optional<String> mcp(McpSettings mcp) {
    List<String> all = new ArrayList<>();
    mcp.servers().forEach(server -> all.add(server.name() + " = " + server.address()));
    all.addAll(mcp.allowed());
    mcp.allowedPrivate().forEach(url -> all.add(url + " (may be private)"));
    return all.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", all));
  }

  private void say(String line) {
    clew.out().line(clew.program().in(line));
  }

  private static String everywhere(String host) {
    return ClewServer.isEverywhere(host) ? "  (and every other address of this machine)" : "";
  }

  /** The first start makes one for the person at this machine; later it cannot be shown again. */
  private void token(Tokens tokens) {
    boolean known =
        tokens.list().stream().anyMatch(token -> token.owner().equals(SessionKey.DEFAULT_OWNER));
    if (known) {
      say("  token    created earlier; 'clew token create' creates another");
    } else {
      Tokens.Created made =
          tokens.create(
              SessionKey.DEFAULT_OWNER, "created at the first start", Scope.OWN, Optional.empty());
      say("  token    " + made.secret() + "  (shown once)");
      say("           It can read and write. One that may administer too is made by");
      say("           " + clew.program().command("token create --scope read,write,admin"));
    }
  }
}
