package dev.clew.kit;

import dev.clew.SessionInfo;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tags by which a server marks sessions, and which people do not see. Stateless.
 *
 * <pre>{@code
 * @clew:temporary          in no list and found by no search
 * @clew:project-proj_01f3… belongs to a project
 * }</pre>
 *
 * <p>Tags for the same reasons as those of a {@link Family}.
 */
public final class Marks {
  /** Of a temporary session, which also has a time to live. */
  public static final String TEMPORARY = "@clew:temporary";

  private static final String PREFIX = "@clew:";
  private static final String PROJECT = PREFIX + "project-";

  private Marks() {}

  static boolean isMark(String tag) {
    return tag.startsWith(PREFIX);
  }

  /** Whether a session is temporary. Without a time to live it would never end, so it is not. */
  public static boolean isTemporary(SessionInfo info) {
    return info.timeToLive().isPresent() && info.tags().contains(TEMPORARY);
  }

  /** The project that a session belongs to. */
  public static Optional<String> project(SessionInfo info) {
    return info.tags().stream()
        .filter(tag -> tag.startsWith(PROJECT))
        .map(tag -> tag.substring(PROJECT.length()))
        .findFirst();
  }

  /** The tag of all sessions of a project. */
  public static String ofProject(String id) {
    return PROJECT + id;
  }

  /** The same tags, of a session that belongs to a project, or with an empty id to none. */
  public static Set<String> inProject(Set<String> tags, String id) {
    Set<String> marked = new TreeSet<>(tags);
    marked.removeIf(tag -> tag.startsWith(PROJECT));
    if (!id.isEmpty()) {
      marked.add(PROJECT + id);
    }
    return marked;
  }

  /** The same tags, of a session that is temporary no more. */
  public static Set<String> lasting(Set<String> tags) {
    Set<String> marked = new TreeSet<>(tags);
    marked.remove(TEMPORARY);
    return marked;
  }
}
