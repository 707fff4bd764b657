package dev.clew.cli.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The poms of the modules agree; {@code make dist} tries what is published. */
class PublishedModulesTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  static List<String> modules() throws IOException {
    return found("<module>(.*?)</module>", "pom.xml");
  }

  @Test
  void theBomHasEveryModuleThatIsPublished() throws IOException {
    Set<String> published =
        modules().stream()
            .filter(module -> !module.equals("clew-bom") && isPublished(module))
            .collect(Collectors.toSet());
    assertThat(found("<artifactId>(clew-(?!bom).*?)</artifactId>", "clew-bom/pom.xml"))
        .containsExactlyInAnyOrderElementsOf(published);
  }

  @ParameterizedTest
  @MethodSource("modules")
  void aModuleHasANameForItsJarAndADescription(String module) throws IOException {
    String pom = read(module + "/pom.xml");
    assertThat(pom).contains("<name>", "<description>");
    if (!module.equals("clew-bom")) {
      // The root package, without what separates words.
      String name =
          module.equals("clew-core")
              ? "dev.clew"
              : "dev.clew." + module.substring(5).replace("-", "");
      assertThat(pom).contains("<clew.module>" + name + "</clew.module>");
    }
  }

  @Test
  void whatHasNoParentHasItsVersionAndItsLicence() throws IOException {
    String version =
        found("<artifactId>clew-parent</artifactId>\\s*<version>(.*?)<", "pom.xml").get(0);
    String bom = read("clew-bom/pom.xml");
    assertThat(bom).contains("<artifactId>clew-bom</artifactId>\n  <version>" + version + "<");
    assertThat(bom).contains("<licenses>", "<developers>", "<scm>");
    for (String sample :
        List.of(
            "dist/sample",
            "dist/sample-boot",
            "examples/spring-ai",
            "examples/langchain4j",
            "examples/adk",
            "examples/agentscope")) {
      assertThat(read(sample + "/pom.xml")).contains("<clew.version>" + version + "<");
    }
  }

  private static boolean isPublished(String module) {
    try {
      return !read(module + "/pom.xml").contains("<maven.deploy.skip>true<");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> found(String pattern, String file) throws IOException {
    return Pattern.compile(pattern)
        .matcher(read(file))
        .results()
        .map(result -> result.group(1))
        .toList();
  }

  private static String read(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }
}
