import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.agent.Agent;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;

/** Talks to a model that needs no key, and remembers it the next time. */
public class Sample {
  public static void main(String[] args) {
    try (SessionStore store = Stores.open("sqlite:sample.db")) {
      StoredSession session = store.session("user_123");
      System.out.println("items before: " + session.getItems().size());
      Runner runner = Runner.with(new OfflineModel());
      Agent agent = Agent.builder().name("Guide").instructions("Answer briefly.").build();
      System.out.println(runner.run(agent, "My name is Ada.", session).finalOutput());
    }
  }
}
