package dev.clew.jsonl;

import dev.clew.SessionStore;
import dev.clew.tck.Damager;
import dev.clew.tck.StoreContract;
import dev.clew.tck.StoreOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

class JsonlStoreContractTest extends StoreContract {
  @TempDir Path folder;
  private int opened;

  @Override
  protected SessionStore open(StoreOptions options) {
    opened++;
    return openFolder(options);
  }

  @Override
  protected Optional<SessionStore> reopen(StoreOptions options) {
    return Optional.of(openFolder(options));
  }

  private SessionStore openFolder(StoreOptions options) {
    JsonlStore.Builder builder =
        JsonlStore.builder(folder.resolve("sessions-" + opened))
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return builder.open();
  }

  @Override
  protected Optional<Damager> damager(SessionStore damaged) {
    return Optional.of(
        (key, position) -> {
          spoil(folder.resolve("sessions-" + opened).resolve(key.id() + ".jsonl"), position);
          ((JsonlStore) damaged).unload(key); // what is in memory is not damaged
        });
  }

  /** Changes a letter of the content of the line with that position. */
  private static void spoil(Path file, long position) {
    try {
      String text = Files.readString(file, StandardCharsets.ISO_8859_1);
      int at = text.indexOf("\"position\":" + position + ",");
      int content = text.lastIndexOf("\"content\":\"", at) + "\"content\":\"".length();
      String spoilt = text.substring(0, content) + '\u0001' + text.substring(content + 1);
      Files.writeString(file, spoilt, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
