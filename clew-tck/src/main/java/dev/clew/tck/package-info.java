/**
 * The published contract of Clew's stores and sessions, as JUnit classes to extend.
 *
 * <p>Extend {@link dev.clew.tck.StoreContract} to test a store, {@link
 * dev.clew.tck.SessionContract} to test a session written by hand. The other public types are tools
 * for further tests: {@link dev.clew.tck.TestClock}, {@link dev.clew.tck.FaultyStore} to inject
 * faults, {@link dev.clew.tck.History} and {@link dev.clew.tck.HistoryChecker} to prove what
 * concurrent clients saw. Each rule of the contract is one package-private interface here, named
 * {@code …Rules}. Uses {@code dev.clew} only, beside JUnit and AssertJ.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.tck;
