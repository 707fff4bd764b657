package dev.clew.server.internal.http;

import dev.clew.server.operate.Scope;

/**
 * One thing the server answers. Immutable. The table of all routes is what is served, what the
 * OpenAPI document describes and what the test of who may do what goes through.
 *
 * @param method the method
 * @param path with parameters in braces
 * @param scope what the caller must be allowed to
 * @param summary one sentence for the documents
 * @param waits how long the handler may wait
 * @param mostBytes how long the body may be
 * @param handler answers
 */
public record Route(
    Method method,
    String path,
    Scope scope,
    String summary,
    Waits waits,
    int mostBytes,
    Handler handler) {
  /** What a route takes of somebody who has not said who she is: a form. */
  static final int OPEN_BODY = 8 << 10;

  /** What a route takes that changes something small, unless it says otherwise. */
  static final int SMALL_BODY = 1 << 20;

  /** The most that any route takes. */
  public static final int LARGE_BODY = 32 << 20;

  /** The methods in use. */
  public enum Method {
    GET,
    POST,
    PATCH,
    DELETE
  }

  /** How long a handler may wait for something, which decides whose thread it runs on. */
  public enum Waits {
    /** Not at all: it may run on the thread that reads from all connections. */
    NEVER,
    /** For the store: it runs on one of a limited number of threads. */
    BRIEFLY,
    /** For a model: it has a thread of its own. */
    LONG
  }

  /** Answers one call. */
  @FunctionalInterface
  public interface Handler {
    /** Replies, or throws a {@link Problem}. */
    void handle(Call call) throws Exception;
  }

  private static int most(Scope scope) {
    return scope == Scope.OPEN ? OPEN_BODY : SMALL_BODY;
  }

  public static Route get(String path, Scope scope, String summary, Handler handler) {
    return new Route(Method.GET, path, scope, summary, Waits.BRIEFLY, OPEN_BODY, handler);
  }

  public static Route post(String path, Scope scope, String summary, Handler handler) {
    return new Route(Method.POST, path, scope, summary, Waits.BRIEFLY, most(scope), handler);
  }

  public static Route patch(String path, Scope scope, String summary, Handler handler) {
    return new Route(Method.PATCH, path, scope, summary, Waits.BRIEFLY, most(scope), handler);
  }

  public static Route delete(String path, Scope scope, String summary, Handler handler) {
    return new Route(Method.DELETE, path, scope, summary, Waits.BRIEFLY, OPEN_BODY, handler);
  }

  /** The same route at another path. */
  public Route at(String other) {
    return new Route(method, other, scope, summary, waits, mostBytes, handler);
  }

  /** The same route with a handler that may wait longer, or not so long. */
  public Route waiting(Waits other) {
    return new Route(method, path, scope, summary, other, mostBytes, handler);
  }

  /** The same route with another limit for its body. */
  public Route taking(int bytes) {
    return new Route(method, path, scope, summary, waits, bytes, handler);
  }

  @Override
  public String toString() {
    return method + " " + path;
  }
}
