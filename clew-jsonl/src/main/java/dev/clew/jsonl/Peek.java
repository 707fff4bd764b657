package dev.clew.jsonl;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.kit.state.ChangeLog;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads the description of a session from its file, without a lock. Stateless.
 *
 * <p>The name of the file says which session it is, so that a copy is another session; the metadata
 * counts only if the name does not say.
 */
final class Peek {
  private static final String UNKNOWN = "?";

  private Peek() {}

  /** The session of a file, if it holds one. */
  static Optional<SessionInfo> at(Path path, String owner, Disk disk) throws IOException {
    try (Disk.File file = PackedFile.open(path, disk)) {
      Optional<String> id = Folders.id(Folders.plain(path));
      if (id.isEmpty()) {
        id = read(path, new SessionKey(owner, UNKNOWN), file).flatMap(SessionFile::id);
      }
      return id.filter(Peek::isId)
          .flatMap(name -> read(path, new SessionKey(owner, name), file))
          .map(known -> known.state().info());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static Optional<SessionFile> read(Path path, SessionKey key, Disk.File file) {
    try {
      return Optional.ofNullable(
          SessionFile.read(key, path, file, false, version -> new ChangeLog(version, false)));
    } catch (IOException e) {
      throw Health.unreadable(path, e);
    }
  }

  private static boolean isId(String id) {
    try {
      return SessionKey.of(id).id().equals(id);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
