package dev.clew.openai;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads the data of server-sent events, one after the other. Used by one thread. */
final class ServerSentEvents {
  private final BufferedReader lines;

  ServerSentEvents(InputStream in) {
    lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()));
  }

  /**
   * The data of the next event, or null at the end. A last event without its empty line is returned
   * too; the reader finds out whether it is complete.
   */
  @Nullable String next() throws IOException {
    StringBuilder data = null;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty()) {
        if (data != null) {
          return data.toString();
        }
      } else if (line.startsWith("data")) {
        String value = value(line);
        if (value != null) {
          data = data == null ? new StringBuilder() : data.append('\n');
          data.append(value);
        }
      }
    }
    return data == null ? null : data.toString();
  }

  /** What stands behind {@code data:}, or null if the field has a longer name. */
  private static @Nullable String value(String line) {
    if (line.length() == 4) {
      return "";
    }
    if (line.charAt(4) != ':') {
      return null;
    }
    return line.substring(line.startsWith(" ", 5) ? 6 : 5);
  }
}
