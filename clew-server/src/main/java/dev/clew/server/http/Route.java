package dev.clew.server.http;

/**
 * One thing the server answers. Immutable. The table of all routes is what is served, what the
 * OpenAPI document describes and what the test of who may do what goes through.
 *
 * @param method the method
 * @param path with parameters in braces
 * @param scope what the caller must be allowed to
 * @param summary one sentence for the documents
 * @param handler answers
 */
public record Route(Method method, String path, Scope scope, String summary, Handler handler) {
  /** The methods in use. */
  public enum Method {
    GET,
    POST,
    PATCH,
    DELETE
  }

  /** Answers one call. */
  @FunctionalInterface
  public interface Handler {
    /** Replies, or throws a {@link Problem}. */
    void handle(Call call) throws Exception;
  }

  public static Route get(String path, Scope scope, String summary, Handler handler) {
    return new Route(Method.GET, path, scope, summary, handler);
  }

  public static Route post(String path, Scope scope, String summary, Handler handler) {
    return new Route(Method.POST, path, scope, summary, handler);
  }

  public static Route patch(String path, Scope scope, String summary, Handler handler) {
    return new Route(Method.PATCH, path, scope, summary, handler);
  }

  public static Route delete(String path, Scope scope, String summary, Handler handler) {
    return new Route(Method.DELETE, path, scope, summary, handler);
  }

  /** The same route at another path. */
  public Route at(String other) {
    return new Route(method, other, scope, summary, handler);
  }

  @Override
  public String toString() {
    return method + " " + path;
  }
}
