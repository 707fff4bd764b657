package dev.clew.server.internal.chat;

import dev.clew.SessionInfo;
import dev.clew.SessionUpdate;
import dev.clew.kit.Family;
import dev.clew.kit.Marks;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.library.Library;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where a session belongs: to a project, and whether it is temporary. Immutable. Absent fields
 * change nothing.
 *
 * @param project the id of a project; empty for none
 */
public record Belonging(Optional<String> project, Optional<Boolean> temporary) {
  /** How long a temporary session lives after its last message, if nobody deletes it before. */
  private static final Duration LIFE = Duration.ofDays(1);

  public static Belonging read(Fields body, Library library, String owner) {
    return new Belonging(library.named(owner, body), body.flag("temporary"));
  }

  /** The same with a message. It does not make a temporary session last: many clients say no. */
  Belonging withMessage() {
    return new Belonging(project, temporary.filter(is -> is));
  }

  /** A session that is created. */
  SessionUpdate of(SessionUpdate made) {
    Set<String> tags = Marks.inProject(Set.of(), project.orElse(""));
    if (!temporary.orElse(false)) {
      return tags.isEmpty() ? made : made.tags(tags);
    }
    tags = new TreeSet<>(tags);
    tags.add(Marks.TEMPORARY);
    return made.tags(tags).timeToLive(LIFE);
  }

  /**
   * What becomes of a session.
   *
   * @param given the other changes
   */
  public SessionUpdate of(SessionInfo info, SessionUpdate given) {
    checkTemporary(info);
    Set<String> before = info.tags();
    Set<String> after = given.tags().map(tags -> Family.tags(info, tags)).orElse(before);
    after = project.isPresent() ? Marks.inProject(after, project.get()) : after;
    boolean lasts = !temporary.orElse(true) && Marks.isTemporary(info);
    after = lasts ? Marks.lasting(after) : after;
    SessionUpdate update =
        lasts && given.timeToLive().isEmpty() ? given.timeToLive(Duration.ZERO) : given;
    return after.equals(before) && given.tags().isEmpty() ? update : update.tags(after);
  }

  /** Whether a session is in its project already. */
  boolean isOf(SessionInfo info) {
    checkTemporary(info);
    return project.map(id -> id.equals(Marks.project(info).orElse(""))).orElse(true);
  }

  private void checkTemporary(SessionInfo info) {
    if (temporary.orElse(false) && !Marks.isTemporary(info)) {
      throw Problem.invalidValue("temporary", "only a new session can be temporary");
    }
  }
}
