package dev.clew.agent;

import dev.clew.Session;
import dev.clew.memory.MemoryStore;

class RunnerOnMemoryTest extends RunnerContract {
  @Override
  Session newSession() {
    return new MemoryStore().session("s");
  }
}
