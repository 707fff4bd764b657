package dev.clew.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every id has a file of its own on every file system, under a name that people can read. */
class FileNamesTest {
  private static final List<String> IDS =
      List.of(
          "feishu:oc_xxx",
          "FEISHU:oc_xxx",
          "user_123",
          "User_123",
          "a/b",
          "a\\b",
          "..",
          ".",
          "../../etc/passwd",
          ".hidden",
          ".lock",
          ".records",
          "con",
          "CON",
          "nul.txt",
          "lpt1",
          "aux",
          "trailing.",
          "trailing ",
          " leading",
          "a%3Ab",
          "a:b",
          "a^b",
          "aB",
          "ab",
          "100%",
          "~tilde",
          "@ann",
          "北京",
          "é",
          "e\u0301",
          "ﬁ",
          "fi",
          "ß",
          "ss",
          "SS",
          "İ",
          "ı",
          "ǅ",
          "한국",
          "😀",
          "x".repeat(199),
          "x".repeat(300),
          "x".repeat(299) + "y",
          "X".repeat(300),
          "." + "x".repeat(300),
          "北".repeat(512),
          "😀".repeat(512));

  @TempDir Path folder;

  @Test
  void namesAreReadable() {
    assertThat(Names.file("feishu:oc_xxx")).isEqualTo("feishu%3Aoc_xxx");
    assertThat(Names.file("TourGuide")).isEqualTo("^tour^guide");
    assertThat(Names.file("北京")).isEqualTo("北京");
    assertThat(Names.file("../etc")).isEqualTo("%2E.%2Fetc");
    assertThat(Names.file("con")).isEqualTo("%63on");
    assertThat(Names.folder("ann")).isEqualTo("@ann");
    assertThat(Names.file("x".repeat(300))).matches("x{100}~[0-9a-f]{40}");
  }

  @Test
  void namesAreReversibleUnlessTheyAreTooLong() {
    for (String id : IDS) {
      Optional<String> decoded = Names.decode(Names.file(id));
      assertThat(decoded).as(id).isEqualTo(Names.isShort(id) ? Optional.of(id) : Optional.empty());
    }
  }

  @Test
  void namesDifferWhateverTheFileSystemTakesForTheSame() {
    Set<String> names = new HashSet<>();
    for (String id : IDS) {
      String name = Names.file(id) + Names.QUARANTINE;
      assertThat(name.getBytes(StandardCharsets.UTF_8).length).as(id).isLessThan(250);
      assertThat(name).as(id).doesNotContain("/", "\\", ":").doesNotStartWith(".");
      assertThat(name).as(id).doesNotMatch("(?i)(con|prn|aux|nul|com\\d|lpt\\d)\\..*");
      String folded = Normalizer.normalize(name, Normalizer.Form.NFKC);
      names.add(folded.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT));
    }
    assertThat(names).hasSameSizeAs(IDS);
  }

  @Test
  void everyIdIsASessionOfItsOwnInsideTheFolder_alsoAfterAReopening() throws IOException {
    Path store = folder.resolve("sessions");
    for (String owner : List.of("", "ann", "x".repeat(512), "..", "Ann")) {
      try (JsonlStore open = JsonlStore.builder(store).disk(FaultyDisk.withoutSyncs()).open()) {
        for (String id : IDS) {
          open.session(new SessionKey(owner, id)).addItems(List.of(Item.user(id)));
        }
      }
      try (JsonlStore open = JsonlStore.builder(store).disk(FaultyDisk.withoutSyncs()).open()) {
        for (String id : IDS) {
          assertThat(open.session(new SessionKey(owner, id)).getItems())
              .as(id)
              .containsExactly(Item.user(id));
        }
        assertThat(open.list(SessionQuery.of(owner).limit(1000)).sessions())
            .extracting(SessionInfo::key)
            .extracting(SessionKey::id)
            .containsExactlyInAnyOrderElementsOf(IDS);
      }
    }
    try (JsonlStore open = JsonlStore.open(store)) {
      assertThat(open.owners(Optional.empty(), 10))
          .containsExactly("", "..", "Ann", "ann", "x".repeat(512));
    }
    try (Stream<Path> outside = Files.list(folder)) {
      assertThat(outside).containsExactly(store);
    }
  }
}
