package dev.clew.server.internal.page;

import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.operate.Scope;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The OpenAPI document, and Swagger UI to show it. Thread-safe. Both are open: they describe the
 * version, not this server.
 */
public final class DocsApi {
  /** The folder in the WebJar, with the version from the POM. */
  private static final String WEBJAR = "/META-INF/resources/webjars/swagger-ui/5.34.1/";

  /** Allows only our own files, and images within the style sheet. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final Map<String, File> FILES =
      Map.of(
          "swagger-ui-bundle.js", new File(true, "text/javascript"),
          "swagger-ui.css", new File(true, "text/css"),
          "docs.js", new File(false, "text/javascript"));

  private record File(boolean inWebjar, String type) {}

  private final Supplier<List<Route>> routes;
  private volatile @Nullable String document;

  /** Over routes, which may not be complete yet. */
  public DocsApi(Supplier<List<Route>> routes) {
    this.routes = routes;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/openapi.json", Scope.OPEN, "Returns the OpenAPI document.", this::document),
        Route.get("/docs", Scope.OPEN, "Shows the documentation of the API.", this::page),
        Route.get("/docs/{file}", Scope.OPEN, "A file of the documentation.", this::file));
  }

  private void document(Call call) {
    String made = document;
    if (made == null) {
      made = OpenApi.of(routes.get());
      document = made;
    }
    call.replyJson(made);
  }

  private void page(Call call) {
    call.answerHeader("Content-Security-Policy", POLICY);
    call.reply(200, "text/html; charset=utf-8", Assets.text("docs.html"));
  }

  private void file(Call call) {
    File file = FILES.get(call.path("file"));
    if (file == null) {
      throw Problem.notFound("Invalid URL (GET /docs/" + call.path("file") + ")");
    }
    String folder = file.inWebjar() ? WEBJAR : "";
    call.answerHeader("Cache-Control", "max-age=3600");
    call.reply(200, file.type() + "; charset=utf-8", Assets.text(folder + call.path("file")));
  }
}
