package dev.clew.mcp;

import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.json.JsonObject;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Sessions as resources: {@code clew://sessions/ID} and {@code …/items}. Thread-safe. */
final class SessionResources {
  private static final String PREFIX = "clew://sessions/";
  private static final String ITEMS = "/items";
  private static final String MARKDOWN = "text/markdown";
  private static final String JSON = "application/json";
  private static final int PAGE = 50;
  private static final int MOST_ENTRIES = 200;

  static final List<JsonObject> TEMPLATES =
      List.of(
          template("{session_id}", "conversation", MARKDOWN, "The newest entries, as text."),
          template(
              "{session_id}" + ITEMS,
              "items",
              JSON,
              "The newest items, as stored. Of a long one only its position and length."));

  private final SessionStore store;

  SessionResources(SessionStore store) {
    this.store = store;
  }

  private static JsonObject template(String path, String name, String type, String description) {
    return new JsonObject()
        .put("uriTemplate", PREFIX + path)
        .put("name", name)
        .put("description", description)
        .put("mimeType", type);
  }

  void list(McpCaller caller, Optional<String> cursor, JsonObject json) {
    SessionQuery query = SessionQuery.of(caller.owner()).limit(PAGE).archived(false);
    SessionPage page;
    try {
      page = ReadTools.page(store, query, cursor);
    } catch (ToolFailure e) {
      throw RpcError.invalidParams(String.valueOf(e.getMessage()));
    }
    json.putAll("resources", page.sessions().stream().map(SessionResources::resource).toList());
    page.next().ifPresent(next -> json.put("nextCursor", next));
  }

  private static JsonObject resource(SessionInfo info) {
    String id = info.key().id();
    return new JsonObject()
        .put("uri", PREFIX + URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20"))
        .put("name", info.title().isEmpty() ? id : info.title())
        .put("mimeType", MARKDOWN);
  }

  JsonObject read(McpCaller caller, String uri, boolean stateless) {
    boolean items = uri.endsWith(ITEMS);
    SessionInfo info =
        Optional.of(uri)
            .filter(text -> text.startsWith(PREFIX))
            .map(
                text ->
                    text.substring(PREFIX.length(), text.length() - (items ? ITEMS.length() : 0)))
            .flatMap(raw -> find(caller, raw))
            .orElseThrow(() -> RpcError.noSuchResource(uri, stateless));
    EntryPage page = ReadTools.page(store, caller, info, Range.latest(MOST_ENTRIES));
    return new JsonObject()
        .put("uri", uri)
        .put("mimeType", items ? JSON : MARKDOWN)
        .put("text", items ? json(page) : markdown(info, page));
  }

  private Optional<SessionInfo> find(McpCaller caller, String raw) {
    try {
      String id = URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
      return store.session(new SessionKey(caller.owner(), id)).info();
    } catch (IllegalArgumentException e) { // no session can have this id
      return Optional.empty();
    }
  }

  /** As many of the newest entries as fit, oldest first. */
  private static Deque<String> newest(EntryPage page, Function<Entry, String> text) {
    Deque<String> shown = new ArrayDeque<>();
    int chars = 0;
    List<Entry> entries = page.entries();
    for (int i = entries.size() - 1; i >= 0; i--) {
      String next = text.apply(entries.get(i));
      chars += next.length();
      if (chars > ReadTools.MOST_CHARS && !shown.isEmpty()) {
        break;
      }
      shown.addFirst(next);
    }
    return shown;
  }

  private static String json(EntryPage page) {
    return "[" + String.join(",", newest(page, SessionResources::json)) + "]";
  }

  private static String json(Entry entry) {
    String json = entry.item().json();
    return json.length() <= ReadTools.MOST_CHARS / 2
        ? json
        : new JsonObject()
            .put("type", "cut")
            .put("position", entry.position())
            .put("chars", json.length())
            .toString();
  }

  private static String markdown(SessionInfo info, EntryPage page) {
    Deque<String> shown = newest(page, SessionResources::markdown);
    StringBuilder out =
        new StringBuilder("# ").append(info.title().isEmpty() ? info.key().id() : info.title());
    out.append("\n\n> ").append(ReadTools.NOTICE);
    if (shown.size() < info.itemCount()) {
      out.append(" These are the newest ")
          .append(shown.size())
          .append(" of ")
          .append(info.itemCount())
          .append(" entries; get_conversation reads the others.");
    }
    return out.append("\n\n").append(String.join("\n", shown)).toString();
  }

  private static String markdown(Entry entry) {
    String who = EntryText.speaker(entry.item());
    String whole = EntryText.of(entry.item());
    String text = EntryText.start(whole, ReadTools.MOST_CHARS / 2);
    if (text.length() < whole.length()) {
      text += "\n[cut; get_entry reads all " + whole.length() + " characters]";
    }
    return "**"
        + who
        + "** ("
        + entry.position()
        + ", "
        + entry.addedAt()
        + ")\n\n"
        + text.lines().map(line -> "> " + line + "\n").collect(Collectors.joining());
  }
}
