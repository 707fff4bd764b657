package dev.clew.server.internal.http;

import dev.clew.server.operate.Scope;

/**
 * One operation of the server. Immutable. The OpenAPI document and the permission test are made
 * from the table of all routes.
 *
 * @param path with parameters in braces
 * @param scope what the caller needs
 * @param summary one sentence for the documents
 * @param waits how long the handler may block
 * @param mostBytes the limit for the body
 */
public record Route(
    Method method,
    String path,
    Scope scope,
    String summary,
    Waits waits,
    int mostBytes,
    Handler handler) {
  static final int OPEN_BODY = 8 << 10;

  public static final int SMALL_BODY = 1 << 20;

  public static final int LARGE_BODY = 32 << 20;

  /** The handler reads the body itself, however long it is; see {@link Call#bodyStream}. */
  public static final int STREAM = Integer.MAX_VALUE;

  public enum Method {
    GET,
    POST,
    PATCH,
    DELETE
  }

  /** How long a handler may block, which decides on which thread it runs. */
  public enum Waits {
    /** Not at all: it may run on a thread that reads from all connections. */
    NEVER,
    /** For the store: it runs on one of a limited number of threads. */
    BRIEFLY,
    /** For a model: it has its own thread. */
    LONG
  }

  @FunctionalInterface
  public interface Handler {
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

  public Route at(String other) {
    return new Route(method, other, scope, summary, waits, mostBytes, handler);
  }

  public Route waiting(Waits other) {
    return new Route(method, path, scope, summary, other, mostBytes, handler);
  }

  public Route taking(int bytes) {
    return new Route(method, path, scope, summary, waits, bytes, handler);
  }

  /** With a body that the handler reads, on a thread of its own. */
  public Route streaming() {
    return waiting(Waits.LONG).taking(STREAM);
  }

  @Override
  public String toString() {
    return method + " " + path;
  }
}
