/**
 * MCP servers that the server calls for clients of the Responses API: which ones it may call, what
 * a request says about them, which calls were approved, and the items of the output.
 */
@org.jspecify.annotations.NullMarked
package dev.clew.server.internal.hosted;
