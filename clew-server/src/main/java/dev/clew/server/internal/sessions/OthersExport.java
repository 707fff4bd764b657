package dev.clew.server.internal.sessions;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.imports.BadSource;
import dev.clew.imports.Import;
import dev.clew.imports.ImportFormat;
import dev.clew.imports.ImportListener;
import dev.clew.imports.ImportReport;
import dev.clew.imports.ImportReport.Outcome;
import dev.clew.imports.Losses;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An export of another program that somebody sent. Used once, by one thread. */
final class OthersExport {
  private final SessionStore store;
  private final long mostMessages;
  private final ImportFormat format;
  private @Nullable SessionKey last;
  private @Nullable SessionKey refused;

  OthersExport(SessionStore store, long mostMessages, ImportFormat format) {
    this.store = store;
    this.mostMessages = mostMessages;
    this.format = format;
  }

  /** Imports it, and answers with the last session and what became of all. */
  void imported(Call call) {
    Import wanted = Import.of(format, "the body", store).owner(call.owner());
    Optional<String> id = call.query("session_id").filter(text -> !text.isEmpty());
    ImportReport report;
    try {
      Import named = id.isPresent() ? wanted.as(id.get()) : wanted;
      named.dryRun().run(new Limit());
      report = named.run(new Outcomes());
    } catch (BadSource e) {
      throw ExportApi.noExport(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      throw Problem.invalidValue("session_id", e.getMessage());
    }
    if (last == null) {
      throw refused == null
          ? ExportApi.noExport("it has no conversation that could be imported")
          : ExportApi.exists(refused.id());
    }
    call.reply(
        SessionJson.session(store.session(last).info().orElseThrow()).put("import", json(report)));
  }

  private JsonObject json(ImportReport report) {
    JsonObject sessions = new JsonObject();
    for (Outcome outcome : Outcome.values()) {
      sessions.put(outcome.name().toLowerCase(Locale.ROOT), report.count(outcome));
    }
    List<JsonObject> losses = report.losses().stream().map(OthersExport::json).toList();
    return new JsonObject()
        .put("format", format.name())
        .put("sessions", sessions)
        .put("items", report.items())
        .putAll("losses", losses);
  }

  private static JsonObject json(Losses.Loss loss) {
    return new JsonObject()
        .put("reason", loss.reason())
        .put("count", loss.count())
        .put("places", loss.places());
  }

  /** Before anything is written. */
  private final class Limit implements ImportListener {
    @Override
    public void finished(SessionKey key, Outcome outcome, long items, String message) {
      if (mostMessages > 0 && items > mostMessages) {
        throw Problem.invalid(
            "message_limit_reached",
            "items",
            "The conversation '"
                + key.id()
                + "' has "
                + items
                + " items; a session holds at most "
                + mostMessages
                + ".");
      }
    }
  }

  private final class Outcomes implements ImportListener {
    @Override
    public void finished(SessionKey key, Outcome outcome, long items, String message) {
      if (outcome == Outcome.REFUSED) {
        refused = key;
      } else {
        last = key;
      }
    }
  }
}
