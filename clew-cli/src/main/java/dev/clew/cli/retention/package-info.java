/**
 * {@code clew retention} and {@code clew erase}: retention policies, legal holds and the erasure of
 * an owner.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.cli.retention;
