package dev.clew.openai;

import com.google.errorprone.annotations.MustBeClosed;
import com.openai.client.OpenAIClient;
import com.openai.core.ClientOptions;
import com.openai.core.LogLevel;
import com.openai.core.http.HttpResponse;
import com.openai.errors.OpenAIException;
import com.openai.errors.OpenAIServiceException;
import dev.clew.json.Json;
import dev.clew.openai.ApiFailure.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The API of one server, as JSON text in and out: the official client routes, authorises, retries
 * and connects, and its types see none of the text. Thread-safe.
 */
final class Api {
  /** Which of the client's calls to make. */
  interface Service {
    @MustBeClosed
    HttpResponse call(OpenAIClient client);
  }

  private static final Pattern KEY = Pattern.compile("sk-[A-Za-z0-9_-]{8,}");

  /** How the client's exceptions begin. */
  private static final Pattern STATUS = Pattern.compile("^\\d{3}: ");

  private final OpenAIClient client;
  private final String place;
  private final boolean atOpenAi;
  private final String key;

  private Api(OpenAIClient client, ClientOptions options) {
    this.client = client;
    this.place = place(options.baseUrl());
    this.atOpenAi = options.baseUrl().equals(ClientOptions.PRODUCTION_URL);
    this.key = options.apiKey().orElse("");
  }

  /** Over a client of anybody's making, which stays theirs. */
  static Api over(OpenAIClient given) {
    List<ClientOptions> found = new ArrayList<>();
    OpenAIClient raw =
        given.withOptions(
            options -> {
              ClientOptions original = options.build();
              found.add(original);
              ClientOptions once = options.maxRetries(0).build();
              options
                  .httpClient(new RawHttp(once.httpClient()))
                  .maxRetries(original.maxRetries())
                  .logLevel(LogLevel.OFF); // the one inside logs
            });
    return new Api(raw, found.get(0));
  }

  private static String place(String baseUrl) {
    try {
      URI uri = new URI(baseUrl);
      return uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    } catch (URISyntaxException e) {
      return "the server";
    }
  }

  /** The host, for messages. */
  String place() {
    return place;
  }

  boolean isOpenAi() {
    return atOpenAi;
  }

  /**
   * Calls and returns the whole answer, which is one JSON object.
   *
   * @param body the JSON text to send; null for calls without one
   * @param repeatable whether the call may be sent again when its outcome is not known
   */
  String call(@Nullable String body, boolean repeatable, Service service) {
    try (Exchange exchange = Exchange.start(body, repeatable, client, service)) {
      return wholeObject(exchange);
    } catch (IOException | OpenAIException | RawHttp.NotRepeated e) {
      throw failure(e);
    }
  }

  /**
   * Calls and gives the data of each event, until the reader says that it has seen the last one.
   *
   * @param reader returns whether it wants more
   * @param whole gets the answer of a server that does not stream
   */
  void stream(String body, Service service, Predicate<String> reader, Consumer<String> whole) {
    try (Exchange exchange = Exchange.start(body, true, client, service)) {
      if (!exchange.isEventStream()) {
        whole.accept(wholeObject(exchange));
        return;
      }
      ServerSentEvents events = new ServerSentEvents(exchange);
      for (String data = events.next(); data != null; data = events.next()) {
        if (!reader.test(data)) {
          exchange.finish();
          return;
        }
      }
    } catch (IOException | OpenAIException | RawHttp.NotRepeated e) {
      throw failure(e);
    }
  }

  private static String wholeObject(Exchange exchange) throws IOException {
    byte[] bytes = exchange.readAllBytes();
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      Json.checkStored(text);
      return text;
    } catch (Json.Malformed e) {
      throw ApiFailure.malformed("what is no JSON object (" + e.getMessage() + ")");
    }
  }

  private ApiFailure failure(Exception e) {
    if (e instanceof OpenAIServiceException refused) {
      return refused(refused);
    }
    if (e instanceof CharacterCodingException) {
      return ApiFailure.malformed("what is not UTF-8");
    }
    if (e instanceof InterruptedIOException && Thread.currentThread().isInterrupted()) {
      return new ApiFailure(
          Kind.INTERRUPTED, "was not waited for: the thread was interrupted", null);
    }
    if (RawHttp.wasNeverSent(e)) {
      return new ApiFailure(
          Kind.UNREACHABLE, "cannot be reached (" + rootMessage(e) + "); check the base URL", e);
    }
    if (causes(e).anyMatch(InterruptedIOException.class::isInstance)) { // also a socket's timeout
      return new ApiFailure(Kind.LOST, "did not answer in time", e);
    }
    return new ApiFailure(Kind.LOST, "broke off (" + rootMessage(e) + ")", e);
  }

  /** A failure and what caused it, the root last. */
  static Stream<Throwable> causes(Throwable thrown) {
    return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause);
  }

  private String rootMessage(Throwable thrown) {
    Throwable root = causes(thrown).reduce(thrown, (outer, inner) -> inner);
    return withoutKey(String.valueOf(root.getMessage()));
  }

  private ApiFailure refused(OpenAIServiceException e) {
    String message = withoutKey(String.valueOf(e.getMessage()));
    StringBuilder what = new StringBuilder("answered ").append(message);
    e.code().ifPresent(code -> what.append(" [").append(code).append(']'));
    e.headers().values("Retry-After").stream()
        .findFirst()
        .ifPresent(after -> what.append(", to be tried again after ").append(after).append(" s"));
    e.headers().values("x-request-id").stream()
        .findFirst()
        .ifPresent(id -> what.append(" (request ").append(id).append(')'));
    // The client's exception has the server's message; if a key is in it, nobody gets to see it.
    boolean clean = message.equals(e.getMessage());
    return new ApiFailure(
        Kind.REFUSED,
        e.statusCode(),
        e.code().orElse(""),
        what.toString(),
        STATUS.matcher(message).replaceFirst(""),
        clean ? e : null);
  }

  /** Servers sometimes repeat the key they did not like. */
  String withoutKey(String text) {
    String without = key.length() < 4 ? text : text.replace(key, "***");
    return KEY.matcher(without).replaceAll("***");
  }
}
