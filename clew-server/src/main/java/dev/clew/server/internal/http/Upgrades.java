package dev.clew.server.internal.http;

import java.util.List;
import java.util.concurrent.Executor;

/**
 * What calls that become WebSockets have in common. Thread-safe.
 *
 * @param threads for requests, which may wait for a model
 */
record Upgrades(
    Admission admission,
    List<CallListener> listeners,
    Budget incoming,
    Budget outgoing,
    Executor threads) {

  Upgrade of(Call call, Admission.Pass pass) {
    Transfer transfer = call.transfer();
    if (!transfer.asksForSocket()) {
      transfer.setHeader("Upgrade", "websocket");
      throw Upgrade.required();
    }
    // Browsers send cookies to sockets of any site, but never without an origin.
    if (pass.cookie() != null
        && pass.authorization() == null
        && transfer.header("Origin") == null) {
      throw Problem.forbidden(
          "origin_not_allowed", "A WebSocket with a cookie needs the header 'Origin'.");
    }
    return new Upgrade(this, call, pass);
  }
}
