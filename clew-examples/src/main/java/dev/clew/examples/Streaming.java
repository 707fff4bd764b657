package dev.clew.examples;

import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.agent.Agent;
import dev.clew.agent.RunEvent;
import dev.clew.agent.RunStream;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A streamed run shows the answer word by word. The session ends up with the same items as after a
 * plain run; a stream that is closed early keeps what was said until then.
 */
public final class Streaming {
  private Streaming() {}

  static String stream(Runner runner, Session session, Consumer<String> screen) {
    Agent agent = Agent.builder().name("Assistant").instructions("Answer briefly.").build();
    try (RunStream stream = runner.runStreamed(agent, "What can you do?", session)) {
      for (RunEvent event : stream) {
        if (event instanceof RunEvent.TextDelta delta) {
          screen.accept(delta.text());
        }
      }
      return stream.result().finalOutput(); // waits until everything is stored
    }
  }

  /** Runs the example. */
  public static void main(String[] args) {
    Session session = new MemorySession();
    Runner runner = Runner.with(new OfflineModel().paced(Duration.ofMillis(20)));
    stream(runner, session, System.out::print);
    System.out.println();
    System.out.println("The session has " + session.getItems().size() + " items.");
  }
}
