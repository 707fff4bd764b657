package dev.clew.server;

import dev.clew.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads server-sent events one by one, as they come. Used by one thread. */
public final class EventReader implements AutoCloseable {
  /** One event; its name is empty if it has none. */
  public record Event(String name, String data) {
    public Map<String, String> fields() {
      return Json.fields(data);
    }

    public long number() {
      return Long.parseLong(Objects.requireNonNull(fields().get("sequence_number"), data));
    }
  }

  private final HttpResponse<InputStream> response;
  private final BufferedReader lines;
  private final Consumer<String> check;

  /**
   * Over an answer.
   *
   * @param check what is done with the data of each event
   */
  EventReader(HttpResponse<InputStream> response, Consumer<String> check) {
    this.response = response;
    this.check = check;
    this.lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  public HttpResponse<InputStream> response() {
    return response;
  }

  /** The next event; nothing when the stream has ended. */
  public Optional<Event> next() {
    String name = "";
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("event: ")) {
          name = line.substring("event: ".length());
        } else if (line.startsWith("data: ")) {
          String data = line.substring("data: ".length());
          if (response.statusCode() == 200) {
            check.accept(data);
          }
          return Optional.of(new Event(name, data));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Optional.empty();
  }

  /** Reads until an event of this name, which is returned. */
  public Event until(String name) {
    while (true) {
      Event event = next().orElseThrow(() -> new AssertionError("ended without " + name));
      if (event.name().equals(name)) {
        return event;
      }
    }
  }

  /** Everything to the end. */
  public List<Event> rest() {
    List<Event> all = new ArrayList<>();
    for (Optional<Event> event = next(); event.isPresent(); event = next()) {
      all.add(event.get());
    }
    return all;
  }

  @Override
  public void close() {
    try {
      response.body().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
