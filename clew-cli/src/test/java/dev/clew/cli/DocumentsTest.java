package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
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
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

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
  void whatTheReadmeStoresCanBeRead() throws Exception {
    Matcher java = JAVA.matcher(Files.readString(ROOT.resolve("README.md")));
    String shown =
        java.results()
            .map(found -> found.group(1))
            .filter(text -> !text.contains("Runner"))
            .findFirst()
            .orElseThrow();
    String url = "sqlite:" + folder.resolve("conversations.db");
    ShownJava.run(folder, shown.replace("sqlite:conversations.db", url));
    try (var store = Stores.open(url)) {
      assertThat(store.session("user_123").getItems()).hasSize(2);
    }
  }

  @Test
  void theAgentOfTheReadmeCallsItsTool() throws Exception {
    Matcher java = JAVA.matcher(Files.readString(ROOT.resolve("README.md")));
    assertThat(java.find()).isTrue();
    String url = "sqlite:" + folder.resolve("conversations.db");
    String model =
        """
        request -> ModelResponse.of(
            request.input().get(request.input().size() - 1).view()
                    instanceof View.FunctionCallOutput output
                ? Item.assistant(output.text())
                : Item.functionCall("call_1", "get_weather", "{\\"name\\":\\"Oslo\\"}"))
        """;
    ShownJava.run(
        folder,
        java.group(1)
            .replace("sqlite:conversations.db", url)
            .replace("OpenAiModels.fromEnvironment()", model)
            .replaceAll("; //.*", ";"));
    try (var store = Stores.open(url)) {
      assertThat(store.session("user_123").getItems())
          .hasSize(8)
          .contains(Item.functionCallOutput("call_1", "18 degrees in Oslo"));
    }
  }

  @Test
  void allJavaOfTheReadmeCompiles() throws IOException {
    Matcher java = JAVA.matcher(Files.readString(ROOT.resolve("README.md")));
    int found = 0;
    while (java.find()) {
      ShownJava.compile(folder, java.group(1));
      found++;
    }
    assertThat(found).isGreaterThan(1);
  }

  @Test
  void theJavaOfTheConformanceRunCompiles() {
    assertThat(ShownJava.errors(folder, ROOT.resolve("conformance/JavaSide.java"))).isZero();
  }

  /** A line of a document that somebody may paste into a shell. */
  private record Pasted(Path document, int line, String text) {
    @Override
    public String toString() {
      return document.getFileName() + ":" + line + ": " + text;
    }
  }

  @Test
  void everyCommandThatTheDocumentsShowCanBePasted() throws IOException {
    CommandLine tree = UsageTest.tree();
    List<String> refused = new ArrayList<>();
    int found = 0;
    for (Pasted pasted : pasted()) {
      for (List<String> words : commands(pasted.text())) {
        found++;
        try {
          tree.parseArgs(words.toArray(String[]::new));
        } catch (ParameterException e) {
          refused.add(pasted + ": " + e.getMessage());
        }
      }
    }
    assertThat(refused).isEmpty();
    assertThat(found).isGreaterThan(30);
  }

  /** The lines of code blocks, in fences for a shell or by four spaces. */
  private static List<Pasted> pasted() throws IOException {
    List<Pasted> all = new ArrayList<>();
    for (Path document : documents()) {
      String fence = "";
      List<String> lines = Files.readAllLines(document);
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        if (line.startsWith("```")) {
          fence = fence.isEmpty() ? line : "";
          continue;
        }
        boolean shell = fence.matches("```(sh|bash|shell|console)?");
        if (shell || (fence.isEmpty() && line.startsWith("    "))) {
          int start = i + 1;
          while (line.endsWith("\\")) {
            line = line.substring(0, line.length() - 1) + lines.get(++i);
          }
          all.add(new Pasted(document, start, line.strip()));
        }
      }
    }
    return all;
  }

  /** The arguments of each call of clew in a line. */
  private static List<List<String>> commands(String line) {
    List<List<String>> commands = new ArrayList<>();
    List<String> words = new ArrayList<>();
    for (String word : UsageTest.words(line.replaceFirst("(^|\\s)#.*", "") + " ;")) {
      if (word.matches("[|;&]+|[0-9]?>.*|<")) {
        while (!words.isEmpty() && words.get(0).matches("[A-Z_]+=.*")) {
          words.remove(0);
        }
        if (!words.isEmpty() && words.get(0).matches("(\\./)?clew")) {
          commands.add(List.copyOf(words.subList(1, words.size())));
        }
        words.clear();
      } else {
        words.add(word);
      }
    }
    return commands;
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
