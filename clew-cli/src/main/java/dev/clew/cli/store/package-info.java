/** Commands about a store as a whole: init, doctor and schema. */
@org.jspecify.annotations.NullMarked
package dev.clew.cli.store;
