/**
 * Provable erasure of an owner or a session: {@link dev.clew.erasure.ProvenErasure} counts, lets
 * the store erase, searches for leftovers, and certifies the result.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.erasure;
