package dev.clew.cli.demo;

import static dev.clew.cli.Shell.objects;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.ShownJava;
import dev.clew.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoCommandTest {
  private final Shell shell = new Shell();
  @TempDir Path folder;

  @Test
  void showsEachStepWithItsJavaAndWhatCameBack() {
    Result result = shell.run("demo");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("Stores.open(\"sqlite:", "trip.undoTurn()", "[Golden] [Gate]", "[寺庙]")
        .contains("by-train has 2 items, trip still 6 items")
        .contains("4 items removed, trip has 2 items left")
        .contains("no model is called", "temporary file", "To go on")
        .doesNotContain("\u001b");
  }

  @Test
  void usesATemporaryFileOfItsOwnEvenWhenAnotherStoreIsSet() {
    shell.env.put("CLEW_STORE", "sqlite:precious.db");
    shell.run("demo");
    assertThat(shell.opened).isNotEmpty().allMatch(url -> url.contains("clew-demo-"));
  }

  @Test
  void removesTheFileUnlessSomebodyIsThereToLookAtIt() {
    Result removed = shell.run("demo", "--json");
    assertThat(removed.json()).containsEntry("kept", false);
    assertThat(fileOf(removed).getParent()).doesNotExist();
    Shell other = new Shell();
    Result kept = other.run("demo", "--json", "--keep");
    assertThat(kept.json()).containsEntry("kept", true);
    assertThat(fileOf(kept).getParent()).exists().satisfies(Files::delete);
    Result watched = new Shell().onTerminal().run("demo", "--no-keep", "--json");
    assertThat(watched.json()).containsEntry("kept", false);
  }

  private static Path fileOf(Result result) {
    return Path.of(((String) result.json().get("store")).substring("sqlite:".length()));
  }

  @Test
  void removesTheFileWhenTheTourFails() {
    shell.opening(
        url -> {
          shell.opened.add(url);
          throw new IllegalStateException("no");
        });
    Result result = shell.run("demo");
    assertThat(result.code()).isEqualTo(ExitCode.FAILED);
    Path file = Path.of(shell.opened.get(0).substring("sqlite:".length()));
    assertThat(file.getParent()).doesNotExist();
  }

  @Test
  void theJavaItShowsCompilesAndRuns() throws Exception {
    Map<String, Object> demo = shell.run("demo", "--json").json();
    String java =
        objects(demo, "steps").stream()
            .flatMap(DemoCommandTest::lines)
            .collect(Collectors.joining("\n"))
            .replace((String) demo.get("store"), "memory:");
    ShownJava.run(folder, java + "\nstore.close();");
  }

  @SuppressWarnings("unchecked")
  private static Stream<String> lines(Map<String, Object> step) {
    return ((List<String>) step.get("java")).stream();
  }

  @Test
  void asJsonIsOneDocumentOfSteps() throws IOException {
    Result result = shell.run("demo", "--json");
    assertThat(result.json()).containsOnlyKeys("store", "kept", "steps");
    assertThat(objects(result.json(), "steps"))
        .hasSizeGreaterThan(8)
        .allSatisfy(
            step ->
                assertThat(new HashMap<>(step))
                    .containsOnlyKeys("title", "java", "result", "millis"));
  }
}
