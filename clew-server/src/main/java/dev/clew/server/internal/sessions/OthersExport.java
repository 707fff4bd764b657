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
import dev.clew.server.internal.chat.Addressed;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Another program's export. Used once, by one thread. */
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

  /** Imports it; replies with the last session and a summary of all. */
  void imported(Call call) {
    Import wanted = Import.of(format, "the body", store).owner(call.owner());
    Optional<String> id = call.queryText("session_id");
    ImportReport report;
    try {
      Import named = id.isPresent() ? wanted.as(id.get()) : wanted;
      named.rehearsal().run(new Listener(true));
      report = named.run(new Listener(false));
    } catch (BadSource e) {
      throw ExportApi.noExport(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      throw Problem.invalidValue("session_id", e.getMessage());
    }
    if (last == null) {
      throw refused == null
          ? ExportApi.noExport("it has no conversation to import")
          : Addressed.exists(refused.id());
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

  private final class Listener implements ImportListener {
    private final boolean rehearsing;

    Listener(boolean rehearsing) {
      this.rehearsing = rehearsing;
    }

    @Override
    public void finished(SessionKey key, Outcome outcome, long items, String message) {
      if (rehearsing) {
        ExportApi.checkLimit("Conversation '" + key.id() + "'", items, mostMessages);
      } else if (outcome == Outcome.REFUSED) {
        refused = key;
      } else {
        last = key;
      }
    }
  }
}
