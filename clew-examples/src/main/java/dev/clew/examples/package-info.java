/**
 * Small programs that show one thing each, to be read and copied. A few of them have the
 * conversation of {@link dev.clew.examples.BasicSession}; otherwise every class stands by itself.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.examples;
