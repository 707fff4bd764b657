/** Items as something to read. Uses {@code dev.clew} only. */
@org.jspecify.annotations.NullMarked
package dev.clew.transcript;
