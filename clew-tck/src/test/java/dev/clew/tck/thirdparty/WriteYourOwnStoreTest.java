package dev.clew.tck.thirdparty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds docs/write-your-own-store.md to the store that it walks through. */
class WriteYourOwnStoreTest {
  private static final Path PAGE = Path.of("../docs/write-your-own-store.md");
  private static final Path SOURCES = Path.of("src/test/java/dev/clew/tck/thirdparty");
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void theStore_isShortAndOwesNothingToAnother() throws IOException {
    String store = Files.readString(SOURCES.resolve("MapStore.java"));

    assertThat(store.lines().count()).isLessThanOrEqualTo(350);
    assertThat(store)
        .doesNotContain("java.lang.reflect")
        .doesNotContain("dev.clew.memory")
        .doesNotContain("dev.clew.kit.state");
  }

  @Test
  void whatThePageShows_isInTheSources() throws IOException {
    List<String> sources = new ArrayList<>();
    for (String name : List.of("MapStore", "MapStoreTest", "MapStoreProvider")) {
      sources.add(words(Files.readString(SOURCES.resolve(name + ".java"))));
    }
    Matcher block = BLOCK.matcher(Files.readString(PAGE));
    int shown = 0;
    while (block.find()) {
      for (String part : block.group(1).split("\n *…\n", -1)) {
        shown++;
        assertThat(sources).as(part).anyMatch(source -> source.contains(words(part)));
      }
    }
    assertThat(shown).isPositive();
  }

  private static String words(String code) {
    return code.replaceAll("\\s+", " ").strip();
  }

  @Test
  void theServiceThatThePageNames_isTheOneThatIsRegistered() throws IOException {
    String service = "META-INF/services/dev.clew.StoreProvider";

    assertThat(Files.readString(PAGE)).contains(service);
    assertThat(Files.readString(Path.of("src/test/resources").resolve(service)).strip())
        .isEqualTo(MapStoreProvider.class.getName());
  }

  @Test
  void theProvider_opensWhatItsUrlNames() {
    assertThatThrownBy(() -> Stores.open("map:notes", Opening.WRITE))
        .isInstanceOf(ClewException.NoSuchStore.class);
    try (SessionStore store = Stores.open("map:notes?limit=1")) {
      store.session("s").addItems(List.of(Item.user("a"), Item.user("b")));
      assertThat(store.session("s").getItems()).containsExactly(Item.user("b"));
    }
    try (SessionStore reader = Stores.open("map:notes", Opening.READ)) {
      assertThat(reader.session("s").getItems()).hasSize(2);
      assertThatThrownBy(() -> reader.session("s").popItem())
          .isInstanceOf(ClewException.NotSupported.class);
    }
  }
}
