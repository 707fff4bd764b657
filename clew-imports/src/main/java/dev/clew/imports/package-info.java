/**
 * Imports conversations of other programs into a store. Start at {@link dev.clew.imports.Import};
 * an {@link dev.clew.imports.ImportFormat} reads the data of one program, databases through {@code
 * java.sql}.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.imports;
