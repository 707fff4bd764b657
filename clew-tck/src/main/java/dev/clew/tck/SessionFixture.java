package dev.clew.tck;

import dev.clew.Session;

/** What the rules about the four operations need. */
interface SessionFixture {

  /** A session that nobody has written to. */
  Session newSession();
}
