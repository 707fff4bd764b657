package dev.clew.server.internal.responses;

import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.operate.Scope;
import java.util.List;

/** The names of the models. Thread-safe. */
public record ModelsApi(List<String> names, long createdAt) {
  public List<Route> routes() {
    return List.of(
        Route.get("/v1/models", Scope.READ, "Lists the models.", this::list),
        Route.get("/v1/models/{model}", Scope.READ, "Retrieves a model.", this::retrieve));
  }

  private void list(Call call) {
    call.reply(
        new JsonObject()
            .put("object", "list")
            .putAll("data", names.stream().map(this::model).toList()));
  }

  private void retrieve(Call call) {
    String name = call.path("model");
    if (!names.contains(name)) {
      throw Problem.refused(
          404, "model_not_found", "model", "The model '" + name + "' does not exist.");
    }
    call.reply(model(name));
  }

  private JsonObject model(String name) {
    return new JsonObject()
        .put("id", name)
        .put("object", "model")
        .put("created", createdAt)
        .put("owned_by", "clew");
  }
}
