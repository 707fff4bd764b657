/**
 * What a store implements: {@link dev.clew.spi.Backend}, and optional interfaces that make single
 * calls faster or add a feature.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.spi;
