package dev.clew.server.http;

/**
 * One thing the server answers. Immutable. The table of all routes is what is served, what the
 * OpenAPI document describes and what the test of who may do what goes through.
 *
 * @param method the method
 * @param path with parameters in braces
 * @param scope what the caller must be allowed to
 * @param summary one sentence for the documents
 * @param waits how long the handler may wait
 * @param handler answers
 */
public record Route(
    Method method, String path, Scope scope, String summary, Waits waits, Handler handler) {
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

  public static Route get(String path, Scope scope, String summary, Handler handler) {
    return new Route(Method.GET, path, scope, summary, Waits.BRIEFLY, handler);
  }

  public static Route post(String path, Scope scope, String summary, Handler handler) {
    return new Route(Method.POST, path, scope, summary, Waits.BRIEFLY, handler);
  }

  public static Route patch(String path, Scope scope, String summary, Handler handler) {
    return new Route(Method.PATCH, path, scope, summary, Waits.BRIEFLY, handler);
  }

  public static Route delete(String path, Scope scope, String summary, Handler handler) {
    return new Route(Method.DELETE, path, scope, summary, Waits.BRIEFLY, handler);
  }

  /** The same route at another path. */
  public Route at(String other) {
    return new Route(method, other, scope, summary, waits, handler);
  }

  /** The same route with a handler that may wait longer, or not so long. */
  public Route waiting(Waits other) {
    return new Route(method, path, scope, summary, other, handler);
  }

  @Override
  public String toString() {
    return method + " " + path;
  }
}
