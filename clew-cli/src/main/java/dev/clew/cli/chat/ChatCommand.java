package dev.clew.cli.chat;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.mcp.McpServerOptions;
import dev.clew.cli.mcp.McpServers;
import dev.clew.cli.model.Models;
import dev.clew.cli.terminal.Failure;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code clew chat}: a conversation with a model, kept in a session. Used once, by one thread.
 *
 * <p>picocli looks at the fields and signatures here at every start of every command, so nothing of
 * the agent or of the line editor may appear in them.
 */
@Command(name = "chat")
public final class ChatCommand extends StoreAction {
  /** How many messages are shown unless said otherwise. */
  static final int SHOWN = 6;

  /** How long the offline model takes for a word when somebody watches. */
  private static final Duration PACE = Duration.ofMillis(15);

  @Parameters(index = "0", arity = "0..1", paramLabel = "ID")
  @Nullable String id;

  @Option(names = "--model", paramLabel = "NAME")
  @Nullable String model;

  @Option(names = "--instructions", paramLabel = "TEXT")
  @Nullable String instructions;

  @Option(names = "--demo")
  boolean demo;

  @Mixin McpServerOptions mcp = new McpServerOptions();

  @Option(names = "--history", paramLabel = "N")
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
    Models.checkInstructions(name, instructions, demo);
    return name.equals(Models.OFFLINE)
        ? Models.offline(clock, isWatched() ? PACE : Duration.ZERO)
        : clew.judging(
            "--model",
            name,
            it -> Models.remote(it, instructions, demo, clew.surroundings().env(), clock));
  }

  private boolean isWatched() {
    return clew.surroundings().terminal().isInteractive();
  }

  @Override
  protected int run(SessionStore store) {
    String name = id == null ? newId() : id;
    try (McpServers servers = McpServers.open(mcp, clew.surroundings().env());
        ChatConsole console = isWatched() ? JLineConsole.open(clew) : PipeConsole.open(clew)) {
      return new Chat(
              console,
              Objects.requireNonNull(chosen).with(servers.all()),
              store.session(clew.key(name)),
              clew.program())
          .run(history);
    }
  }

  static String newId() {
    return "chat-" + UUID.randomUUID().toString().substring(0, 8);
  }
}
