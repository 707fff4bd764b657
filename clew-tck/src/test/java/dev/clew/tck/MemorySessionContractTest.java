package dev.clew.tck;

import dev.clew.MemorySession;
import dev.clew.Session;

class MemorySessionContractTest extends SessionContract {
  @Override
  protected Session open() {
    return new MemorySession();
  }
}
