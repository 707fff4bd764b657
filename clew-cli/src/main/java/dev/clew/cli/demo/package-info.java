/** {@code clew demo}: a short tour. */
@org.jspecify.annotations.NullMarked
package dev.clew.cli.demo;
