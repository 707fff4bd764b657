package dev.clew.cli.serve;

import dev.clew.SessionStore;
import dev.clew.cli.command.Action;
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
@Command(
    name = "serve",
    description = {
      "Serves the store over HTTP until it is stopped with Ctrl-C.",
      "It offers OpenAI's Conversations and Responses APIs for the official SDKs, "
          + "and a simple chat API."
    },
    footer = {
      "",
      "Examples:",
      "  clew serve",
      "  clew serve --model chat:qwen3 --model openai:gpt-5.4",
      "  clew serve --host 0.0.0.0 --port 80 --store postgres://localhost/clew",
      "",
      "Programs call it with a token from 'clew token create'. The OpenAI SDKs take "
          + "it as OPENAI_API_KEY, with OPENAI_BASE_URL=http://127.0.0.1:8787/v1 in "
          + "their own environment.",
      "",
      "In the environment of this command the same two variables are about the "
          + "model: OPENAI_API_KEY is the key for OpenAI, OPENAI_BASE_URL another "
          + "server, such as http://localhost:11434/v1 for Ollama.",
      "",
      "CLEW_HOST, CLEW_PORT, CLEW_STORE and CLEW_MODEL set the options of the same "
          + "names. CLEW_SECRET is a secret shared by all servers of a store; by default "
          + "it is kept in the store."
    })
public final class ServeCommand extends Action {
  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "The address to listen on. Default: $CLEW_HOST, else 127.0.0.1.")
  @Nullable String host;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The port; 0 picks a free one. Default: $CLEW_PORT, else 8787.")
  @Nullable String port;

  @Option(
      names = "--model",
      paramLabel = "NAME",
      split = ",",
      description =
          "The model: offline, openai:NAME or chat:NAME, as in 'clew chat'. May be "
              + "repeated; the first one is the default. Default: $CLEW_MODEL, else offline.")
  List<String> models = new ArrayList<>();

  @Option(
      names = "--instructions",
      paramLabel = "TEXT",
      description =
          "The system prompt for openai:NAME or chat:NAME in /api/chat, which then has "
              + "no tools. Default: a schedule assistant with tools.")
  @Nullable String instructions;

  @Option(
      names = "--auth",
      paramLabel = "HOW",
      description =
          "token, or none: everyone on this machine is then the default owner. "
              + "Default: token.")
  String auth = "token";

  @Option(
      names = "--allow-origin",
      paramLabel = "ORIGIN",
      split = ",",
      description =
          "Allow pages of this origin to call the API, such as " + "https://chat.example.org.")
  List<String> origins = new ArrayList<>();

  @Option(
      names = "--strict",
      description = "Refuse everything that OpenAI refuses, even what Clew could accept.")
  boolean strict;

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
    Models.Chosen chosen =
        name.equals(Models.OFFLINE)
            ? Models.offline(clock, Duration.ZERO)
            : clew.judging("--model", name, it -> Models.remote(it, instructions, env, clock));
    Serving serving = new Serving(clew, names, chosen);
    serving.judge(address, number, tokens, strict, origins, more);
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
