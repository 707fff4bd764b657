/** {@code clew serve}: the server's options and its start and stop. */
@org.jspecify.annotations.NullMarked
package dev.clew.cli.serve;
