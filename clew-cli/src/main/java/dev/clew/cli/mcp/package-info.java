/** {@code clew mcp}: sessions for other agents over standard input and output. */
@NullMarked
package dev.clew.cli.mcp;

import org.jspecify.annotations.NullMarked;
