/**
 * Moving sessions from one store to another: {@link dev.clew.migrate.Migration}. It works on any
 * two stores.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.migrate;
