package dev.clew.agent;

import dev.clew.Session;
import dev.clew.memory.MemoryStore;

/** Compaction is tried after every turn, and finds nothing to do. */
class RunnerOnCompactionSessionTest extends RunnerContract {
  static Session compacted(Session session) {
    return CompactionSession.builder(session, request -> Compaction.of(request.items()))
        .trigger(CompactionTrigger.candidates(0))
        .build();
  }

  @Override
  Session newSession() {
    return compacted(new MemoryStore().session("s"));
  }
}
