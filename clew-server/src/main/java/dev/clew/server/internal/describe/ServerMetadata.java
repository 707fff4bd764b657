package dev.clew.server.internal.describe;

import dev.clew.SessionInfo;
import dev.clew.SessionUpdate;
import dev.clew.kit.MadeTitles;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the server remembers of a session. Immutable. It has its own key in the session's metadata,
 * which no API shows or replaces:
 *
 * <pre>{@code
 * {"@clew": {"model": "qwen3", "instructions": "Answer in verse.", "settings": {"temperature": 0.2},
 *  "branches": {"x7f2": 12}, "title": "8e3f…"}}
 * }</pre>
 *
 * @param model which of the server's models answers
 * @param instructions appended to the agent's
 * @param settings of the model, by the names of the API
 * @param branches the places where branches begin: name and the position before
 * @param title the digest of a title that the server made; while the session has that title, no
 *     person has chosen one
 */
public record ServerMetadata(
    Optional<String> model,
    Optional<String> instructions,
    Map<String, Object> settings,
    Map<String, Long> branches,
    Optional<String> title) {
  public static final ServerMetadata NOTHING =
      new ServerMetadata(Optional.empty(), Optional.empty(), Map.of(), Map.of(), Optional.empty());

  private static final String KEY = MadeTitles.KEY;

  public ServerMetadata {
    settings = Map.copyOf(settings);
    branches = Map.copyOf(branches);
  }

  public static ServerMetadata of(SessionInfo info) {
    Map<?, ?> kept = info.metadata().get(KEY) instanceof Map<?, ?> map ? map : Map.of();
    Map<String, Long> branches = new TreeMap<>();
    if (kept.get("branches") instanceof Map<?, ?> places) {
      places.forEach(
          (name, position) -> {
            if (position instanceof Number number) {
              branches.put(String.valueOf(name), number.longValue());
            }
          });
    }
    Map<String, Object> settings = new TreeMap<>();
    if (kept.get("settings") instanceof Map<?, ?> chosen) {
      chosen.forEach((name, value) -> settings.put(String.valueOf(name), value));
    }
    return new ServerMetadata(
        text(kept.get("model")),
        text(kept.get("instructions")),
        settings,
        branches,
        text(kept.get("title")));
  }

  private static Optional<String> text(@Nullable Object value) {
    return value instanceof String text && !text.isEmpty() ? Optional.of(text) : Optional.empty();
  }

  public static Map<String, Object> visible(SessionInfo info) {
    Map<String, Object> metadata = new LinkedHashMap<>(info.metadata());
    metadata.remove(KEY);
    return metadata;
  }

  public ServerMetadata model(String name) {
    return new ServerMetadata(text(name), instructions, settings, branches, title);
  }

  public ServerMetadata instructions(String text) {
    return new ServerMetadata(model, text(text), settings, branches, title);
  }

  public ServerMetadata settings(Map<String, Object> values) {
    return new ServerMetadata(model, instructions, values, branches, title);
  }

  public ServerMetadata branch(String name, long after) {
    Map<String, Long> more = new TreeMap<>(branches);
    more.put(name, after);
    return new ServerMetadata(model, instructions, settings, more, title);
  }

  public ServerMetadata withoutBranches() {
    return new ServerMetadata(model, instructions, settings, Map.of(), title);
  }

  /** With the mark of a title that the server made. */
  public ServerMetadata made(String title) {
    return new ServerMetadata(
        model, instructions, settings, branches, Optional.of(MadeTitles.mark(title)));
  }

  public SessionUpdate titled(String title, Map<String, ?> metadata) {
    return SessionUpdate.none().title(title).metadata(made(title).with(metadata));
  }

  /** Without the mark, because a person chooses the title or there is none. */
  public ServerMetadata chosen() {
    return new ServerMetadata(model, instructions, settings, branches, Optional.empty());
  }

  /** The metadata of a session: the owner's and this. */
  public Map<String, Object> with(Map<String, ?> metadata) {
    Map<String, Object> all = new LinkedHashMap<>(metadata);
    all.remove(KEY); // reserved
    Map<String, Object> kept = new LinkedHashMap<>();
    model.ifPresent(name -> kept.put("model", name));
    instructions.ifPresent(text -> kept.put("instructions", text));
    if (!settings.isEmpty()) {
      kept.put("settings", settings);
    }
    if (!branches.isEmpty()) {
      kept.put("branches", branches);
    }
    title.ifPresent(digest -> kept.put("title", digest));
    if (!kept.isEmpty()) {
      all.put(KEY, kept);
    }
    return all;
  }
}
