package dev.clew.frameworks;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A test waits for what it waits for, never for a while: no test of any module sleeps. */
class NoSleepingTestsTest {
  private static final Path MODULES = Path.of("..").toAbsolutePath().normalize();
  private static final String TARGET = System.getProperty("clew.target", "target");

  @Test
  void noTestSleeps() throws IOException {
    noClasses()
        .should()
        .accessTargetWhere(
            target(name("sleep"))
                .and(
                    target(owner(equivalentTo(Thread.class)))
                        .or(target(owner(equivalentTo(TimeUnit.class)))))
                .as("a test sleeps"))
        .check(testClasses());
  }

  /** The test classes of every module that has test sources, and the whole TCK. */
  private static JavaClasses testClasses() throws IOException {
    List<Path> compiled = new ArrayList<>();
    try (Stream<Path> modules = Files.list(MODULES)) {
      for (Path module : modules.filter(m -> Files.exists(m.resolve("pom.xml"))).toList()) {
        addCompiled(module, "src/test/java", "test-classes", compiled);
        if (module.endsWith("clew-tck")) {
          addCompiled(module, "src/main/java", "classes", compiled);
        }
      }
    }
    return new ClassFileImporter().importPaths(compiled);
  }

  private static void addCompiled(
      Path module, String sources, String classes, List<Path> compiled) {
    if (Files.isDirectory(module.resolve(sources))) {
      Path folder = module.resolve(TARGET).resolve(classes);
      assertThat(folder).as("compiled tests; build this module together with -am").isDirectory();
      compiled.add(folder);
    }
  }
}
