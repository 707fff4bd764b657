package dev.clew.tck.thirdparty;

import dev.clew.Session;
import dev.clew.tck.SessionContract;
import java.util.UUID;

class CustomMemorySessionTest extends SessionContract {
  @Override
  protected Session open() {
    return new CustomMemorySession(UUID.randomUUID().toString());
  }
}
