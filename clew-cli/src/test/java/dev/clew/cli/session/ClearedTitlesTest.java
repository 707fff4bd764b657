package dev.clew.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.Stores;
import dev.clew.kit.MadeTitles;
import dev.clew.manage.SessionManager;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A title that a server made from the first message is not left in a file. */
class ClearedTitlesTest {
  @TempDir Path folder;

  @Test
  void clear_leavesNothingOfTheFirstMessage() throws Exception {
    try (SessionStore store = Stores.open("jsonl:" + folder)) {
      SessionManager sessions = new SessionManager(store);
      sessions.addMessage("s", "user", "Where do ravens sleep?");
      Map<String, String> mark = Map.of("title", MadeTitles.mark("Ravens"));
      SessionUpdate made =
          SessionUpdate.none().title("Ravens").metadata(Map.of(MadeTitles.KEY, mark));
      store.session("s").update(made);
      sessions.clear("s");
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file)).as(file.toString()).doesNotContainIgnoringCase("ravens");
      }
    }
  }
}
