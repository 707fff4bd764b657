/** {@code clew chat}: a conversation on a terminal or through a pipe. */
@org.jspecify.annotations.NullMarked
package dev.clew.cli.chat;
