package dev.clew.server.internal.sessions;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.chat.Addressed;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.wire.Entries;
import dev.clew.server.internal.wire.WireItems;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Images and files in items: data URLs become links to fetch one by one, so that pages of items
 * stay small. Thread-safe.
 */
record Attachments(SessionStore store) {
  private static final List<String> CONTENTS = List.of("content", "output");
  private static final List<String> SOURCES = List.of("image_url", "file_data");

  /** Images that browsers may show; none can contain a script. */
  private static final Set<String> SHOWN =
      Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

  private static final String SCHEME = "data:";
  private static final String BASE64 = ";base64";

  /** How a call wants its entries: unchanged, or with links instead of data. */
  static UnaryOperator<Entry> shown(Call call) {
    if (call.query("files").filter("links"::equals).isEmpty()) {
      return UnaryOperator.identity();
    }
    SessionKey key = Addressed.key(call);
    return entry -> linked(key, entry);
  }

  private static Entry linked(SessionKey key, Entry entry) {
    String json = entry.item().json();
    if (!json.contains("\"data:")) {
      return entry;
    }
    Map<String, String> fields = Json.fields(json);
    String path = "/api/sessions/" + encoded(key.id()) + "/files/" + entry.position() + "/";
    for (String name : CONTENTS) {
      String content = fields.get(name);
      if (content != null && content.startsWith("[")) {
        List<String> parts = new ArrayList<>();
        for (String part : Json.elements(content)) {
          parts.add(linked(part, path + parts.size()));
        }
        fields.put(name, JsonObject.array(parts));
      }
    }
    return new Entry(
        entry.position(),
        Item.stored(WireItems.object(fields)),
        entry.addedAt(),
        entry.notes(),
        entry.compacted());
  }

  private static String linked(String part, String link) {
    if (!part.startsWith("{")) {
      return part;
    }
    Map<String, String> fields = Json.fields(part);
    for (String name : SOURCES) {
      Optional<String> url = data(fields.get(name));
      if (url.isPresent() && (name.equals("file_data") || SHOWN.contains(type(url.get())))) {
        fields.put(name, Json.write(link));
        return WireItems.object(fields);
      }
    }
    return part;
  }

  private static String encoded(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The data URL in a field, or in an object as in Chat Completions. */
  private static Optional<String> data(@Nullable String raw) {
    String text = raw;
    if (raw != null && raw.startsWith("{")) {
      text = Json.fields(raw).get("url");
    }
    return Optional.ofNullable(text == null ? null : Json.string(text))
        .filter(url -> url.regionMatches(true, 0, SCHEME, 0, SCHEME.length()));
  }

  /** The media type of a Base64 data URL; empty for any other. */
  private static String type(String url) {
    int comma = url.indexOf(',');
    int encoding = comma - BASE64.length();
    if (encoding < SCHEME.length()
        || !url.regionMatches(true, encoding, BASE64, 0, BASE64.length())) {
      return "";
    }
    int parameters = url.indexOf(';');
    return url.substring(SCHEME.length(), parameters).strip().toLowerCase(Locale.ROOT);
  }

  void send(Call call) {
    SessionKey key = Addressed.info(store, call).key();
    Map<String, String> part =
        part(key, number(call, "position"), number(call, "part")).orElseThrow(Attachments::absent);
    String url =
        SOURCES.stream()
            .flatMap(name -> data(part.get(name)).stream())
            .findFirst()
            .orElseThrow(Attachments::absent);
    String type = type(url);
    boolean shown = SHOWN.contains(type);
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(url.substring(url.indexOf(',') + 1));
    } catch (IllegalArgumentException e) {
      throw absent();
    }
    String name =
        Optional.ofNullable(Json.string(part.getOrDefault("filename", "null"))).orElse("");
    call.answerHeader("Content-Security-Policy", "default-src 'none'; sandbox");
    call.answerHeader("Cache-Control", "private, max-age=3600");
    call.answerHeader(
        "Content-Disposition",
        (shown ? "inline" : "attachment")
            + (name.isEmpty() ? "" : "; filename*=UTF-8''" + encoded(name)));
    call.reply(200, shown ? type : "application/octet-stream", bytes);
  }

  private Optional<Map<String, String>> part(SessionKey key, long position, long index) {
    return Entries.at(store.session(key), position, true).stream()
        .map(entry -> Json.fields(entry.item().json()))
        .flatMap(fields -> CONTENTS.stream().map(name -> fields.getOrDefault(name, "")))
        .filter(content -> content.startsWith("["))
        .map(Json::elements)
        .filter(parts -> index < parts.size() && parts.get((int) index).startsWith("{"))
        .map(parts -> Json.fields(parts.get((int) index)))
        .findFirst();
  }

  private static long number(Call call, String name) {
    try {
      return Math.max(0, Long.parseLong(call.path(name)));
    } catch (NumberFormatException e) {
      throw absent();
    }
  }

  private static Problem absent() {
    return Problem.refused(404, "file_not_found", null, "There is no such image or file.");
  }
}
