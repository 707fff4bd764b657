package dev.clew.server.internal.sessions;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.imports.BadSource;
import dev.clew.imports.Import;
import dev.clew.imports.ImportFormat;
import dev.clew.imports.ImportFormats;
import dev.clew.imports.ImportListener;
import dev.clew.imports.ImportReport;
import dev.clew.imports.ImportReport.Outcome;
import dev.clew.imports.Losses;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.JsonText;
import dev.clew.kit.BoundedPage;
import dev.clew.kit.Family;
import dev.clew.server.internal.chat.Addressed;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.limits.FewAtOnce;
import dev.clew.server.operate.Scope;
import dev.clew.transcript.ExportFormat;
import dev.clew.transcript.ExportedSession;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Exports sessions to files and imports them. Thread-safe.
 *
 * @param mostMessages how many items a session may hold; 0 for no limit
 * @param few for HTML, which takes time to make
 */
public record ExportApi(SessionStore store, long mostMessages, FewAtOnce few) {
  private static final int LONGEST_NAME = 80;

  public List<Route> routes() {
    return List.of(
        Route.get(
            Addressed.PATH + "/export", Scope.READ, "Exports a session as a file.", this::export),
        Route.post(
                "/api/sessions/import",
                Scope.WRITE,
                "Imports an export as a session.",
                this::imported)
            .taking(Route.LARGE_BODY));
  }

  private void export(Call call) {
    ExportFormat format =
        ExportFormat.of(call.query("format").orElse("json"))
            .orElseThrow(
                () ->
                    Problem.invalidValue("format", "supported values are " + ExportFormat.names()));
    SessionInfo info = Addressed.info(store, call);
    call.answerHeader("Content-Disposition", disposition(info, format));
    call.answerHeader("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
    call.needs(BoundedPage.estimate(info, Integer.MAX_VALUE));
    if (info.bytes() > BoundedPage.MOST_BYTES) {
      call.replyPieces(format.contentType(), pieces(call, info, format));
    } else { // one read is a consistent snapshot
      List<Entry> entries =
          store.session(info.key()).entries(Range.latest(Integer.MAX_VALUE)).entries();
      String text =
          format == ExportFormat.HTML
              ? few.run(call.owner(), () -> format.write(info, entries))
              : format.write(info, entries);
      call.reply(200, format.contentType(), text);
    }
  }

  private Iterator<byte[]> pieces(Call call, SessionInfo info, ExportFormat format) {
    Iterator<byte[]> pieces = new ExportPieces(store, info, format);
    if (format != ExportFormat.HTML) {
      return pieces;
    }
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return pieces.hasNext();
      }

      @Override
      public byte[] next() {
        return few.run(call.owner(), pieces::next);
      }
    };
  }

  /** The title names the file, in the form for old clients and in the one for all letters. */
  private static String disposition(SessionInfo info, ExportFormat format) {
    String plain = "attachment; filename=\"" + format.fileName(info.key().id()) + "\"";
    String title = info.title().replaceAll("[\\p{Cntrl}/\\\\:*?\"<>|]+", " ").strip();
    if (title.isEmpty()) {
      return plain;
    }
    String name =
        title.substring(
            0,
            title.offsetByCodePoints(
                0, Math.min(LONGEST_NAME, title.codePointCount(0, title.length()))));
    String coded = URLEncoder.encode(name + "." + format.wire(), StandardCharsets.UTF_8);
    return plain + "; filename*=UTF-8''" + coded.replace("+", "%20");
  }

  private void imported(Call call) {
    Optional<ImportFormat> other = ImportFormats.ofText(call.body());
    if (other.isPresent()) {
      new OthersExport(store, mostMessages, other.get()).imported(call);
      return;
    }
    ExportedSession document = read(call.body());
    checkLimit("The export", document.drafts().size(), mostMessages);
    checkKnown(document);
    SessionUpdate description = description(document);
    SessionKey key = target(call, document.sessionId());
    try {
      if (!document.drafts().isEmpty()) {
        store.session(key).commit(Commit.appendDrafts(document.drafts()).expectVersion(0));
      }
      call.reply(
          SessionJson.session(
              store.session(key).update(description.tags(Family.visible(document.tags())))));
    } catch (ClewException.VersionConflict e) {
      throw Addressed.exists(key.id()); // created by another call just now
    }
  }

  /** The description, within the limits of the route that changes it. */
  static SessionUpdate description(ExportedSession document) {
    long bytes = JsonText.utf8Length(Json.write(document.metadata()));
    if (bytes > Route.SMALL_BODY) {
      throw noExport("the metadata has " + bytes + " bytes, the limit is " + Route.SMALL_BODY);
    }
    if (document.tags().size() > SessionsApi.MOST_TAGS) {
      throw noExport("it has more than " + SessionsApi.MOST_TAGS + " tags");
    }
    try {
      return document.description();
    } catch (IllegalArgumentException e) {
      throw noExport("a " + e.getMessage());
    }
  }

  /** The requested id; else the document's, unless it is taken; else a new one. */
  private SessionKey target(Call call, String documents) {
    Optional<String> asked = call.queryText("session_id");
    String id = asked.orElse(documents);
    if (id.isEmpty()) {
      return new SessionKey(call.owner(), UUID.randomUUID().toString());
    }
    SessionKey key = Addressed.given(call.owner(), id);
    if (store.session(key).info().isEmpty()) {
      return key;
    }
    if (asked.isPresent()) {
      throw Addressed.exists(id);
    }
    return new SessionKey(call.owner(), UUID.randomUUID().toString());
  }

  /** Reads an exported session, an array of items, or one item per line. */
  private static ExportedSession read(String text) {
    String start = text.stripLeading();
    try {
      if (start.isEmpty()) {
        throw noExport("it is empty");
      }
      if (start.startsWith("[")) {
        Json.checkValue(text, new ItemLimits(Integer.MAX_VALUE, 200).json());
        return ExportedSession.of("", items(Json.elements(text), "item "));
      }
      Optional<Map<String, String>> whole = object(text);
      if (whole.isPresent() && whole.get().containsKey("items")) {
        return ExportedSession.parse(text);
      }
      return ExportedSession.of("", items(text.lines().toList(), "line "));
    } catch (Json.Malformed | IllegalArgumentException e) {
      throw noExport(String.valueOf(e.getMessage()));
    } catch (ClewException.InvalidItem e) {
      throw Problem.invalid("invalid_item", "items", "Invalid item: " + Problem.reason(e));
    }
  }

  /** Items may have any type, but a file of objects that look like no item is none of ours. */
  private static void checkKnown(ExportedSession read) {
    boolean known =
        read.drafts().isEmpty()
            || read.drafts().stream()
                .map(draft -> Json.fields(draft.item().json()))
                .anyMatch(fields -> fields.containsKey("type") || fields.containsKey("role"));
    if (!known) {
      throw noExport("none of its objects has a 'role' or a 'type'");
    }
  }

  private static Optional<Map<String, String>> object(String text) {
    try {
      Json.check(text, new ItemLimits(Integer.MAX_VALUE, 200).json());
      return Optional.of(Json.fields(text));
    } catch (Json.Malformed e) {
      return Optional.empty();
    }
  }

  private static List<Item> items(List<String> texts, String place) {
    List<Item> items = new ArrayList<>(texts.size());
    for (int i = 0; i < texts.size(); i++) {
      if (!texts.get(i).isBlank()) {
        try {
          items.add(Item.parse(texts.get(i), ItemLimits.DEFAULT));
        } catch (ClewException.InvalidItem e) {
          throw new ClewException.InvalidItem(place + (i + 1) + ": " + e.getMessage());
        }
      }
    }
    return items;
  }

  static void checkLimit(String what, long items, long most) {
    if (most > 0 && items > most) {
      throw Problem.invalid(
          "message_limit_reached",
          "items",
          what + " has " + items + " items; a session holds at most " + most + ".");
    }
  }

  static Problem noExport(String reason) {
    return Problem.invalid("invalid_export", null, "The body is not an export: " + reason + ".");
  }

  /** Another program's export. Used once, by one thread. */
  private static final class OthersExport {
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
        named.dryRun().run(new Listener(true));
        report = named.run(new Listener(false));
      } catch (BadSource e) {
        throw noExport(String.valueOf(e.getMessage()));
      } catch (IllegalArgumentException e) {
        throw Problem.invalidValue("session_id", e.getMessage());
      }
      if (last == null) {
        throw refused == null
            ? noExport("it has no conversation to import")
            : Addressed.exists(refused.id());
      }
      call.reply(
          SessionJson.session(store.session(last).info().orElseThrow())
              .put("import", json(report)));
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
          checkLimit("Conversation '" + key.id() + "'", items, mostMessages);
        } else if (outcome == Outcome.REFUSED) {
          refused = key;
        } else {
          last = key;
        }
      }
    }
  }
}
