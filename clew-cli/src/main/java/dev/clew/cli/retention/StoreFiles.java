package dev.clew.cli.retention;

import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.kit.StoreUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** The files in which a store of this machine keeps everything. Stateless. */
final class StoreFiles {
  private StoreFiles() {}

  /** Those there are now; none of a store that is elsewhere or in memory. */
  static List<Path> of(String url) {
    int question = url.indexOf('?');
    StoreUrl store = StoreUrl.parse(question < 0 ? url : url.substring(0, question), Set.of());
    String scheme = store.scheme().toLowerCase(Locale.ROOT);
    if (scheme.equals("sqlite") && !store.path().equals(":memory:")) {
      List<Path> files = new ArrayList<>();
      for (String end : List.of("", "-wal", "-shm", "-journal")) {
        Path file = Path.of(store.path() + end);
        if (Files.isRegularFile(file)) {
          files.add(file);
        }
      }
      return files;
    }
    return scheme.equals("jsonl") ? inFolder(Path.of(store.path())) : List.of();
  }

  private static List<Path> inFolder(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      throw Failure.failed("cannot read the folder " + folder + ": " + Humanize.reason(e));
    }
  }
}
