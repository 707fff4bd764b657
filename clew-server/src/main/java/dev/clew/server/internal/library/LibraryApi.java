package dev.clew.server.internal.library;

import dev.clew.SessionInfo;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.json.JsonObject;
import dev.clew.kit.Marks;
import dev.clew.kit.SessionChange;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.library.Shelf.Thing;
import dev.clew.server.operate.Scope;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The routes of preferences, projects and prompts. Thread-safe. */
public record LibraryApi(SessionStore store, Library library, boolean strict) {
  private static final String PROJECT = "project_id";
  private static final String PROMPT = "prompt_id";
  private static final Set<String> PROJECT_FIELDS = Set.of("name", "instructions", "model");
  private static final Set<String> PROMPT_FIELDS = Set.of("name", "text");

  public List<Route> routes() {
    String project = "/api/projects/{project_id}";
    String prompt = "/api/prompts/{prompt_id}";
    return List.of(
        Route.get(
            "/api/preferences",
            Scope.READ,
            "Returns what all sessions are told.",
            this::preferences),
        Route.patch(
            "/api/preferences", Scope.WRITE, "Changes what all sessions are told.", this::prefer),
        Route.get("/api/projects", Scope.READ, "Lists projects.", this::projects),
        Route.post("/api/projects", Scope.WRITE, "Creates a project.", this::createProject),
        Route.patch(project, Scope.WRITE, "Updates a project.", this::changeProject),
        Route.delete(
            project, Scope.WRITE, "Deletes a project. Its sessions stay.", this::deleteProject),
        Route.get("/api/prompts", Scope.READ, "Lists prompts.", this::prompts),
        Route.post("/api/prompts", Scope.WRITE, "Creates a prompt.", this::createPrompt),
        Route.patch(prompt, Scope.WRITE, "Updates a prompt.", this::changePrompt),
        Route.delete(prompt, Scope.WRITE, "Deletes a prompt.", this::deletePrompt));
  }

  private void preferences(Call call) {
    call.reply(Preferences.json(library.preferences().instructions(call.owner()).orElse("")));
  }

  private void prefer(Call call) {
    Fields body = Fields.of(call, strict, Set.of("instructions"));
    if (body.given("instructions").isPresent()) {
      library.preferences().instructions(call.owner(), Preferences.read(body));
    }
    preferences(call);
  }

  private void projects(Call call) {
    list(call, library.projects(), PROJECT);
  }

  private void prompts(Call call) {
    list(call, library.prompts(), PROMPT);
  }

  private static void list(Call call, Shelf shelf, String idName) {
    call.needs(Shelf.MOST_BYTES);
    call.reply(
        new JsonObject()
            .putAll(
                "data",
                shelf.all(call.owner()).stream()
                    .sorted(Comparator.comparing(thing -> thing.field("name")))
                    .map(thing -> thing.json(idName))
                    .toList()));
  }

  private void createProject(Call call) {
    Map<String, String> fields = library.project(Fields.of(call, strict, PROJECT_FIELDS), true);
    call.reply(library.projects().add(call.owner(), fields).json(PROJECT));
  }

  private void createPrompt(Call call) {
    Map<String, String> fields = library.prompt(Fields.of(call, strict, PROMPT_FIELDS), true);
    call.reply(library.prompts().add(call.owner(), fields).json(PROMPT));
  }

  private void changeProject(Call call) {
    Map<String, String> fields = library.project(Fields.of(call, strict, PROJECT_FIELDS), false);
    String id = call.path(PROJECT);
    call.reply(found(library.projects().change(call.owner(), id, fields), PROJECT, id));
  }

  private void changePrompt(Call call) {
    Map<String, String> fields = library.prompt(Fields.of(call, strict, PROMPT_FIELDS), false);
    String id = call.path(PROMPT);
    call.reply(found(library.prompts().change(call.owner(), id, fields), PROMPT, id));
  }

  private static JsonObject found(Optional<Thing> thing, String idName, String id) {
    return thing.orElseThrow(() -> notFound(idName, id)).json(idName);
  }

  private static Problem notFound(String idName, String id) {
    String kind = idName.substring(0, idName.indexOf('_'));
    return Problem.refused(
        404, kind + "_not_found", null, "There is no " + kind + " '" + id + "'.");
  }

  /** Takes its sessions out of it first, so that what was interrupted can be repeated. */
  private void deleteProject(Call call) {
    String id = call.path(PROJECT);
    if (library.projects().find(call.owner(), id).isEmpty()) {
      throw notFound(PROJECT, id);
    }
    SessionQuery query =
        SessionQuery.of(call.owner())
            .tag(Marks.ofProject(id))
            .order(SessionQuery.Order.CREATED)
            .limit(SessionQuery.MAX_LIMIT);
    for (SessionInfo info : query.walk(store::list)) {
      SessionChange.change(
          store.session(info.key()),
          now -> Optional.of(SessionUpdate.none().tags(Marks.inProject(now.tags(), ""))));
    }
    library.projects().remove(call.owner(), id);
    call.reply(new JsonObject().put(PROJECT, id).put("deleted", true));
  }

  private void deletePrompt(Call call) {
    String id = call.path(PROMPT);
    if (!library.prompts().remove(call.owner(), id)) {
      throw notFound(PROMPT, id);
    }
    call.reply(new JsonObject().put(PROMPT, id).put("deleted", true));
  }
}
