package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Stores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the documents say is there, and what they show works. */
class DocumentsTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");
  private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");
  private static final Pattern METRIC =
      Pattern.compile("\\b(clew_\\w+?)(?:_bucket|_count|_sum)?\\b");

  @TempDir Path folder;

  @Test
  void theTenLinesOfTheReadmeCompileAndRun() throws Exception {
    Matcher java = JAVA.matcher(Files.readString(ROOT.resolve("README.md")));
    assertThat(java.find()).isTrue();
    String url = "sqlite:" + folder.resolve("conversations.db");
    ShownJava.run(folder, java.group(1).replace("sqlite:conversations.db", url));
    try (var store = Stores.open(url)) {
      assertThat(store.session("user_123").getItems()).hasSize(2);
    }
  }

  @Test
  void theReadmeIsShort() throws IOException {
    assertThat(Files.readAllLines(ROOT.resolve("README.md"))).hasSizeLessThanOrEqualTo(150);
  }

  @Test
  void everyLinkBetweenDocumentsLeadsSomewhere() throws IOException {
    for (Path document : documents()) {
      Matcher link = LINK.matcher(Files.readString(document));
      while (link.find()) {
        assertThat(document.getParent().resolve(link.group(1)))
            .as("link in %s", ROOT.relativize(document))
            .exists();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"promises.md", "faults.md", "threats.md", "limits.md"})
  void everyPromiseNamesATestThatExists(String document) throws IOException {
    Map<String, List<Path>> sources = sources();
    List<String> missing = new ArrayList<>();
    Matcher test = TEST.matcher(Files.readString(ROOT.resolve("docs").resolve(document)));
    int found = 0;
    while (test.find()) {
      found++;
      boolean there = false;
      for (Path file : sources.getOrDefault(test.group(1) + ".java", List.of())) {
        there |= Files.readString(file).contains(" " + test.group(2) + "(");
      }
      if (!there) {
        missing.add(test.group());
      }
    }
    assertThat(missing).isEmpty();
    assertThat(found).isGreaterThan(20);
  }

  @Test
  void everyAlertIsAboutAMetricThatIsDocumented() throws IOException {
    String metrics = Files.readString(ROOT.resolve("docs/operating.md"));
    Matcher metric = METRIC.matcher(Files.readString(ROOT.resolve("ops/alerts.yaml")));
    assertThat(metric.find()).isTrue();
    do {
      assertThat(metrics).contains("`" + metric.group(1) + "`");
    } while (metric.find());
  }

  /** The source files of all modules by name; a name may occur in several. */
  private static Map<String, List<Path>> sources() throws IOException {
    Map<String, List<Path>> sources = new HashMap<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.map(path -> path.resolve("src")).toList()) {
        if (Files.isDirectory(module)) {
          try (Stream<Path> files = Files.walk(module)) {
            files
                .filter(Files::isRegularFile)
                .forEach(
                    file ->
                        sources
                            .computeIfAbsent(
                                file.getFileName().toString(), name -> new ArrayList<>())
                            .add(file));
          }
        }
      }
    }
    return sources;
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (Path place : List.of(ROOT, ROOT.resolve("docs"))) {
      try (Stream<Path> files = Files.list(place)) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
      }
    }
    return documents;
  }
}
