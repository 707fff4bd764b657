package dev.clew.server.http;

import dev.clew.ItemLimits;
import dev.clew.internal.Json;
import dev.clew.internal.JsonObject;
import dev.clew.internal.Slices;
import dev.clew.server.auth.Principal;
import io.javalin.http.Context;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;

/** One request and the answer to it. Used by one thread. */
public final class Call {
  private static final ItemLimits BODY = new ItemLimits(Integer.MAX_VALUE, 200);
  private static final char INSTEAD_OF_MALFORMED = '\uFFFD';

  private final Context context;
  private final Exchange exchange;
  private final Principal principal;
  private final Streams streams;

  Call(Context context, Exchange exchange, Principal principal, Streams streams) {
    this.context = context;
    this.exchange = exchange;
    this.principal = principal;
    this.streams = streams;
  }

  /** Who calls. */
  public Principal principal() {
    return principal;
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
    return Optional.ofNullable(context.queryParam(name));
  }

  /** All values of a parameter, written {@code name=} or {@code name[]=}. */
  public List<String> queryAll(String name) {
    List<String> values = new ArrayList<>(context.queryParams(name));
    values.addAll(context.queryParams(name + "[]"));
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
    return Optional.ofNullable(context.header(name));
  }

  /** Sets a header of the answer. */
  public void answerHeader(String name, String value) {
    context.header(name, value);
  }

  /** The body as text; empty if there is none. */
  public String body() {
    byte[] bytes = context.bodyAsBytes();
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
      Json.check(text, BODY);
    } catch (Json.Malformed e) {
      throw badJson(String.valueOf(e.getMessage()));
    }
    return Slices.fields(text);
  }

  private static Problem badJson(String reason) {
    return Problem.invalid(
        "invalid_json", null, "Invalid body: failed to parse JSON value. " + reason);
  }

  /** Answers with an object. */
  public void reply(JsonObject object) {
    reply(200, object);
  }

  /** Answers with a status and an object. */
  public void reply(int status, JsonObject object) {
    reply(status, "application/json", object.toString());
  }

  /** Answers with JSON text. */
  public void replyJson(String json) {
    reply(200, "application/json", json);
  }

  /** Answers with a text of any type. */
  public void reply(int status, String contentType, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    context.status(status).contentType(contentType);
    if (LongAnswer.isLong(bytes)) {
      context.future(() -> LongAnswer.write(context, bytes));
    } else {
      context.result(bytes);
    }
  }

  /** Answers when the JSON text is there; a failure until then is answered like any other. */
  public void replyLater(CompletableFuture<String> json) {
    // A connection is quiet while a model thinks; what is wrong with it shows when we write.
    ServletContextRequest.getServletContextRequest(context.req())
        .addIdleTimeoutListener(timeout -> false);
    context.future(
        () ->
            json.thenCompose(this::written)
                .exceptionally(
                    failure -> {
                      Dispatcher.failed(context, failure, exchange);
                      return null;
                    }));
  }

  private CompletableFuture<Void> written(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    context.contentType("application/json");
    if (LongAnswer.isLong(bytes)) {
      return LongAnswer.write(context, bytes);
    }
    context.result(bytes);
    return CompletableFuture.completedFuture(null);
  }

  /** Answers with events, for as long as there are any. */
  public EventStream stream() {
    return streams.open(context);
  }

  /** What is below, for the few who need it. */
  public Context context() {
    return context;
  }
}
