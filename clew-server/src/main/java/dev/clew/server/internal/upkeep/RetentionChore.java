package dev.clew.server.internal.upkeep;

import dev.clew.SessionStore;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.retention.Retention;
import dev.clew.retention.RetentionListener;
import dev.clew.retention.RetentionReport;
import dev.clew.server.settings.RetentionSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Removes and compresses what the policies of the store say. Used by one thread. When it was last
 * done is a record of the store, so that several servers share the work.
 */
public final class RetentionChore implements Chores.Chore {
  private static final String DONE = "retention-done";

  private final SessionStore store;
  private final RetentionSettings settings;
  private final Clock clock;

  public RetentionChore(SessionStore store, RetentionSettings settings, Clock clock) {
    this.store = store;
    this.settings = settings;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "retention";
  }

  @Override
  public Duration every() {
    return settings.every();
  }

  @Override
  public Optional<Instant> last() {
    return store
        .documents()
        .get(Retention.OWNER, DONE)
        .map(record -> Json.string(Json.fields(record.json()).get("at")))
        .map(Instant::parse);
  }

  @Override
  public String run() {
    RetentionReport report =
        Retention.of(store)
            .archivedFrom(settings.store())
            .clock(clock)
            .run(false, settings.archive(), RetentionListener.NONE);
    String at = clock.instant().toString();
    store.documents().put(Retention.OWNER, DONE, new JsonObject().put("at", at).json());
    return report.removed()
        + " of "
        + report.examined()
        + " sessions removed, "
        + report.compressed().sessions()
        + " compressed"
        + (report.powerless().isEmpty()
            ? ""
            : "; this store cannot compress, so these policies do nothing: " + report.powerless());
  }
}
