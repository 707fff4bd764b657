/** {@code clew token}: the tokens by which programs call the server. */
@org.jspecify.annotations.NullMarked
package dev.clew.cli.tokens;
