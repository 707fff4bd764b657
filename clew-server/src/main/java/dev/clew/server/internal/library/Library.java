package dev.clew.server.internal.library;

import dev.clew.Documents;
import dev.clew.ItemLimits;
import dev.clew.SessionInfo;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.kit.Marks;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.settings.ServerModels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The projects, prompts and preferences of owners. Thread-safe.
 *
 * <p>A project gives its sessions instructions and a model, as long as it has them; that a session
 * belongs to it is a tag of the session, see {@link Marks}. A prompt is a text to begin with.
 */
public record Library(Shelf projects, Shelf prompts, Preferences preferences, ServerModels models) {
  private static final int MOST_PROJECTS = 200;
  private static final int MOST_PROMPTS = 500;
  private static final int LONGEST_NAME = 200;
  private static final int LONGEST_TEXT = 20_000;

  private static final String PROJECT = "project";
  private static final String PROMPT = "prompt";

  /** How the lines of an export begin that hold no session. */
  private static final Pattern LINE =
      Pattern.compile("\\s*\\{\\s*\"(project|prompt|preferences)\"\\s*:");

  public static Library of(Documents documents, ServerModels models) {
    return new Library(
        new Shelf(documents, "projects", "proj_", MOST_PROJECTS),
        new Shelf(documents, "prompts", "prompt_", MOST_PROMPTS),
        new Preferences(documents),
        models);
  }

  /** What a project tells the model in its sessions. Immutable. */
  public record Defaults(Optional<String> model, Optional<String> instructions) {
    public static final Defaults NONE = new Defaults(Optional.empty(), Optional.empty());
  }

  /** What the project of a session tells. */
  public Defaults defaults(SessionInfo info) {
    return Marks.project(info)
        .flatMap(id -> projects.find(info.key().owner(), id))
        .map(project -> new Defaults(field(project, "model"), field(project, "instructions")))
        .orElse(Defaults.NONE);
  }

  private static Optional<String> field(Shelf.Thing thing, String name) {
    return Optional.of(thing.field(name)).filter(text -> !text.isEmpty());
  }

  /** The project that a request names, which must exist; empty for none, absent if not named. */
  public Optional<String> named(String owner, Fields body) {
    Optional<String> id = body.given(PROJECT).map(raw -> body.text(PROJECT).orElse(""));
    id.filter(given -> !given.isEmpty() && projects.find(owner, given).isEmpty())
        .ifPresent(
            given -> {
              throw Problem.invalid(
                  "project_not_found", PROJECT, "There is no project '" + given + "'.");
            });
    return id;
  }

  /** The fields of a project in a request. */
  Map<String, String> project(Fields body, boolean isNew) {
    Map<String, String> fields = named(body, isNew);
    text(body, "instructions", fields);
    text(body, "model", fields);
    String model = fields.getOrDefault("model", "");
    if (!model.isEmpty() && models.find(model).isEmpty()) {
      throw Problem.invalid(
          "model_not_found",
          "model",
          "The model '%s' does not exist; the models are: %s."
              .formatted(model, String.join(", ", models.names())));
    }
    return fields;
  }

  /** The fields of a prompt in a request. */
  Map<String, String> prompt(Fields body, boolean isNew) {
    Map<String, String> fields = named(body, isNew);
    text(body, "text", fields);
    if (isNew ? fields.getOrDefault("text", "").isEmpty() : "".equals(fields.get("text"))) {
      throw Problem.missing("text");
    }
    return fields;
  }

  private static Map<String, String> named(Fields body, boolean isNew) {
    Map<String, String> fields = new LinkedHashMap<>();
    if (isNew || body.given("name").isPresent()) {
      String name = Problem.checkLength("name", body.needText("name").strip(), LONGEST_NAME);
      if (name.isEmpty() || name.chars().anyMatch(Character::isISOControl)) {
        throw Problem.invalidValue("name", "it must be one line of text");
      }
      fields.put("name", name);
    }
    return fields;
  }

  private static void text(Fields body, String name, Map<String, String> into) {
    body.given(name)
        .map(raw -> body.text(name).orElse(""))
        .map(text -> Problem.checkLength(name, text.isBlank() ? "" : text, LONGEST_TEXT))
        .ifPresent(text -> into.put(name, text));
  }

  /** All of an owner, a line of an export for each. */
  public List<String> lines(String owner) {
    List<String> lines = new ArrayList<>();
    preferences
        .instructions(owner)
        .map(text -> new JsonObject().put(Preferences.NAME, Preferences.json(text)).toString())
        .ifPresent(lines::add);
    projects.all(owner).forEach(each -> lines.add(line(PROJECT, each)));
    prompts.all(owner).forEach(each -> lines.add(line(PROMPT, each)));
    return lines;
  }

  private static String line(String kind, Shelf.Thing thing) {
    return new JsonObject().put(kind, thing.json("id")).toString();
  }

  /**
   * Takes a line of an export, unless it is one of a session. What is there already stays.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public boolean take(String owner, String line) {
    Matcher beginning = LINE.matcher(line);
    if (!beginning.lookingAt()) {
      return false;
    }
    String kind = beginning.group(1);
    try {
      Json.checkValue(line, ItemLimits.STORE.json());
    } catch (Json.Malformed e) {
      throw new IllegalArgumentException("is no export: " + e.getMessage(), e);
    }
    Fields given = Fields.at(kind, String.valueOf(Json.fields(line).get(kind)));
    if (kind.equals(Preferences.NAME)) {
      if (preferences.instructions(owner).isEmpty()) {
        preferences.instructions(owner, Preferences.read(given));
      }
      return true;
    }
    String id = given.needText("id");
    if (!id.matches("[a-z]{1,10}_[0-9a-f]{1,64}")) {
      throw Problem.invalidValue(given.path("id"), "it is not one of an export");
    }
    if (kind.equals(PROMPT)) {
      prompts.put(owner, new Shelf.Thing(id, prompt(given, true)));
    } else {
      projects.put(owner, new Shelf.Thing(id, projectOfElsewhere(given)));
    }
    return true;
  }

  /** A model that this server does not have is left out. */
  private Map<String, String> projectOfElsewhere(Fields given) {
    Map<String, String> raw = new LinkedHashMap<>(given.raw());
    if (given.text("model").flatMap(models::find).isEmpty()) {
      raw.remove("model");
    }
    return project(new Fields(given.prefix(), raw), true);
  }
}
