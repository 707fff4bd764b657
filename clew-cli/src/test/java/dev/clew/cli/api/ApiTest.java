package dev.clew.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The published modules keep the signatures of the last release. They are in the file {@code
 * api.txt} of each module, which {@code make api} writes.
 */
class ApiTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Pattern MODULE = Pattern.compile("<artifactId>(clew-(?!bom)[\\w-]+)<");

  /** The modules of the BOM that have classes. */
  static Stream<String> modules() throws IOException {
    return MODULE
        .matcher(Files.readString(ROOT.resolve("clew-bom/pom.xml")))
        .results()
        .map(found -> found.group(1))
        .filter(module -> Files.exists(ROOT.resolve(module).resolve("src/main/java")));
  }

  @ParameterizedTest
  @MethodSource("modules")
  void aModuleKeepsTheSignaturesOfTheLastRelease(String module) throws IOException {
    Path file = ROOT.resolve(module).resolve("api.txt");
    Map<String, List<String>> now =
        Signatures.of(classes(module), System.getProperty("java.class.path"));
    assertThat(now).as("types of %s", module).isNotEmpty();
    if (System.getProperty("clew.api") != null) {
      Files.writeString(file, Compatibility.write(now));
      return;
    }
    assertThat(file).as("run 'make api' once, and commit what it writes").exists();
    List<String> breaks = Compatibility.breaks(Compatibility.read(Files.readString(file)), now);
    if (!breaks.isEmpty()) {
      fail(
          module
              + " breaks programs that use the last release, whose signatures are in "
              + ROOT.relativize(file)
              + ":\n  "
              + String.join("\n  ", breaks)
              + "\nKeep what was there, deprecated if need be, and give a new method of an interface a default."
              + " If the break is meant, describe it in CHANGELOG.md and run 'make api'.");
    }
  }

  private static Path classes(String module) {
    Path classes =
        ROOT.resolve(module)
            .resolve(System.getProperty("clew.target", "target"))
            .resolve("classes");
    assertThat(classes).as("%s is not built; build with -am", module).exists();
    return classes;
  }
}
