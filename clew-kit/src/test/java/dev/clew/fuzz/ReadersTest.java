package dev.clew.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.SessionQuery;
import dev.clew.kit.SessionCursor;
import dev.clew.kit.StoreUrl;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Whatever bytes are read, they are understood or refused. A build tries the inputs that are kept
 * beside it; with JAZZER_FUZZ=1 more are made up, guided by what they reach.
 */
class ReadersTest {
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
