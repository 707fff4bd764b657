package dev.clew.tck.wrong;

import dev.clew.SessionStore;
import dev.clew.tck.StoreOptions;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * A right store with one thing wrong, and the case of the contract that has to notice. Immutable.
 *
 * @param what what is wrong
 * @param failingCase the name of the test
 * @param spoil makes a right store wrong
 */
record WrongStore(
    String what, String failingCase, BiFunction<SessionStore, StoreOptions, SessionStore> spoil) {

  /** A store that is wrong whatever its options are. */
  static WrongStore of(String what, String failingCase, UnaryOperator<SessionStore> spoil) {
    return new WrongStore(what, failingCase, (store, options) -> spoil.apply(store));
  }

  @Override
  public String toString() {
    return "a store that " + what + " fails " + failingCase;
  }
}
