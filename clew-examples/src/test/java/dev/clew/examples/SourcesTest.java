package dev.clew.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the sources of the examples have in common. */
class SourcesTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| \\[`([A-Za-z]+)`\\]\\((.+?)\\) \\|");

  @Test
  void everyExampleIsShorterThanSixtyLines() throws IOException {
    assertThat(Examples.names())
        .allSatisfy(name -> assertThat(Examples.source(name).lines().count()).isLessThan(60));
  }

  @Test
  void everyExampleUsesOnlyWhatIsPublic() throws IOException {
    assertThat(Examples.names())
        .allSatisfy(name -> assertThat(Examples.source(name)).doesNotContain("dev.clew.internal"));
  }

  @Test
  void theReadmeNamesEveryExampleAndNoOther() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    Set<String> named =
        ROW.matcher(readme)
            .results()
            .map(row -> row.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(named).isEqualTo(Examples.names());
    assertThat(ROW.matcher(readme).results().map((MatchResult row) -> Path.of(row.group(2))))
        .allSatisfy(file -> assertThat(file).exists());
  }
}
