package dev.clew.jsonl;

import dev.clew.SessionStore;
import dev.clew.tck.CompressedContract;
import dev.clew.tck.Damager;
import dev.clew.tck.StoreOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.io.TempDir;

/** The rules about histories on files every one of which is compressed. */
class CompressedJsonlContractTest extends CompressedContract {
  @TempDir Path folder;
  private int opened;

  @Override
  protected SessionStore openPlain(StoreOptions options) {
    opened++;
    return reopenPlain(options);
  }

  @Override
  protected SessionStore reopenPlain(StoreOptions options) {
    JsonlStore.Builder builder =
        JsonlStore.builder(folder.resolve("sessions-" + opened))
            .diskBlock(0)
            .cacheSessions(0)
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return builder.open();
  }

  @Override
  protected Optional<Damager> damager(SessionStore damaged) {
    return Optional.of(
        (key, position) ->
            spoil(folder.resolve("sessions-" + opened).resolve(key.id() + ".jsonl.gz"), position));
  }

  /** By hand, with what everybody has. */
  private static void spoil(Path packed, long position) {
    try {
      String text;
      try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
        text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      }
      int at = text.indexOf("\"position\":" + position + ",");
      int content = text.lastIndexOf("\"content\":\"", at) + "\"content\":\"".length();
      String spoilt = text.substring(0, content) + '\u0001' + text.substring(content + 1);
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
        out.write(spoilt.getBytes(StandardCharsets.ISO_8859_1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
