package dev.clew.cli.chat;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.model.Models;
import dev.clew.cli.terminal.Failure;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code clew chat}: a conversation with a model, kept in a session. Used once, by one thread.
 *
 * <p>picocli looks at the fields and signatures here at every start of every command, so nothing of
 * the agent or of the line editor may appear in them.
 */
@Command(
    name = "chat",
    description = {
      "Chats with a model and stores every step in a session.",
      "Without an ID it starts a new session. On a terminal you can edit the line, "
          + "with history and completion. Otherwise each line of standard input is a "
          + "message; answers go to standard output, everything else to standard error."
    },
    footer = {
      "",
      "Examples:",
      "  clew chat",
      "  clew chat trip",
      "  clew chat trip --history 10",
      "  echo \"meeting tomorrow at 2pm\" | clew chat work",
      "  clew chat trip --model openai:gpt-5.4",
      "  clew chat --model chat:qwen3 --instructions \"Answer in one sentence.\"",
      "",
      "A line that starts with / is a command; /help lists them. Ctrl-C stops an "
          + "answer and keeps what has arrived so far; press it again to leave.",
      "",
      "Environment:",
      "  CLEW_MODEL       the model, if --model is not given",
      "  OPENAI_API_KEY   the key for openai:NAME and chat:NAME",
      "  OPENAI_BASE_URL  the server, if not OpenAI's, such as "
          + "http://localhost:11434/v1; no key is needed then"
    })
public final class ChatCommand extends StoreAction {
  /** How many messages are shown unless said otherwise. */
  static final int SHOWN = 6;

  /** How long the offline model takes for a word when somebody watches. */
  private static final Duration PACE = Duration.ofMillis(15);

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ID",
      description = "The session. Default: a new one.")
  @Nullable String id;

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = {
        "The model. Default: $CLEW_MODEL, else offline.",
        "offline: a demo that needs no key, with a small grammar for a schedule in "
            + "English and Chinese.",
        "openai:NAME: an OpenAI model, through the Responses API.",
        "chat:NAME: a model of any server with Chat Completions, such as vLLM, "
            + "Ollama or llama.cpp."
      })
  @Nullable String model;

  @Option(
      names = "--instructions",
      paramLabel = "TEXT",
      description =
          "The system prompt for openai:NAME or chat:NAME, which then has no tools. "
              + "Default: a schedule assistant with the same tools as offline.")
  @Nullable String instructions;

  @Option(
      names = "--history",
      paramLabel = "N",
      description = "How many of the newest messages to show at the start. Default: 6.")
  int history = SHOWN;

  private Models.@Nullable Chosen chosen;

  public ChatCommand() {
    super(Opening.CREATE);
  }

  @Override
  protected void beforeOpening() {
    if (clew.json) {
      throw Failure.usage("chat has no --json; use 'clew sessions show ID --json' afterwards");
    }
    if (history < 0) {
      throw Failure.usage("--history is " + history + "; it must not be negative").in("--history");
    }
    chosen = choose(Models.choose(model));
  }

  private Models.Chosen choose(String name) {
    Clock clock = Clock.system(ZoneId.systemDefault());
    if (!name.equals(Models.OFFLINE)) {
      return clew.judging(
          "--model", name, it -> Models.remote(it, instructions, clew.surroundings().env(), clock));
    }
    if (instructions != null) {
      throw Failure.usage(
              "the offline model takes no --instructions; use --model openai:NAME or chat:NAME")
          .in("--instructions");
    }
    return Models.offline(clock, isWatched() ? PACE : Duration.ZERO);
  }

  private boolean isWatched() {
    return clew.surroundings().terminal().isInteractive();
  }

  @Override
  protected int run(SessionStore store) {
    String name = id == null ? newId() : id;
    try (ChatConsole console = isWatched() ? JLineConsole.open(clew) : PipeConsole.open(clew)) {
      return new Chat(
              console,
              Objects.requireNonNull(chosen),
              store.session(clew.key(name)),
              clew.program())
          .run(history);
    }
  }

  static String newId() {
    return "chat-" + UUID.randomUUID().toString().substring(0, 8);
  }
}
