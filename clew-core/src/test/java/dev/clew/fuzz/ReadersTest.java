package dev.clew.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.SessionQuery;
import dev.clew.internal.SessionCursor;
import dev.clew.internal.StoreUrl;
import dev.clew.jsonl.JsonlStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever bytes are read, they are understood or refused. A build tries the inputs that are kept
 * beside it; with JAZZER_FUZZ=1 more are made up, guided by what they reach.
 */
class ReadersTest {
  private static final Item AFTER = Item.user("after");

  @TempDir static Path folder;

  @FuzzTest(maxDuration = "60s")
  void bytesAreAnItem_thatIsWrittenAsItWasRead_orRefused(byte[] bytes) {
    Item item;
    try {
      item = Item.parse(bytes, ItemLimits.DEFAULT);
    } catch (ClewException | IllegalArgumentException e) {
      assertThat(e).hasMessageNotContainingAny("Exception", "null pointer");
      return;
    }
    assertThat(Item.parse(item.json())).isEqualTo(item);
    assertThat(item.view()).isNotNull();
  }

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

  @FuzzTest(maxDuration = "30s")
  void aTextIsACursorOrAUrl_orRefused(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    try {
      SessionCursor cursor = SessionCursor.decode(SessionQuery.Order.UPDATED, text);
      assertThat(SessionCursor.decode(SessionQuery.Order.UPDATED, cursor.encode()))
          .isEqualTo(cursor);
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("cursor");
    }
    try {
      StoreUrl url = StoreUrl.parse(text, Set.of("ttl"));
      var unused = url.duration("ttl");
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }
}
