package dev.clew.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A caller of the chat API, as an owner. Thread-safe. */
public final class Caller {
  private static final long DEADLINE_SECONDS = 20;
  private final HttpClient http = HttpClient.newHttpClient();
  private final DocumentedApi documented;
  private final String url;
  private final String bearer;

  public Caller(LiveServer live, String owner) {
    this.url = live.server().url();
    this.documented = live.documented();
    this.bearer = "Bearer " + live.token(owner);
  }

  private Caller(DocumentedApi documented, String url, String bearer) {
    this.documented = documented;
    this.url = url;
    this.bearer = bearer;
  }

  /** The same caller at another server of the same store. */
  Caller at(String server) {
    return new Caller(documented, server, bearer);
  }

  public String bearer() {
    return bearer;
  }

  /** An id in a path. */
  public static String enc(String id) {
    return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
  }

  public record Answer(int status, String body, HttpResponse<String> response) {
    public Map<String, Object> json() {
      return Json.readObject(body);
    }

    public Answer is(int expected) {
      assertThat(status).as(body).isEqualTo(expected);
      return this;
    }

    /** Refused in the one documented shape. */
    public Answer refused(int expected, String code) {
      is(expected);
      Map<String, Object> error = object(json().get("error"));
      assertThat(error).containsOnlyKeys("message", "type", "param", "code", "request_id");
      assertThat(error).containsEntry("code", code);
      assertThat(error.get("request_id"))
          .isEqualTo(response.headers().firstValue("x-request-id").orElseThrow());
      return this;
    }

    public String text(String field) {
      return (String) json().get(field);
    }

    public List<Map<String, Object>> data() {
      return objects(json().get("data"));
    }
  }

  @SuppressWarnings("unchecked")
  public static Map<String, Object> object(Object value) {
    return (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked")
  public static List<Map<String, Object>> objects(Object value) {
    return (List<Map<String, Object>>) value;
  }

  public Answer get(String path, String... headers) {
    return send("GET", path, "", headers);
  }

  public Answer post(String path, String body, String... headers) {
    return send("POST", path, body, headers);
  }

  public Answer send(String method, String path, String body, String... headers) {
    return join(sendAsync(method, path, body, headers));
  }

  public CompletableFuture<Answer> sendAsync(
      String method, String path, String body, String... headers) {
    return http.sendAsync(
            request(method, path, body, headers), HttpResponse.BodyHandlers.ofString())
        .thenApply(response -> checked(method, path, response));
  }

  private Answer checked(String method, String path, HttpResponse<String> response) {
    documented.check(
        method, path, response.statusCode(), LiveServer.contentType(response), response.body());
    return new Answer(response.statusCode(), response.body(), response);
  }

  /** A message; the session may be null. */
  public Answer say(String session, String message, String... headers) {
    return post("/api/chat", message(session, message), headers);
  }

  public static String message(String session, String message) {
    return session == null
        ? "{\"message\":" + Json.quote(message) + "}"
        : "{\"message\":" + Json.quote(message) + ",\"session_id\":" + Json.quote(session) + "}";
  }

  private HttpRequest request(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Authorization", bearer)
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return request.build();
  }

  public static <T> T join(CompletableFuture<T> future) {
    return future.orTimeout(DEADLINE_SECONDS * 2, TimeUnit.SECONDS).join();
  }

  /** One server-sent event. */
  public record Event(String id, String name, String data) {
    public Map<String, Object> json() {
      return Json.readObject(data);
    }
  }

  /** Reads a stream of events. */
  public Events stream(String method, String path, String body, String... headers) {
    HttpResponse<InputStream> response =
        join(
            http.sendAsync(
                request(method, path, body, headers), HttpResponse.BodyHandlers.ofInputStream()));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type").orElseThrow())
        .startsWith("text/event-stream");
    return new Events(response.body(), documented.answered(method, path));
  }

  public Events chatStream(String session, String message) {
    return stream("POST", "/api/chat", message(session, message), "Accept", "text/event-stream");
  }

  /** The events of a stream, read by a thread of its own. */
  public static final class Events implements AutoCloseable {
    private static final Event END = new Event("", "", "");
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final InputStream in;
    private final DocumentedApi.Answered answered;

    Events(InputStream in, DocumentedApi.Answered answered) {
      this.in = in;
      this.answered = answered;
      Thread thread = new Thread(this::read, "test-events");
      thread.setDaemon(true);
      thread.start();
    }

    private void read() {
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
        String id = "";
        String name = "";
        String data = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.isEmpty() && !name.isEmpty()) {
            events.add(new Event(id, name, data));
            id = "";
            name = "";
          } else if (line.startsWith("id: ")) {
            id = line.substring(4);
          } else if (line.startsWith("event: ")) {
            name = line.substring(7);
          } else if (line.startsWith("data: ")) {
            data = line.substring(6);
          }
        }
      } catch (IOException e) {
        // Closed.
      }
      events.add(END);
    }

    /** The next event; fails at the end of the stream. */
    public Event next() {
      Event event = poll();
      assertThat(event).as("the stream has ended").isNotEqualTo(END);
      return event;
    }

    private Event poll() {
      try {
        Event event = events.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
        assertThat(event).as("an event within the deadline").isNotNull();
        if (!event.equals(END)) {
          answered.checkEvent(event.data());
        }
        return event;
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    public Event until(Predicate<Event> wanted) {
      Event event = next();
      while (!wanted.test(event)) {
        event = next();
      }
      return event;
    }

    public Event until(String name) {
      return until(event -> event.name().equals(name));
    }

    /** All that come until the server ends the stream. */
    public List<Event> rest() {
      List<Event> rest = new ArrayList<>();
      for (Event event = poll(); !event.equals(END); event = poll()) {
        rest.add(event);
      }
      return rest;
    }

    @Override
    public void close() {
      try {
        in.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
