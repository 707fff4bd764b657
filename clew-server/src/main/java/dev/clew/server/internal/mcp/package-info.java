/** MCP clients: sessions for other agents, over HTTP. */
@NullMarked
package dev.clew.server.internal.mcp;

import org.jspecify.annotations.NullMarked;
