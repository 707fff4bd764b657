package dev.clew.mcptools;

import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The connection to a server, made when it is needed and again after it broke. Thread-safe. */
final class Connection implements AutoCloseable {
  private final Opening opening;
  private final Duration limit;
  private @Nullable Wire wire;
  private boolean closed;
  private @Nullable McpFailure failed;
  private long failedAt;

  /** Makes a wire to the server. */
  interface Opening {
    Wire open() throws McpFailure;
  }

  Connection(Opening opening, Duration limit) {
    this.opening = opening;
    this.limit = limit;
  }

  synchronized boolean isOpen() {
    return wire != null && wire.isOpen();
  }

  /** The connection. Callers who waited while it could not be made fail with the one who tried. */
  Wire wire() throws McpFailure, InterruptedException {
    long asked = System.nanoTime();
    synchronized (this) {
      McpFailure failure = failed;
      if (failure != null && failedAt - asked > 0) {
        throw failure;
      }
      try {
        return open();
      } catch (McpFailure e) {
        failed = e;
        failedAt = System.nanoTime();
        throw e;
      }
    }
  }

  private Wire open() throws McpFailure, InterruptedException {
    if (closed) {
      throw McpFailure.connection("it was closed");
    }
    Wire current = wire;
    if (current != null && current.isOpen()) {
      return current;
    }
    if (current != null) {
      current.close();
    }
    Wire fresh = opening.open();
    try {
      shakeHands(fresh);
    } catch (McpFailure | InterruptedException | RuntimeException e) {
      fresh.close();
      throw e;
    }
    wire = fresh;
    return fresh;
  }

  /** The versions with a handshake first, which nearly all servers speak. */
  private void shakeHands(Wire wire) throws McpFailure, InterruptedException {
    String hello =
        new JsonObject()
            .put("protocolVersion", ProtocolVersion.NEWEST)
            .put("capabilities", new JsonObject())
            .raw("clientInfo", ProtocolVersion.client())
            .toString();
    try {
      String version =
          Json.string(Json.fields(wire.ask("initialize", hello, limit)).get("protocolVersion"));
      wire.speaks(ProtocolVersion.negotiated(version == null ? "" : version));
      wire.tell("notifications/initialized", "{}");
    } catch (McpFailure e) {
      if (e.kind() != McpFailure.Kind.PROTOCOL) {
        throw e;
      }
      wire.speaks(ProtocolVersion.STATELESS);
      String unused = wire.ask("server/discover", "{}", limit);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (wire != null) {
      wire.close();
    }
  }
}
