/**
 * Reading whole stores in bounded steps, for what copies them: migrations and backups. Works on any
 * store through {@code dev.clew} only.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.copy;
