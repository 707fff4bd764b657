package dev.clew.examples;

import dev.clew.AsyncSession;
import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.agent.Agent;
import dev.clew.agent.RunResult;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;

/**
 * Everything waits for its result by default. Where that is not wanted, a session has the same
 * operations as futures, done in the order they were called, and a run does too.
 */
public final class AsyncChat {
  private AsyncChat() {}

  static CompletableFuture<List<Item>> remember(Session session, String text) {
    AsyncSession async = session.async(ForkJoinPool.commonPool());
    CompletableFuture<Void> added = async.addItems(List.of(Item.user(text)));
    CompletableFuture<List<Item>> read = async.getItems(); // called after it, so it sees it
    return added.thenCombine(read, (done, items) -> items);
  }

  static CompletableFuture<String> ask(Session session, String text) {
    Agent agent = Agent.builder().name("Assistant").instructions("Answer briefly.").build();
    return Runner.with(new OfflineModel())
        .runAsync(agent, text, session)
        .thenApply(RunResult::finalOutput);
  }

  /** Runs the example. */
  public static void main(String[] args) {
    Session session = new MemorySession();
    String answer =
        remember(session, "My name is Ada.")
            .thenCompose(items -> ask(session, "What is my name?"))
            .join();
    System.out.println(answer);
  }
}
