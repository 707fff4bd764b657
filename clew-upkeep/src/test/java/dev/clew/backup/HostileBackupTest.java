package dev.clew.backup;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.backup.Block.Kind;
import dev.clew.memory.MemoryStore;
import dev.clew.migrate.MigrationListener;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files whose checksums are right and whose content is not. */
class HostileBackupTest {
  private static final String PLACE =
      "{\"id\":\"s\",\"version\":1,\"created\":0,\"updated\":0,\"items\":1,\"bytes\":1,\"at\":";
  private static final String NO_RECORDS = "{\"count\":0,\"digest\":\"\",\"in\":0,\"blocks\":[]}\n";

  @TempDir Path folder;

  private static BackupHead head(BackupHead.Base... bases) {
    return new BackupHead("id", Instant.EPOCH, false, List.of(bases));
  }

  /** A file with blocks of the test's own; the function writes them and returns the index. */
  private Path write(BackupHead head, Function<BlockWriter, List<String>> blocks)
      throws IOException {
    Path file = folder.resolve("x.backup");
    try (SessionStore nothing = MemoryStore.builder().build();
        FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
      BlockWriter out = new BlockWriter(channel, 0);
      BackupWriter writer = new BackupWriter(nothing, out, null, MigrationListener.NONE);
      writer.begin(head);
      List<String> index = blocks.apply(out);
      String digest =
          BackupFile.digest(new BlockReader(channel, file), out.position(), bytes -> {});
      writer.end(index, digest);
    }
    return file;
  }

  private static List<String> index(BlockWriter out, String owner) {
    long at = out.write(Kind.OWNER, NO_RECORDS + owner);
    return List.of(
        String.valueOf(out.write(Kind.INDEX, "{\"owner\":\"ann\",\"at\":[" + at + "]}\n")));
  }

  @Test
  void aBaseElsewhere_isNotOpened() throws IOException {
    for (String name : List.of("../x.backup", "/etc/passwd", "a/../b", "..", "")) {
      Path file = write(head(new BackupHead.Base("id", name)), out -> index(out, ""));
      assertThatThrownBy(() -> BackupStore.open(file))
          .as(name)
          .isInstanceOf(ClewException.class)
          .hasMessageContaining("x.backup");
    }
  }

  @Test
  void anIndexThatIsNone_isDamage() throws IOException {
    for (String line :
        List.of("[]\n", "{\"owner\":7}\n", "{\"owner\":\"a\",\"at\":[\"x\"]}\n", "?\n")) {
      Path file = write(head(), out -> List.of(String.valueOf(out.write(Kind.INDEX, line))));
      assertThatThrownBy(() -> BackupStore.open(file))
          .as(line)
          .isInstanceOf(ClewException.CorruptRecord.class)
          .hasMessageContaining("damaged at offset");
    }
    Path nowhere = write(head(), out -> List.of("999999999"));
    assertThatThrownBy(() -> BackupStore.open(nowhere)).hasMessageContaining("offset 999999999");
  }

  @Test
  void sessionsElsewhereOrOfOtherNames_areDamage() throws IOException {
    for (String at : List.of("99999999}", "-5}", "14}", "14,\"in\":7}", "14,\"in\":-1}")) {
      Path file = write(head(), out -> index(out, PLACE + at + "\n"));
      try (BackupStore backup = BackupStore.open(file)) {
        assertThatThrownBy(() -> backup.session(new SessionKey("ann", "s")).info())
            .as(at)
            .isInstanceOf(ClewException.CorruptRecord.class);
        assertThatThrownBy(() -> backup.list(SessionQuery.of("ann")))
            .isInstanceOf(ClewException.CorruptRecord.class);
      }
    }
    for (String block :
        List.of(
            "[14,1,1,0,1]", "[14,1,1,0,-1]", "[14,1,1,0,2147483647]", "[14,1,1]", "[14]", "7")) {
      String session =
          "{\"id\":\"s\",\"version\":1,\"items\":1,\"bytes\":1,\"created\":0,\"updated\":0,\"title\":\"\","
              + "\"metadata\":{},\"tags\":[],\"archived\":false,\"pinned\":false,\"blocks\":["
              + block
              + "]}\n";
      Path file =
          write(head(), out -> index(out, PLACE + out.write(Kind.SESSION, session) + "}\n"));
      try (BackupStore backup = BackupStore.open(file)) {
        assertThatThrownBy(() -> backup.session(new SessionKey("ann", "s")).entries(Range.first(1)))
            .as(block)
            .isInstanceOf(ClewException.CorruptRecord.class);
      }
    }
    Path control =
        write(head(), out -> index(out, PLACE.replace("\"s\"", "\"a\\u0007\"") + "14}\n"));
    try (BackupStore backup = BackupStore.open(control)) {
      assertThatThrownBy(() -> backup.list(SessionQuery.of("ann")))
          .isInstanceOf(ClewException.CorruptRecord.class)
          .hasMessageContaining("control character");
    }
  }
}
