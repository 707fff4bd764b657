/**
 * {@link dev.clew.decorate.ForwardingStore} and what is built on it. Uses {@code dev.clew} only.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.decorate;
