/**
 * Sessions for other agents, through the Model Context Protocol: {@link dev.clew.mcp.McpServer}
 * answers the messages of a client, {@link dev.clew.mcp.McpStdio} carries them over standard input
 * and output. It knows nothing of HTTP, which is the server's business.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.mcp;
