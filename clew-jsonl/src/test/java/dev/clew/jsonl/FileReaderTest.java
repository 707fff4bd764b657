package dev.clew.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.SessionQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever bytes a file has, it is understood or refused. A build tries the inputs that are kept
 * beside it; with JAZZER_FUZZ=1 more are made up, guided by what they reach.
 */
class FileReaderTest {
  private static final Item AFTER = Item.user("after");

  @TempDir static Path folder;

  @FuzzTest(maxDuration = "60s")
  void bytesAreTheFileOfASession_thatIsReadAndGoesOn(byte[] bytes) throws IOException {
    Path place = Files.createTempDirectory(folder, "session");
    Files.write(place.resolve("s.jsonl"), bytes);
    try (JsonlStore store = JsonlStore.open(place)) {
      List<Item> expected = new ArrayList<>(store.session("s").getItems());
      expected.add(AFTER);
      store.session("s").addItems(List.of(AFTER));
      assertThat(store.session("s").getItems(1)).containsExactly(AFTER);
      assertThat(store.session("s").getItems()).isEqualTo(expected);
      store.check(finding -> {});
      assertThat(store.list(SessionQuery.of("")).sessions()).hasSizeLessThan(2);
    } catch (ClewException e) {
      assertThat(e).hasMessageContaining(place.toString());
    }
  }
}
