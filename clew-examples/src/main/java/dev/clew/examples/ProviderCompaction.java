package dev.clew.examples;

import dev.clew.Session;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.agent.Agent;
import dev.clew.agent.CompactionOptions;
import dev.clew.agent.CompactionReport;
import dev.clew.agent.CompactionSession;
import dev.clew.agent.Compactor;
import dev.clew.agent.Model;
import dev.clew.agent.Runner;
import dev.clew.openai.OpenAiModels;

/**
 * OpenAI can make a long history shorter ({@code responses.compact}). Wrap any session: after each
 * turn your hook is asked, and what it gets are the response id, the mode, the items that could be
 * compacted and all items. Needs OPENAI_API_KEY, or OPENAI_BASE_URL of another server.
 */
public final class ProviderCompaction {
  private ProviderCompaction() {}

  static CompactionSession wrap(Session session, Compactor compactor) {
    return CompactionSession.builder(session, compactor)
        .trigger(context -> context.candidateItems().size() >= 12)
        .build();
  }

  static CompactionReport talk(Model model, CompactionSession session) {
    Agent agent =
        Agent.builder()
            .name("Support")
            .instructions("Answer briefly and keep track of prior context.")
            .build();
    Runner runner = Runner.with(model);
    runner.run(agent, "Summarize order #8472 in one sentence.", session);
    runner.run(agent, "Remind me of the shipping address.", session);
    return session.runCompaction(CompactionOptions.FORCE); // now, whatever the hook says
  }

  /** Runs the example. */
  public static void main(String[] args) {
    Compactor compactor = OpenAiModels.builder().modelName("gpt-5.4").compactor();
    try (SessionStore store = Stores.open("memory:")) {
      CompactionSession session = wrap(store.session("order-8472"), compactor);
      CompactionReport report = talk(OpenAiModels.fromEnvironment(), session);
      System.out.println(report.itemsBefore() + " -> " + report.itemsAfter() + " items");
      session.getItems().forEach(item -> System.out.println(item.type()));
    }
  }
}
