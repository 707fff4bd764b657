/**
 * {@link dev.clew.decorate.ForwardingStore} and what is built on it: {@link
 * dev.clew.decorate.RetryingStore} and {@link dev.clew.decorate.DeadlineStore}. Uses {@code
 * dev.clew} only.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.decorate;
