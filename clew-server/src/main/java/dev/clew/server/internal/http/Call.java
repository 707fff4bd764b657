package dev.clew.server.internal.http;

import dev.clew.ItemLimits;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import dev.clew.json.UncheckedJson;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpCookie;
import org.jspecify.annotations.Nullable;

/** One request and the answer to it. Used by one thread. */
public final class Call {
  private static final ItemLimits BODY = new ItemLimits(Integer.MAX_VALUE, 200);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final char INSTEAD_OF_MALFORMED = '\uFFFD';

  private final Transfer transfer;
  private final Exchange exchange;
  private final Principal principal;
  private final Admission.Pass pass;
  private final Streams streams;
  private final Budget.Share memory;

  Call(
      Transfer transfer,
      Exchange exchange,
      Principal principal,
      Admission.Pass pass,
      Streams streams,
      Budget.Share memory) {
    this.transfer = transfer;
    this.exchange = exchange;
    this.principal = principal;
    this.pass = pass;
    this.streams = streams;
    this.memory = memory;
  }

  /** Who calls. */
  public Principal principal() {
    return principal;
  }

  /** Somebody has said who she is in this very call; logs shall know it. */
  public void signedIn(Principal who) {
    exchange.principal(who);
  }

  /** Whose sessions are meant: the caller's, always. */
  public String owner() {
    return principal.owner();
  }

  /** The id under which this call stands in the log. */
  public String requestId() {
    return exchange.requestId();
  }

  /** Where it comes from. */
  public String address() {
    return exchange.address();
  }

  /** A parameter of the path. */
  public String path(String name) {
    return exchange.parameter(name);
  }

  /** A parameter of the query, if it was given once or more: then the first. */
  public Optional<String> query(String name) {
    return transfer.query(name).stream().findFirst();
  }

  /** A parameter of the query that is not empty. */
  public Optional<String> queryText(String name) {
    return query(name).filter(text -> !text.isEmpty());
  }

  /** Whether a parameter of the query is {@code true}. */
  public boolean queryFlag(String name) {
    return query(name).filter("true"::equals).isPresent();
  }

  /** All values of a parameter, written {@code name=} or {@code name[]=}. */
  public List<String> queryAll(String name) {
    List<String> values = new ArrayList<>(transfer.query(name));
    values.addAll(transfer.query(name + "[]"));
    return values;
  }

  /** A whole number of the query. */
  public int query(String name, int otherwise, int least, int most) {
    Optional<String> text = query(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    long number;
    try {
      number = Long.parseLong(text.get().strip());
    } catch (NumberFormatException e) {
      throw Problem.invalid(
          "invalid_type",
          name,
          "Invalid type for '" + name + "': expected an integer, but got a string instead.");
    }
    if (number > most) {
      throw Problem.outside(name, true, String.valueOf(most), String.valueOf(number));
    }
    if (number < least) {
      throw Problem.outside(name, false, String.valueOf(least), String.valueOf(number));
    }
    return (int) number;
  }

  /** A header of the request. */
  public Optional<String> header(String name) {
    return Optional.ofNullable(transfer.header(name));
  }

  /** By what a request that is sent again can be known, if the caller says it; empty is nothing. */
  public Optional<String> idempotencyKey() {
    return header("Idempotency-Key").filter(key -> !key.isBlank());
  }

  /** Whether the caller still waits for the answer, as far as is known. */
  public boolean isWanted() {
    return transfer.isWanted();
  }

  /** Whether only the head of the answer is wanted, and nothing done. */
  public boolean isHead() {
    return transfer.isHead();
  }

  /** Sets a header of the answer. */
  public void answerHeader(String name, String value) {
    transfer.setHeader(name, value);
  }

  /** The body as text; empty if there is none. */
  public String body() {
    byte[] bytes = transfer.content();
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.indexOf(INSTEAD_OF_MALFORMED) < 0) {
      return text;
    }
    try { // somebody may have sent that very character
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw badJson("the bytes are not valid UTF-8");
    }
  }

  /** The fields of the JSON object in the body, each as the text it is; none for no body. */
  public Map<String, String> fields() {
    String text = body();
    if (text.isBlank()) {
      return Map.of();
    }
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

  /** Answers with an object. */
  public void reply(JsonObject object) {
    reply(200, object);
  }

  /** Answers with a page of a list. */
  public void replyPage(List<JsonObject> data, Optional<String> next) {
    reply(new JsonObject().putAll("data", data).put("next_cursor", next.orElse(null)));
  }

  /** Answers with a status and an object. */
  public void reply(int status, JsonObject object) {
    reply(status, "application/json", object.toString());
  }

  /** Answers with JSON text. */
  public void replyJson(String json) {
    reply(200, "application/json", json);
  }

  /** Answers with JSON text, in UTF-8. */
  public void replyJson(byte[] json) {
    reply(200, "application/json", json);
  }

  /** Answers with a text of any type. */
  public void reply(int status, String contentType, String text) {
    reply(status, contentType, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Answers with anything. */
  public void reply(int status, String contentType, byte[] bytes) {
    transfer.answer(status, contentType, bytes);
  }

  /** Answers with a status only. */
  public void replyEmpty(int status) {
    transfer.answer(status, null, new byte[0]);
  }

  /** Answers piece by piece, as the caller takes them; each is made when the one before is out. */
  public void replyPieces(String contentType, Iterator<byte[]> pieces) {
    transfer.answer(200, contentType, new byte[0]);
    transfer.answerPieces(pieces);
  }

  /**
   * Reserves memory for an answer that may be large, before it is made.
   *
   * @throws Problem if others have taken so much that there is not enough in time
   */
  public void needs(long bytes) {
    if (bytes > Budget.SMALL && !memory.growNow(bytes, PATIENCE)) {
      throw Problem.unavailable(
          "server_busy", "The server is sending as much as it can at the moment; try again.");
    }
  }

  /** Answers when the JSON text is there; a failure until then is answered like any other. */
  public void replyLater(CompletableFuture<String> json) {
    replyBytesLater(
        json.thenApplyAsync(text -> text.getBytes(StandardCharsets.UTF_8), transfer.reader()));
  }

  /** The same with text in UTF-8. */
  public void replyBytesLater(CompletableFuture<byte[]> json) {
    transfer.answerWhen(
        json.handle(
            (bytes, failure) ->
                failure == null
                    ? () -> replyJson(bytes)
                    : () -> Dispatcher.failed(transfer, failure, exchange)));
  }

  /** The thread that reads what this caller sends, for what does not wait. */
  public Executor reader() {
    return transfer.reader();
  }

  /** Has something done by another thread of the server, which may wait a little. */
  public <T> CompletableFuture<T> aside(Supplier<CompletableFuture<T>> work) {
    return CompletableFuture.completedFuture(null)
        .thenComposeAsync(now -> work.get(), transfer.executor());
  }

  /** Answers with events, for as long as there are any and the caller is let in. */
  public EventStream stream() {
    return streams.open(transfer, pass, memory);
  }

  /** How many bytes the body has. */
  public int size() {
    return transfer.content().length;
  }

  /** A cookie of the browser. */
  public @Nullable String cookie(String name) {
    return transfer.cookie(name);
  }

  /** Gives the browser a cookie. */
  public void setCookie(HttpCookie cookie) {
    transfer.addCookie(cookie);
  }

  /** A field of a form that was sent; a form has few. */
  public Optional<String> formField(String name) {
    return Optional.ofNullable(transfer.formField(name));
  }
}
