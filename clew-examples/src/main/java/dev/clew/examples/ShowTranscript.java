package dev.clew.examples;

import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.agent.Agent;
import dev.clew.agent.Runner;
import dev.clew.demo.OfflineModel;
import dev.clew.demo.ScheduleAssistant;
import dev.clew.transcript.Transcript;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;

/** A history as lines for people: messages with their text, tools as short notes. */
public final class ShowTranscript {
  private ShowTranscript() {}

  static List<String> lines(Session session) {
    return Transcript.messages(session.getItems()).stream()
        .map(message -> message.role().wire() + ": " + message.content())
        .toList();
  }

  /** Runs the example. */
  public static void main(String[] args) {
    Session session = new MemorySession();
    Agent agent = ScheduleAssistant.agent(Clock.systemUTC(), ZoneOffset.UTC);
    Runner.with(new OfflineModel()).run(agent, "lunch with Ann tomorrow at noon", session);
    lines(session).forEach(System.out::println);
  }
}
