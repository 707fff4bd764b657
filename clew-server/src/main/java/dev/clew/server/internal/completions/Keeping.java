package dev.clew.server.internal.completions;

import dev.clew.Item;
import dev.clew.Role;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.View;
import dev.clew.kit.Sha256;
import dev.clew.server.internal.describe.Question;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Fields;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.wire.ConversationIds;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Whether what is said in a request is kept, and in which session. Immutable.
 *
 * @param named the session that the request names, in one of many ways
 * @param kept false if nothing of the request is kept
 */
record Keeping(Optional<SessionKey> named, boolean kept) {
  static final Keeping NOTHING = new Keeping(Optional.empty(), false);

  /** A limit up to which an answer is a title or a sign of life. */
  private static final long TINY = 16;

  private static final int LONGEST_ID = 200;

  /**
   * How programs begin what they ask for themselves, and what follows: Open WebUI for titles, tags,
   * completions and summaries, for an emoji, one answer made of several, the choice of a tool;
   * LibreChat for a title.
   */
  private static final List<List<String>> SIDE_CALLS =
      List.of(
          List.of("### Task:", "<chat_history>"),
          List.of("### Task:", "### Messages Being Compacted:"),
          List.of("Your task is to reflect the speaker's likely facial expression", "emoji"),
          List.of(
              "You have been provided with a set of responses from various models", "Responses"),
          List.of("Query: History:", "Query:"),
          List.of("Analyze this conversation and provide:", "detected language"));

  /** Words near the beginning of what LibreChat and Continue ask for a title. */
  private static final List<String> TITLES =
      List.of("5-word-or-less title for the conversation", "reply with a title for the chat");

  /** Headers that clients send with the id of a chat, and what it is prefixed with here. */
  private static final List<List<String>> HEADERS =
      List.of(
          List.of("X-OpenWebUI-Chat-Id", "openwebui-"),
          List.of("x-session-id", "chat-"),
          List.of("x-opencode-session", "chat-"),
          List.of("x-session-affinity", "chat-"),
          List.of("session-id", "chat-"),
          List.of("session_id", "chat-"));

  private static final List<String> METADATA =
      List.of("session_id", "thread_id", "conversation_id");

  /** What clients send when they do not know the id of a chat yet. */
  private static final Set<String> NO_ID = Set.of("", "new", "none", "null", "undefined");

  /**
   * Reads the wishes of a caller.
   *
   * @param recognizes whether requests that name no session are kept too
   */
  static Keeping of(Call call, CompletionRequest request, SessionStore store, boolean recognizes) {
    if (!request.store().orElse(true)
        || header(call, "Clew-Store").orElse("").equalsIgnoreCase("false")
        || header(call, "X-OpenWebUI-Chat-Id").orElse("").startsWith("local:")) {
      return NOTHING;
    }
    Optional<SessionKey> named = own(call, request, store).or(() -> foreign(call, request));
    if (isSideCall(call, request, named.isPresent())) {
      return NOTHING;
    }
    return new Keeping(named, named.isPresent() || recognizes || request.isStored());
  }

  /** A header with or without the prefix that many programs demand. */
  private static Optional<String> header(Call call, String name) {
    return call.header(name).or(() -> call.header("X-" + name)).map(String::strip);
  }

  private static Optional<SessionKey> own(
      Call call, CompletionRequest request, SessionStore store) {
    Optional<String> id = header(call, "Clew-Session").map(Keeping::utf8).filter(Keeping::isId);
    if (id.isPresent()) {
      String sent = call.header("Clew-Session").isPresent() ? "Clew-Session" : "X-Clew-Session";
      return Optional.of(key(call.owner(), sent, id.get()));
    }
    Fields fields = request.fields();
    Optional<String> conversation =
        fields.rawOr("conversation", "").startsWith("{")
            ? fields.object("conversation").flatMap(each -> each.text("id"))
            : fields.text("conversation");
    return conversation.map(
        wire -> {
          SessionKey key = ConversationIds.toKey(call.owner(), wire);
          if (store.session(key).info().isEmpty()) {
            throw ConversationIds.notFound(wire);
          }
          return key;
        });
  }

  /** An id may be any text, which programs send in UTF-8; headers are read as Latin-1. */
  private static String utf8(String header) {
    if (header.chars().allMatch(c -> c < 128)) {
      return header;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(header.getBytes(StandardCharsets.ISO_8859_1)))
          .toString();
    } catch (CharacterCodingException e) { // it is Latin-1
      return header;
    }
  }

  private static SessionKey key(String owner, String header, String id) {
    try {
      return id.startsWith("conv_x") ? ConversationIds.toKey(owner, id) : new SessionKey(owner, id);
    } catch (IllegalArgumentException e) {
      throw Problem.invalidValue(header, e.getMessage());
    }
  }

  /** Not a placeholder that was not filled in. */
  private static boolean isId(String text) {
    return !NO_ID.contains(text.toLowerCase(Locale.ROOT)) && !text.startsWith("{{");
  }

  private static Optional<SessionKey> foreign(Call call, CompletionRequest request) {
    for (List<String> known : HEADERS) {
      Optional<String> id = call.header(known.get(0)).map(String::strip).filter(Keeping::isId);
      if (id.isPresent()) {
        return Optional.of(prefixed(call.owner(), known.get(1), id.get()));
      }
    }
    Optional<String> id = request.textIfAny("litellm_session_id").filter(Keeping::isId);
    for (String name : METADATA) {
      id =
          id.or(
              () ->
                  request
                      .fields()
                      .object("metadata")
                      .flatMap(metadata -> metadata.text(name))
                      .filter(Keeping::isId));
    }
    return id.map(text -> prefixed(call.owner(), "chat-", text));
  }

  /** The prefix keeps ids of programs from meaning sessions that are named otherwise. */
  private static SessionKey prefixed(String owner, String prefix, String id) {
    boolean plain = id.length() <= LONGEST_ID && id.chars().allMatch(Keeping::isPlain);
    return new SessionKey(owner, prefix + (plain ? id : Sha256.brief(id)));
  }

  private static boolean isPlain(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == '-';
  }

  /**
   * Whether a program asks for itself: for a title, tags, a search query. Otherwise lists would be
   * full of such sessions.
   */
  private static boolean isSideCall(Call call, CompletionRequest request, boolean named) {
    if (call.header("X-OpenWebUI-Task").map(String::strip).filter(Keeping::isId).isPresent()) {
      return true;
    }
    Given given = request.given();
    if (given.steps().size() != 1 || given.isPrefilled()) {
      return false;
    }
    if (!named && request.longest().filter(most -> most <= TINY).isPresent()) {
      return true;
    }
    Item item = given.items().get(given.steps().get(0).from());
    return item.view() instanceof View.Message message
        && message.role() == Role.USER
        && isOfProgram(message.text());
  }

  private static boolean isOfProgram(String text) {
    if (!Question.in(text).equals(text)) {
      return false;
    }
    String asked = text.stripLeading();
    String start = asked.substring(0, Math.min(asked.length(), 400));
    return TITLES.stream().anyMatch(start::contains)
        || SIDE_CALLS.stream()
            .anyMatch(call -> start.startsWith(call.get(0)) && asked.contains(call.get(1)));
  }
}
