/**
 * Moving sessions from one store to another: {@link dev.clew.migrate.Migration}. Works on any two
 * stores through {@code dev.clew} only.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.migrate;
