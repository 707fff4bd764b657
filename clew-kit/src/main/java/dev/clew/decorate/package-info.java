/**
 * Decorators for any store: {@link dev.clew.decorate.RetryingStore} retries calls, {@link
 * dev.clew.decorate.DeadlineStore} gives each a deadline. {@link dev.clew.decorate.EachCallBackend}
 * is the base for more of the kind.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.decorate;
