package dev.clew.agent;

import dev.clew.MemorySession;
import dev.clew.Session;
import dev.clew.tck.SessionContract;

class CompactionSessionContractTest extends SessionContract {
  @Override
  protected Session open() {
    return CompactionSession.over(new MemorySession(), Compactor.keepNewest());
  }
}
