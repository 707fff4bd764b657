package dev.clew.cli;

import dev.clew.SessionStore;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
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
      "Talks with a model; every step is kept in a session, a new one unless an ID is given.",
      "On a terminal with editing, history and completion; elsewhere each line of standard input",
      "is a message, answers go to standard output and everything else to standard error."
    },
    footer = {
      "",
      "Examples:",
      "  clew chat",
      "  clew chat trip",
      "  clew chat trip --history 10",
      "  echo \"meeting tomorrow at 2pm\" | clew chat work",
      "",
      "A line that starts with / is a command: /help lists them. Ctrl-C stops an answer and keeps",
      "what was said so far; once more, it leaves."
    })
final class ChatCommand extends StoreAction {
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
        "Who answers. Default: offline, a demonstration model without a key:",
        "a small grammar for a schedule, in English and Chinese."
      })
  String model = Models.OFFLINE;

  @Option(
      names = "--history",
      paramLabel = "N",
      description = "How many turns to show at the start. Default: 3.")
  int history = 3;

  ChatCommand(Clew clew) {
    super(clew);
  }

  @Override
  void beforeOpening() {
    if (clew().json) {
      throw Failure.usage("chat has no --json; 'clew sessions show ID --json' has what was said");
    }
    if (history < 0) {
      throw Failure.usage("--history is " + history + "; it must not be negative");
    }
    Models.check(model);
  }

  @Override
  int run(SessionStore store) {
    Clock clock = Clock.system(ZoneId.systemDefault());
    boolean watched = clew().surroundings().terminal().isInteractive();
    Models.Chosen chosen = Models.named(model, clock, watched ? PACE : Duration.ZERO);
    String name = id == null ? newId() : id;
    try (ChatConsole console = watched ? JLineConsole.open(clew()) : PipeConsole.open(clew())) {
      return new Chat(console, chosen, store.session(clew().key(name))).run(history);
    }
  }

  static String newId() {
    return "chat-" + UUID.randomUUID().toString().substring(0, 8);
  }
}
