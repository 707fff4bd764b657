package dev.clew.agent;

import dev.clew.Session;

class RunnerOnCompactedHandWrittenSessionTest extends RunnerOnHandWrittenSessionTest {
  @Override
  Session newSession() {
    return RunnerOnCompactionSessionTest.compacted(super.newSession());
  }
}
