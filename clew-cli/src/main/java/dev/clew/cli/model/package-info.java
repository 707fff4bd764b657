/** Finds the model that answers, for {@code clew chat} and {@code clew serve}. */
@org.jspecify.annotations.NullMarked
package dev.clew.cli.model;
