package dev.clew.springboot;

import dev.clew.SessionStore;

/**
 * Wraps the store of {@code clew.url}. Beans of this type are called in their order, each with what
 * the one before returned; calls are observed around all of them.
 *
 * <pre>{@code
 * @Bean
 * StoreDecorator retries() {
 *   return RetryingStore::new;
 * }
 * }</pre>
 */
@FunctionalInterface
public interface StoreDecorator {
  /** Returns the store to use, which closes the given one when it is closed. */
  SessionStore decorate(SessionStore store);
}
