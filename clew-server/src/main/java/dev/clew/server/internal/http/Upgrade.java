package dev.clew.server.internal.http;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;

/**
 * A call whose connection becomes a WebSocket: who called, and what the requests in its messages
 * may use. Thread-safe, and valid as long as the socket is open.
 */
public final class Upgrade {
  private final Upgrades all;
  private final Admission.Pass pass;
  private final Principal principal;
  private final Budget.Share incoming;
  private final Budget.Share outgoing;
  private final Executor brief;
  private final End end;
  private final String route;
  private @Nullable Call call; // until it is answered: sockets stay for long

  /**
   * A request in a message, answered or refused. Immutable.
   *
   * @param route the path of the route that opened the socket
   * @param status that it would have had over HTTP
   */
  public record Answered(Principal caller, String requestId, String route, int status, long nanos) {
    /** What metrics and logs show in place of a method. */
    public static final String METHOD = "WS";
  }

  Upgrade(Upgrades all, Call call, Admission.Pass pass) {
    this.all = all;
    this.call = call;
    this.route = call.route();
    this.pass = pass;
    this.principal = call.principal();
    this.incoming = all.incoming().share(Dispatcher.caller(call));
    this.outgoing = all.outgoing().share(Dispatcher.caller(call));
    this.brief = call.transfer().executor();
    this.end = call.transfer().end();
  }

  static Problem required() {
    return Problem.refused(
        426,
        "upgrade_required",
        null,
        "This address speaks WebSocket: connect with ws:// or wss://, or send a POST.");
  }

  /**
   * Sends the answer to the handshake when the handler has returned.
   *
   * @param endpoint gets the socket
   * @param failed runs if there will be none
   */
  public void accept(Session.Listener endpoint, Runnable failed) {
    Call asked = Objects.requireNonNull(call);
    call = null;
    asked.onAnswered(
        () -> {
          if (asked.status() != 101) {
            failed.run();
          }
        });
    asked.transfer().answer().upgrade(endpoint);
  }

  public String owner() {
    return principal.owner();
  }

  /** What the caller was admitted with; equal for all sockets of one token. */
  public Admission.Pass pass() {
    return pass;
  }

  /** Whether the caller would still be admitted. Asks the store. */
  public boolean isGood() {
    return all.admission().isGood(pass);
  }

  public String newRequestId() {
    return Dispatcher.newRequestId();
  }

  /**
   * Counts a request in a message against the limits of the caller.
   *
   * @throws Problem if it is too much
   */
  public void received() {
    all.listeners().forEach(listener -> listener.received(principal));
  }

  /** Reports the end of a request in a message. */
  public void answered(String requestId, int status, long nanos) {
    Answered answered = new Answered(principal, requestId, route, status, nanos);
    all.listeners().forEach(listener -> listener.answered(answered));
  }

  /** Does work on a thread that may wait for a model; false if there is none. */
  public boolean execute(Runnable work) {
    try {
      all.threads().execute(work);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Does work on a thread that may wait briefly. */
  public void executeBriefly(Runnable work) {
    brief.execute(work);
  }

  /** For messages of the client. */
  public Budget.Share incoming() {
    return incoming;
  }

  /** For messages to the client. */
  public Budget.Share outgoing() {
    return outgoing;
  }

  /** How many bytes have come from the client. */
  public long bytesIn() {
    return end.bytesIn();
  }

  /** How many bytes the operating system has accepted for the client. */
  public long bytesOut() {
    return end.bytesOut();
  }

  /** The socket is closed: what it held is free. */
  public void close() {
    incoming.close();
    outgoing.close();
  }
}
