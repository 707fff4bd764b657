package dev.clew.cli.command;

import dev.clew.Opening;
import dev.clew.SessionStore;

/** A command that works on the chosen store. Used once, by one thread. */
public abstract class StoreAction implements Action {
  /** The command line this is part of. */
  protected final Clew clew;

  private final Opening opening;

  /**
   * @param opening what it needs of the store: to read, to write, or to make it if needed
   */
  public StoreAction(Clew clew, Opening opening) {
    this.clew = clew;
    this.opening = opening;
  }

  @Override
  public final int run() {
    var unused = clew.namedOwner();
    beforeOpening();
    try (SessionStore store = open()) {
      return run(store);
    }
  }

  /** The store this works on. */
  protected SessionStore open() {
    return clew.openStore(opening);
  }

  /** Refuses what can be refused without looking at the store. */
  protected void beforeOpening() {}

  protected abstract int run(SessionStore store);
}
