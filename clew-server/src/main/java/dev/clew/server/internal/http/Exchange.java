package dev.clew.server.internal.http;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a call apart from its content. Thread-safe. It is still there when the request
 * is over, which the request itself is not.
 */
public final class Exchange {
  private final Transfer transfer;
  private final String requestId;
  private final String method;
  private final String route;
  private final String path;
  private final Map<String, String> parameters;
  private final String address;
  private final long begunNanos = System.nanoTime();
  private final List<Runnable> afterwards = new CopyOnWriteArrayList<>();
  private volatile @Nullable Principal principal;
  private volatile int status = 200;
  private volatile long nanos;

  Exchange(Transfer transfer, String requestId, String route, Map<String, String> parameters) {
    this.transfer = transfer;
    this.requestId = requestId;
    this.method = transfer.method();
    this.route = route;
    this.path = transfer.path();
    this.parameters = parameters;
    this.address = transfer.address();
  }

  /** The id under which it stands in the logs. */
  public String requestId() {
    return requestId;
  }

  /** The method, or {@code OTHER}: of those there may be any number. */
  public String method() {
    return switch (method) {
      case "GET", "POST", "PATCH", "DELETE", "OPTIONS", "HEAD", "PUT" -> method;
      default -> "OTHER";
    };
  }

  /** The path of the route, with its parameters in braces; {@code none} if there is none. */
  public String route() {
    return route;
  }

  /** The path as it was sent, which may tell anything. */
  public String path() {
    return path;
  }

  /** Whether there is a route for it. */
  public boolean isRouted() {
    return !route.equals(Dispatcher.NO_ROUTE);
  }

  /** Where it comes from. */
  public String address() {
    return address;
  }

  /** Who calls, once that is known. */
  public Optional<Principal> principal() {
    return Optional.ofNullable(principal);
  }

  /** The status of the answer. */
  public int status() {
    return status;
  }

  /** How long it took; 0 until it is answered. */
  public long nanos() {
    return nanos;
  }

  /** What the path names, such as a session's id. */
  public Optional<String> subject() {
    return parameters.values().stream().findFirst();
  }

  /** A parameter of the path. */
  String parameter(String name) {
    return Objects.requireNonNull(parameters.get(name), name);
  }

  /** A header of the request, while the call is handled. */
  public @Nullable String requestHeader(String name) {
    return transfer.header(name);
  }

  /** Sets a header of the answer. */
  public void header(String name, String value) {
    transfer.setHeader(name, value);
  }

  /** Calls back when the answer is out. */
  public void onAnswered(Runnable action) {
    afterwards.add(action);
  }

  void principal(Principal who) {
    principal = who;
  }

  void status(int code) {
    status = code;
  }

  void end(int code) {
    status = code;
    nanos = System.nanoTime() - begunNanos;
    afterwards.forEach(Runnable::run);
  }
}
