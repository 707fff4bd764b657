package dev.clew.mcp;

import dev.clew.SessionKey;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Who sends a message, and what they may do. Immutable.
 *
 * @param owner whose sessions they see; nobody else's are ever touched
 * @param mayWrite whether they see and may call the tools that change sessions
 * @param wanted whether they still wait for the answer; a search asks repeatedly
 * @param reserve told about how many bytes are read next; it may wait for them, or refuse with
 *     {@link dev.clew.ClewException.RateLimited}
 */
public record McpCaller(
    String owner, boolean mayWrite, BooleanSupplier wanted, LongConsumer reserve) {
  /** Checks the owner. */
  public McpCaller {
    SessionKey.checkOwner(owner);
  }

  /** One in this process, who waits for every answer and may take the memory it needs. */
  public static McpCaller of(String owner, boolean mayWrite) {
    return new McpCaller(owner, mayWrite, () -> true, bytes -> {});
  }

  McpCaller wanted(BooleanSupplier value) {
    return new McpCaller(owner, mayWrite, value, reserve);
  }
}
