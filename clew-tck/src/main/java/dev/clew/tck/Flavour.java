package dev.clew.tck;

import dev.clew.Session;

/** How a session is called: each rule about the four operations holds for both. */
enum Flavour {
  BLOCKING {
    @Override
    Session of(Session session) {
      return session;
    }
  },
  ASYNC {
    @Override
    Session of(Session session) {
      return new AsyncAsSession(session.async(Crowd.EXECUTOR));
    }
  };

  /** The session, called this way. */
  abstract Session of(Session session);
}
