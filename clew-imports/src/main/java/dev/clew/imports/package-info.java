/**
 * Conversations that other programs keep, brought into a store. {@link dev.clew.imports.Import}
 * does it; an {@link dev.clew.imports.ImportFormat} knows how one program keeps them. Uses {@code
 * dev.clew} and its internals only; databases are reached through {@code java.sql}.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.imports;
