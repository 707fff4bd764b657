/**
 * Erasing an owner or a session such that it can be shown: {@link dev.clew.erasure.ProvenErasure}
 * counts, erases by the store's own means, looks for leftovers, and certifies.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.erasure;
