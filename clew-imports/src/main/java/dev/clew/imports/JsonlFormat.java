package dev.clew.imports;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Folders of JSONL files of nanobot, minibot and their relatives, and of Clew. Stateless. */
final class JsonlFormat implements ImportFormat {
  JsonlFormat() {}

  @Override
  public String name() {
    return "jsonl";
  }

  @Override
  public boolean recognises(String source) {
    return SourceFiles.path(source).filter(JsonlFormat::hasJsonl).isPresent();
  }

  private static boolean hasJsonl(Path path) {
    if (!Files.isDirectory(path)) {
      return false;
    }
    try (Stream<Path> files = Files.list(path)) {
      return files
          .map(Path::toString)
          .anyMatch(file -> file.endsWith(".jsonl") || file.endsWith(".jsonl.gz"));
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public ConversationReader open(String source, Losses losses) {
    Path folder =
        SourceFiles.path(source)
            .filter(JsonlFormat::hasJsonl)
            .orElseThrow(() -> new BadSource("'" + source + "' is no folder with files *.jsonl"));
    SessionStore store =
        Stores.open(
            "jsonl:" + folder.toString().replace("%", "%25").replace("?", "%3F"), Opening.READ);
    return new StoreReader(store, source, losses);
  }
}
