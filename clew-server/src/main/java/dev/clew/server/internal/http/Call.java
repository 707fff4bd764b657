package dev.clew.server.internal.http;

import dev.clew.ItemLimits;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import dev.clew.server.operate.Scope;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.UrlEncoded;
import org.jspecify.annotations.Nullable;

/**
 * One request and the answer to it. Its handler uses it on one thread; what {@link CallListener}s
 * ask for is thread-safe and outlives the request.
 */
public final class Call {
  static final String NO_ROUTE = "none";
  private static final ItemLimits BODY = new ItemLimits(Integer.MAX_VALUE, 200);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int MOST_FORM_FIELDS = 20;
  private static final char REPLACEMENT = '\uFFFD';

  private final Transfer transfer;
  private final String requestId;
  private final Optional<Route> route;
  private final Map<String, String> parameters;
  private final Admission admission;
  private final Streams streams;
  private final Upgrades upgrades;
  private final String method;
  private final String path;
  private final String address;
  private final long begunNanos = System.nanoTime();
  private final List<Runnable> afterwards = new CopyOnWriteArrayList<>();
  private org.eclipse.jetty.util.@Nullable Fields query;
  private @Nullable Principal principal;
  private Budget.@Nullable Share memory;
  private volatile @Nullable Principal caller;
  private volatile int status = 200;
  private volatile long nanos;

  Call(
      Transfer transfer,
      String requestId,
      Optional<RouteTable.Match> match,
      Admission admission,
      Streams streams,
      Upgrades upgrades) {
    this.transfer = transfer;
    this.requestId = requestId;
    this.route = match.map(RouteTable.Match::route);
    this.parameters = match.map(RouteTable.Match::parameters).orElse(Map.of());
    this.admission = admission;
    this.streams = streams;
    this.upgrades = upgrades;
    this.method = transfer.method();
    this.path = transfer.path();
    this.address = transfer.address();
  }

  Transfer transfer() {
    return transfer;
  }

  Optional<Route> handledBy() {
    return route;
  }

  Scope scope() {
    return route.map(Route::scope).orElse(Scope.OPEN);
  }

  int mostBytes() {
    return route.map(Route::mostBytes).orElse(Route.OPEN_BODY);
  }

  public String requestId() {
    return requestId;
  }

  /** The method, or {@code OTHER}, so that there are only a few. */
  public String method() {
    return switch (method) {
      case "GET", "POST", "PATCH", "DELETE", "OPTIONS", "HEAD", "PUT" -> method;
      default -> "OTHER";
    };
  }

  /** The path of the route, with its parameters in braces; {@code none} if there is no route. */
  public String route() {
    return route.map(Route::path).orElse(NO_ROUTE);
  }

  public boolean isRouted() {
    return route.isPresent();
  }

  /** The path as it was sent; it may contain anything. */
  public String path() {
    return path;
  }

  /** The first parameter of the path, such as a session's id. */
  public Optional<String> subject() {
    return parameters.values().stream().findFirst();
  }

  public String address() {
    return address;
  }

  /** The caller, once known; never for routes that are open to all. */
  public Optional<Principal> caller() {
    return Optional.ofNullable(caller);
  }

  /** Names the caller who has just signed in, for the logs. */
  public void signedIn(Principal who) {
    caller = who;
  }

  public int status() {
    return status;
  }

  void status(int code) {
    status = code;
  }

  /** How long the call took; 0 until it is answered. */
  public long nanos() {
    return nanos;
  }

  public void onAnswered(Runnable action) {
    afterwards.add(action);
  }

  void end(int code) {
    status = code;
    nanos = System.nanoTime() - begunNanos;
    afterwards.forEach(Runnable::run);
  }

  void admitted(Principal who, Budget.Share share) {
    principal = who;
    memory = share;
    transfer.answer().heldBy(share);
  }

  /** What a caller who is not known should send. */
  String challenge() {
    return admission.challenge(path, transfer.header("Host"));
  }

  /** The caller, or for open routes a principal without rights. */
  public Principal principal() {
    return Objects.requireNonNull(principal);
  }

  /** The owner of the sessions that the call may use. */
  public String owner() {
    return principal().owner();
  }

  public String path(String name) {
    return Objects.requireNonNull(parameters.get(name), name);
  }

  private List<String> queryValues(String name) {
    if (query == null) {
      try {
        query = Request.extractQueryParameters(transfer.request(), StandardCharsets.UTF_8);
      } catch (IllegalArgumentException e) {
        throw Problem.invalid("bad_request", null, "The query cannot be read: " + e.getMessage());
      }
    }
    return query.getValuesOrEmpty(name);
  }

  /** A parameter of the query; the first if it was sent several times. */
  public Optional<String> query(String name) {
    return queryValues(name).stream().findFirst();
  }

  public Optional<String> queryText(String name) {
    return query(name).filter(text -> !text.isEmpty());
  }

  public boolean queryFlag(String name) {
    return query(name).filter("true"::equals).isPresent();
  }

  /** All values of a parameter, written {@code name=} or {@code name[]=}. */
  public List<String> queryAll(String name) {
    List<String> values = new ArrayList<>(queryValues(name));
    values.addAll(queryValues(name + "[]"));
    return values;
  }

  /** The parameters that are written {@code name[key]=value}. */
  public Map<String, String> queryObject(String name) {
    var unused = queryValues(name); // reads the query
    Map<String, String> object = new LinkedHashMap<>();
    for (org.eclipse.jetty.util.Fields.Field field : Objects.requireNonNull(query)) {
      String key = field.getName();
      if (key.startsWith(name + "[") && key.endsWith("]") && key.length() > name.length() + 2) {
        object.put(key.substring(name.length() + 1, key.length() - 1), field.getValue());
      }
    }
    return object;
  }

  public int query(String name, int otherwise, int least, int most) {
    Optional<String> text = query(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    long number;
    try {
      number = Long.parseLong(text.get().strip());
    } catch (NumberFormatException e) {
      throw Problem.wrongKind(name, "an integer", "a string");
    }
    if (number > most) {
      throw Problem.outside(name, true, String.valueOf(most), String.valueOf(number));
    }
    if (number < least) {
      throw Problem.outside(name, false, String.valueOf(least), String.valueOf(number));
    }
    return (int) number;
  }

  /** A header of the request; listeners may ask while the call is handled. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(transfer.header(name));
  }

  /** The idempotency key, unless it is blank. */
  public Optional<String> idempotencyKey() {
    return header("Idempotency-Key").filter(key -> !key.isBlank());
  }

  /** Whether the caller still waits for the answer, as far as is known. */
  public boolean isWanted() {
    return transfer.isWanted();
  }

  /** Whether the request must change nothing and only the head of the answer is sent. */
  public boolean isHead() {
    return transfer.isHead();
  }

  public void answerHeader(String name, String value) {
    transfer.setHeader(name, value);
  }

  public @Nullable String cookie(String name) {
    return transfer.cookie(name);
  }

  public void setCookie(HttpCookie cookie) {
    transfer.addCookie(cookie);
  }

  public Optional<String> formField(String name) {
    String form = new String(transfer.content(), StandardCharsets.UTF_8);
    if (form.chars().filter(c -> c == '&').count() >= MOST_FORM_FIELDS) {
      throw Problem.invalid(
          "bad_request", null, "The form has more than " + MOST_FORM_FIELDS + " fields.");
    }
    var fields = new org.eclipse.jetty.util.Fields();
    try {
      UrlEncoded.decodeUtf8To(form, fields);
    } catch (IllegalArgumentException e) {
      throw Problem.invalid("bad_request", null, "The body is not a form: " + e.getMessage());
    }
    return Optional.ofNullable(fields.getValue(name));
  }

  /** The body as text; empty if there is none. */
  public String body() {
    byte[] bytes = transfer.content();
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) < 0) {
      return text;
    }
    try { // the character itself may have been sent
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw badJson("the bytes are not valid UTF-8");
    }
  }

  /** The fields of the JSON object in the body, each as JSON text; none if there is no body. */
  public Map<String, String> fields() {
    String text = body();
    return text.isBlank() ? Map.of() : fields(text);
  }

  /**
   * The fields of a JSON object that a client sent, each as JSON text.
   *
   * @throws Problem if it is none
   */
  public static Map<String, String> fields(String text) {
    try {
      Json.check(text, BODY.json());
    } catch (Json.Malformed e) {
      throw badJson(String.valueOf(e.getMessage()));
    }
    return UncheckedJson.fields(text);
  }

  private static Problem badJson(String reason) {
    return Problem.invalid(
        "invalid_json", null, "Invalid body: failed to parse JSON value. " + reason);
  }

  public void reply(JsonObject object) {
    replyJson(object.toString());
  }

  public void replyPage(List<JsonObject> data, Optional<String> next) {
    reply(new JsonObject().putAll("data", data).put("next_cursor", next.orElse(null)));
  }

  public void replyJson(String json) {
    replyJson(json.getBytes(StandardCharsets.UTF_8));
  }

  public void replyJson(byte[] json) {
    reply(200, "application/json", json);
  }

  public void reply(int status, String contentType, String text) {
    reply(status, contentType, text.getBytes(StandardCharsets.UTF_8));
  }

  public void reply(int status, String contentType, byte[] bytes) {
    transfer.answer().set(status, contentType, bytes);
  }

  public void replyEmpty(int status) {
    transfer.answer().set(status, null, new byte[0]);
  }

  /** Sends the answer only after a while; meanwhile no thread works on the call. */
  public void answerAfter(Duration delay) {
    transfer.answer().delay(delay);
  }

  /**
   * The body, of a route that is {@link Route#streaming()}. Reading it fails with a {@link Problem}
   * once the caller's token is no longer valid.
   */
  public InputStream bodyStream() throws IOException {
    InputStream body = new BodyStream(transfer, new PassWatch(admission, pass()));
    Optional<ContentCoding> coding = ContentCoding.of(transfer);
    return coding.isPresent() ? coding.get().reading(body) : body;
  }

  /**
   * Answers in pieces; each is made when the one before it was sent. The answer breaks off once the
   * caller's token is no longer valid.
   */
  public void replyPieces(String contentType, Iterator<byte[]> pieces) {
    transfer.answer().set(200, contentType, new byte[0]);
    transfer.answer().pieces(pieces, new PassWatch(admission, pass()));
  }

  /**
   * Reserves memory for a large answer before it is made.
   *
   * @throws Problem if other calls do not free enough in time
   */
  public void needs(long bytes) {
    if (bytes > Budget.SMALL && !Objects.requireNonNull(memory).growNow(bytes, PATIENCE)) {
      throw Answer.tooBusyToSend();
    }
  }

  /** Answers when the JSON text is there, or with the failure. */
  public void replyLater(CompletableFuture<String> json) {
    replyBytesLater(
        json.thenApplyAsync(text -> text.getBytes(StandardCharsets.UTF_8), transfer.reader()));
  }

  /** Answers when the JSON text in UTF-8 is there, or with the failure. */
  public void replyBytesLater(CompletableFuture<byte[]> json) {
    transfer
        .answer()
        .when(
            json.handle(
                (bytes, failure) ->
                    failure == null
                        ? () -> replyJson(bytes)
                        : () -> Dispatcher.failed(this, failure)));
  }

  /** The thread that reads from this connection, for work that never waits. */
  public Executor reader() {
    return transfer.reader();
  }

  /** Does work on another thread of the server, which may wait briefly. */
  public <T> CompletableFuture<T> aside(Supplier<CompletableFuture<T>> work) {
    return CompletableFuture.completedFuture(null)
        .thenComposeAsync(now -> work.get(), transfer.executor());
  }

  /** Answers with a stream of events that has no end of its own, so that any end is the same. */
  public EventStream stream() {
    return stream(refused -> "");
  }

  /**
   * Answers with a stream of events, which breaks off when the caller's token is no longer valid.
   *
   * @param lastWords the event that tells the caller why
   */
  public EventStream stream(Function<Problem, String> lastWords) {
    return streams.open(transfer, pass(), Objects.requireNonNull(memory), lastWords);
  }

  private Admission.Pass pass() {
    return new Admission.Pass(
        scope(), transfer.header("Authorization"), transfer.cookie(admission.cookieName()));
  }

  /**
   * Lets the connection become a WebSocket.
   *
   * @throws Problem if the client did not ask for one, or a page of another origin may have
   */
  public Upgrade upgrade() {
    return upgrades.of(this, pass());
  }
}
