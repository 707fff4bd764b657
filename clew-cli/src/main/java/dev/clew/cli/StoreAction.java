package dev.clew.cli;

import dev.clew.SessionStore;

/** A command that works on the chosen store. Used once, by one thread. */
abstract class StoreAction implements Action {
  private final Clew clew;

  StoreAction(Clew clew) {
    this.clew = clew;
  }

  /** The command line this is part of. */
  final Clew clew() {
    return clew;
  }

  @Override
  public final int run() {
    beforeOpening();
    try (SessionStore store = clew.openStore()) {
      return run(store);
    }
  }

  /** Refuses what can be refused without looking at the store. */
  void beforeOpening() {}

  abstract int run(SessionStore store);
}
