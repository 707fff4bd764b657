package dev.clew.jsonl;

import dev.clew.ClewException;
import dev.clew.Opening;
import dev.clew.SessionKey;
import dev.clew.kit.BackendStore;
import dev.clew.kit.StoreBuilder;
import dev.clew.kit.StoreSettings;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A folder of readable files, one for each session. Thread-safe; one process at a time may have the
 * folder open.
 *
 * <pre>{@code
 * try (SessionStore store = JsonlStore.open(Path.of("sessions"))) {
 *   store.session("feishu:oc_xxx").addItems(List.of(Item.user("Hello")));
 * }
 * }</pre>
 *
 * <p>For the lines of a file see {@link SessionFile}, for the names {@link Names}, for the folder
 * {@link Folders}. Files of other programs with lines {@code
 * {"type":"message","data":{"role":…,"content":…,"timestamp":…}}} can be read, and are rewritten
 * with our keys when something is first added to them.
 */
public final class JsonlStore extends BackendStore {
  private final JsonlBackend backend;

  private JsonlStore(JsonlBackend backend, StoreSettings settings) {
    super(backend, settings);
    this.backend = backend;
  }

  /** Opens a folder with the defaults, and creates it if needed. */
  public static JsonlStore open(Path folder) {
    return builder(folder).open();
  }

  /** Settings for a folder. */
  public static Builder builder(Path folder) {
    return new Builder(folder);
  }

  /**
   * Drops a session from memory; nothing is lost. The next call reads its file, for example after
   * it was edited by hand.
   */
  public void unload(SessionKey key) {
    backend.unload(key);
  }

  /** What a backend is opened with. */
  record Options(
      Path folder,
      Clock clock,
      Optional<Duration> timeToLive,
      Opening opening,
      Disk disk,
      int cacheSessions,
      long cacheBytes,
      long diskBlock) {}

  /** Settings of a store; each has a default. Not thread-safe. */
  public static final class Builder extends StoreBuilder<Builder> {
    private final Path folder;
    private int cacheSessions = 256;
    private long cacheBytes = 32 << 20;
    private long diskBlock = 4096;
    private @Nullable Disk disk;

    private Builder(Path folder) {
      this.folder = Objects.requireNonNull(folder, "folder");
    }

    @Override
    protected Builder self() {
      return this;
    }

    /** How many sessions are kept in memory, each with an open file; 256 by default. */
    public Builder cacheSessions(int value) {
      cacheSessions = atLeastZero("cacheSessions", value);
      return this;
    }

    /** How much memory the items of those sessions may take; 32 MiB by default. */
    public Builder cacheBytes(long value) {
      cacheBytes = atLeastZero("cacheBytes", value);
      return this;
    }

    /**
     * The allocation unit of the disk, of which compressing a file has to save one; 4 KiB by
     * default. With 0 every file may be compressed.
     */
    public Builder diskBlock(long bytes) {
      diskBlock = atLeastZero("diskBlock", bytes);
      return this;
    }

    private static <N extends Number> N atLeastZero(String what, N value) {
      if (value.longValue() < 0) {
        throw new IllegalArgumentException(what + " is negative: " + value);
      }
      return value;
    }

    /** Replaces the file operations. */
    Builder disk(Disk value) {
      disk = value;
      return this;
    }

    /**
     * Opens the store, and creates the folder if needed.
     *
     * @throws ClewException.StoreUnavailable if another process has it open, naming that process,
     *     or if the folder cannot be used
     */
    public JsonlStore open() {
      Disk files = disk == null ? new RealDisk(opening.isReadOnly()) : disk;
      StoreSettings settings = storeSettings("the store jsonl:" + folder);
      Options options =
          new Options(
              folder,
              settings.clock(),
              timeToLive,
              opening,
              files,
              cacheSessions,
              cacheBytes,
              diskBlock);
      return new JsonlStore(JsonlBackend.open(options), settings);
    }
  }
}
