package dev.clew.examples;

import dev.clew.Session;
import dev.clew.tck.SessionContract;

/** The contract judges the session that the example writes by hand. */
class CustomSessionTest extends SessionContract {
  @Override
  protected Session open() {
    return new CustomSession("mine");
  }
}
