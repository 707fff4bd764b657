package dev.clew.mcptools;

import java.time.Duration;

/** Carries messages to one server and back. Thread-safe. */
interface Wire extends AutoCloseable {
  /**
   * Sends a request.
   *
   * @param params JSON text
   * @return the JSON text of the result
   */
  String ask(String method, String params, Duration limit) throws McpFailure, InterruptedException;

  /** Sends a notification and does not wait. */
  void tell(String method, String params);

  /** What the server and we agreed on; sent with each request from then on. */
  void speaks(ProtocolVersion version);

  /** Whether another request makes sense. */
  boolean isOpen();

  @Override
  void close();
}
