/**
 * Servers of the Model Context Protocol as tools of agents: {@link dev.clew.mcptools.McpTools}
 * talks to one, over HTTP or the standard input and output of a process. What a server sends is
 * bounded in size, depth and time, and a server that fails is an error of a tool.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.mcptools;
