package dev.clew.server.internal.sessions;

import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.Role;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.View;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.kit.BoundedPage;
import dev.clew.kit.Family;
import dev.clew.kit.Sha256;
import dev.clew.server.internal.chat.Addressed;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Language;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.limits.FewAtOnce;
import dev.clew.server.internal.wire.ConversationIds;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import dev.clew.transcript.TranscriptDocument;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Links to what was said in a session up to the moment when the link was made, readable by
 * anybody. Thread-safe. They show only what user and assistant said, no tool calls.
 *
 * <p>A link consists of three documents: its description and content belong to the owner and are
 * erased with the owner; the server's document only names the owner. A link ends when the session
 * is deleted or nothing of the shown history is left, whichever program did it, and does not come
 * back with a new session of the same id.
 *
 * <pre>{@code
 * owner:  share/<digest>   {"secret":"…","session_id":"trip","title":"Kyoto","created_at":"…",
 *                           "of":1772618400000,"up_to":1772618460000}
 *         shared/<digest>  "<!DOCTYPE html>…"
 * @clew:  share/<digest>   {"owner":"ann"}
 * }</pre>
 *
 * @param few for the page, which takes time to make
 */
public record Shares(SessionStore store, Clock clock, FewAtOnce few, boolean strict) {
  private static final Duration LONGEST_LIFE = Duration.ofDays(36_500);
  private static final Map<Language, List<String>> GONE =
      Map.of(
          Language.EN,
          List.of("This link has expired", "Ask the person who sent it to you for a new one."),
          Language.ZH,
          List.of("此链接已失效", "请向分享者索取新的链接。"),
          Language.DE,
          List.of("Dieser Link ist nicht mehr gültig", "Bitten Sie den Absender um einen neuen."),
          Language.ES,
          List.of("Este enlace ya no es válido", "Pide uno nuevo a quien te lo envió."));

  private static final int MOST = 500;
  private static final String LINK = "share/";
  private static final String SHOWN = "shared/";

  public List<Route> routes() {
    return List.of(
        Route.post(
            Addressed.PATH + "/shares",
            Scope.WRITE,
            "Creates a link for anybody to read a session as it is now.",
            this::create),
        Route.get("/api/shares", Scope.READ, "Lists the caller's links.", this::list),
        Route.delete("/api/shares/{share_id}", Scope.WRITE, "Revokes a link.", this::revoke),
        Route.get("/shared/{secret}", Scope.OPEN, "Shows a shared session.", this::show));
  }

  private void create(Call call) {
    Fields body = Fields.of(call, strict, Set.of("expires_in_seconds"));
    Optional<Duration> life = life(body.number("expires_in_seconds"));
    SessionInfo info = Addressed.info(store, call);
    String owner = call.owner();
    if (records().list(owner, LINK, Optional.empty(), MOST).size() == MOST) {
      throw Problem.invalid(
          "too_many_shares", null, "You have " + MOST + " links, which is the limit; revoke some.");
    }
    call.needs(BoundedPage.estimate(info, Integer.MAX_VALUE));
    List<Entry> said = said(info);
    String secret = ConversationIds.random("", 32);
    String digest = Sha256.hex(secret);
    JsonObject link =
        new JsonObject()
            .put("secret", secret)
            .put("session_id", info.key().id())
            .put("title", info.title())
            .put("created_at", SessionJson.time(clock.instant()))
            .put("of", info.createdAt().toEpochMilli())
            .put("up_to", upTo(said));
    life.ifPresent(time -> link.put("expires_at", SessionJson.time(clock.instant().plus(time))));
    String language = Language.of(call).code();
    String page = few.run(owner, () -> TranscriptDocument.html(info, said, language));
    put(owner, SHOWN + digest, Json.write(page), life);
    Document made = put(owner, LINK + digest, link.toString(), life);
    put(Tokens.OWNER, LINK + digest, new JsonObject().put("owner", owner).toString(), life);
    call.reply(json(made));
  }

  private Document put(String owner, String name, String json, Optional<Duration> life) {
    return records().put(owner, name, json, OptionalLong.empty(), life);
  }

  private static Optional<Duration> life(OptionalLong seconds) {
    if (seconds.isEmpty()) {
      return Optional.empty();
    }
    long given = seconds.getAsLong();
    if (given < 1 || given > LONGEST_LIFE.toSeconds()) {
      throw Problem.invalidValue(
          "expires_in_seconds",
          "use 1 second to " + LONGEST_LIFE.toDays() + " days, or leave it out");
    }
    return Optional.of(Duration.ofSeconds(given));
  }

  private List<Entry> said(SessionInfo info) {
    List<Entry> said = new ArrayList<>();
    long bytes = 0;
    EntryPage page = BoundedPage.read(store, info, Range.first(Integer.MAX_VALUE));
    while (true) {
      for (Entry entry : page.entries()) {
        if (isSaid(entry)) {
          bytes += entry.item().json().length();
          said.add(entry);
        }
      }
      if (bytes > BoundedPage.LARGEST) {
        throw Problem.invalid(
            "session_too_large",
            null,
            "This session has more text than a link can show ("
                + (BoundedPage.LARGEST >> 20)
                + " MiB); export it, or share a fork of its start.");
      }
      if (!page.hasMore() || page.entries().isEmpty()) {
        return said;
      }
      long last = page.entries().get(page.entries().size() - 1).position();
      page = BoundedPage.read(store, info, Range.after(last, Integer.MAX_VALUE));
    }
  }

  private static boolean isSaid(Entry entry) {
    return entry.item().view() instanceof View.Message message
        && (message.role() == Role.USER || message.role() == Role.ASSISTANT);
  }

  private static JsonObject json(Document link) {
    Map<String, String> fields = Json.fields(link.json());
    return new JsonObject()
        .put("share_id", link.name().substring(LINK.length()))
        .put("path", "/shared/" + Json.string(fields.get("secret")))
        .raw("session_id", fields.getOrDefault("session_id", "\"\""))
        .raw("title", fields.getOrDefault("title", "\"\""))
        .raw("created_at", fields.getOrDefault("created_at", "\"\""))
        .raw("expires_at", fields.getOrDefault("expires_at", "null"));
  }

  private void list(Call call) {
    String owner = call.owner();
    end(owner, link -> !isAlive(owner, link));
    call.reply(
        new JsonObject()
            .putAll(
                "data",
                records().list(owner, LINK, Optional.empty(), MOST).stream()
                    .map(link -> withFamily(owner, link))
                    .toList()));
  }

  /** A link of one branch is the link of its conversation. */
  private JsonObject withFamily(String owner, Document link) {
    JsonObject json = json(link);
    SessionKey key = new SessionKey(owner, session(Json.fields(link.json())));
    store.session(key).info().flatMap(Family::name).ifPresent(name -> json.put("family", name));
    return json;
  }

  private void revoke(Call call) {
    String id = call.path("share_id");
    boolean was = id.matches("[0-9a-f]{64}") && end(call.owner(), id);
    if (!was) {
      throw Problem.refused(404, "share_not_found", null, "There is no link '" + id + "'.");
    }
    call.reply(new JsonObject().put("share_id", id).put("deleted", true));
  }

  private boolean end(String owner, String digest) {
    boolean was = records().delete(owner, LINK + digest);
    if (was) {
      records().delete(Tokens.OWNER, LINK + digest);
      records().delete(owner, SHOWN + digest);
    }
    return was;
  }

  public void forget(SessionKey key) {
    end(key.owner(), link -> session(Json.fields(link.json())).equals(key.id()));
  }

  private void end(String owner, Predicate<Document> gone) {
    for (Document link : records().list(owner, LINK, Optional.empty(), MOST)) {
      if (gone.test(link)) {
        end(owner, link.name().substring(LINK.length()));
      }
    }
  }

  private static String session(Map<String, String> link) {
    return String.valueOf(Json.string(link.get("session_id")));
  }

  /** Whether the shared session and any of the shown history still exist. */
  private boolean isAlive(String owner, Document link) {
    Map<String, String> fields = Json.fields(link.json());
    SessionKey key = new SessionKey(owner, session(fields));
    long created = Long.parseLong(fields.getOrDefault("of", "-1"));
    long upTo = Long.parseLong(fields.getOrDefault("up_to", "-1"));
    // Compares times, which survive backups and migrations; positions do not.
    return store
            .session(key)
            .info()
            .filter(info -> info.createdAt().toEpochMilli() == created)
            .isPresent()
        && (upTo < 0
            || store.session(key).entries(Range.first(1).withCompacted()).entries().stream()
                .anyMatch(first -> first.addedAt().toEpochMilli() <= upTo));
  }

  /** The time of the last shown message; -1 if there is none. */
  private static long upTo(List<Entry> said) {
    return said.isEmpty() ? -1 : said.get(said.size() - 1).addedAt().toEpochMilli();
  }

  private void show(Call call) {
    String digest = Sha256.hex(call.path("secret"));
    Optional<String> html =
        records()
            .get(Tokens.OWNER, LINK + digest)
            .map(pointer -> String.valueOf(Json.string(Json.fields(pointer.json()).get("owner"))))
            .flatMap(owner -> shown(owner, digest));
    if (html.isEmpty() && !call.header("Accept").orElse("").contains("text/html")) {
      throw Problem.refused(404, "share_not_found", null, "This link is no longer valid.");
    }
    call.answerHeader(
        "Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
            + " frame-ancestors 'none'; sandbox");
    call.answerHeader("Cache-Control", "no-store");
    call.answerHeader("Referrer-Policy", "no-referrer");
    call.answerHeader("X-Robots-Tag", "noindex");
    call.reply(
        html.isPresent() ? 200 : 404,
        "text/html; charset=utf-8",
        html.orElseGet(() -> gone(Language.of(call))));
  }

  /** For a person, who can do nothing with JSON. */
  private static String gone(Language language) {
    List<String> words = Objects.requireNonNull(GONE.get(language));
    return """
        <!DOCTYPE html>
        <html lang="%s"><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark"><title>%2$s</title>
        <style>:root{color-scheme:light dark}\
        body{background:light-dark(#faf8f5,#1b1a19);color:light-dark(#2b2724,#e9e5df)}\
        body{display:grid;place-content:center;min-height:90vh;margin:0;padding:1rem;\
        font:16px/1.6 system-ui,sans-serif;text-align:center}h1{font-size:1.4rem}</style></head>
        <body><main><h1>%2$s</h1><p>%3$s</p></main></body></html>
        """
        .formatted(language.code(), words.get(0), words.get(1));
  }

  private Optional<String> shown(String owner, String digest) {
    Optional<Document> link = records().get(owner, LINK + digest);
    if (link.isPresent() && !isAlive(owner, link.get())) {
      end(owner, digest);
      return Optional.empty();
    }
    return link.flatMap(found -> records().get(owner, SHOWN + digest))
        .map(document -> String.valueOf(Json.string(document.json())));
  }

  private Documents records() {
    return store.documents();
  }
}
