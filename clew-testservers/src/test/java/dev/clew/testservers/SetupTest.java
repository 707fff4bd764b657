package dev.clew.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code .ci/setup} on a machine whose programs are scripts in a folder, so that nothing is
 * installed on this one.
 */
class SetupTest {
  private static final Path SCRIPT = Path.of("..", ".ci", "setup").toAbsolutePath().normalize();
  private static final String CHROMIUM = "the tests of the page need Chromium";

  @TempDir Path folder;
  private Path bin;

  private record Outcome(int exit, String said) {}

  @BeforeEach
  void aMachineWithoutChromium() throws IOException {
    bin = Files.createDirectory(folder.resolve("bin"));
    for (String tool :
        List.of("sh", "env", "flock", "grep", "head", "mktemp", "mv", "rm", "sed", "sleep")) {
      Files.createSymbolicLink(bin.resolve(tool), onThePath(tool));
    }
    Files.createDirectories(folder.resolve("jdk/bin"));
    program("jdk/bin/javac", "");
    program("bin/java", "");
    maven("3.8.7", "17.0.15");
    program("bin/id", "echo 0");
  }

  private static Path onThePath(String tool) {
    for (String entry : System.getenv("PATH").split(File.pathSeparator, -1)) {
      if (Files.isExecutable(Path.of(entry, tool))) {
        return Path.of(entry, tool);
      }
    }
    throw new AssertionError("no " + tool);
  }

  private void program(String name, String script) throws IOException {
    Path file = folder.resolve(name);
    Files.deleteIfExists(file); // it may be a link to a program of this machine
    Files.writeString(file, "#!/bin/sh\n" + script + "\n", StandardOpenOption.CREATE_NEW);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void maven(String version, String java) throws IOException {
    program(
        "bin/mvn",
        "printf '\\033[1mApache Maven %s\\033[m\\nJava version: %s, vendor: X, runtime: %s/jdk\\n' "
            + String.join(" ", version, java, "'" + folder + "'"));
  }

  /** A package manager with one package. */
  private void aptGet(String before) throws IOException {
    program("chromium-package", "echo Chromium 1.0");
    program(
        "bin/apt-get",
        String.join(
            "\n",
            "here='" + folder + "'",
            "for last; do case $last in update|install) what=$last; esac; done",
            "echo $what >>\"$here/asked\"",
            before,
            "[ $what = update ] || mv \"$here/chromium-package\" \"$here/bin/chromium\""));
  }

  private Process start(Map<String, String> environment, String... arguments) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(bin.resolve("sh").toString(), SCRIPT.toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().clear();
    builder.environment().put("PATH", bin.toString());
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    return process;
  }

  private Outcome setup(Map<String, String> environment, String... arguments) {
    try {
      Process process = start(environment, arguments);
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Outcome(process.waitFor(), said);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Outcome setup() {
    return setup(Map.of());
  }

  private String asked() throws IOException {
    return Files.readString(folder.resolve("asked")).replace('\n', ' ').strip();
  }

  private static void assertRefused(Outcome outcome, String... parts) {
    assertThat(outcome.exit()).as(outcome.said()).isEqualTo(1);
    assertThat(outcome.said()).startsWith("clew: ").hasLineCount(1).contains(parts);
  }

  @Test
  void withoutAJdkOrMavenOneSentenceSaysWhatToInstall() throws IOException {
    assertRefused(setup(Map.of("JAVA_HOME", "/none")), "/none/bin", "JDK 17", "JAVA_HOME");
    Files.delete(bin.resolve("java"));
    assertRefused(setup(), "no java;", "JDK 17", "JAVA_HOME");
    program("bin/java", "");
    Files.delete(bin.resolve("mvn"));
    assertRefused(setup(Map.of(), "build"), "no Maven", "3.8", "MVN");
  }

  @Test
  void aJdkOrMavenThatIsTooOldIsToldBeforeAnythingElse() throws IOException {
    maven("3.8.7", "11.0.2");
    assertRefused(setup(), "Java 11", "JDK 17");
    maven("3.8.7", "1.8.0_292");
    assertRefused(setup(), "JDK 17");
    maven("3.6.3", "17.0.15");
    assertRefused(setup(), "Maven 3.6", "3.8");
    maven("4.0.0-rc-3", "25");
    assertThat(setup(Map.of(), "build")).isEqualTo(new Outcome(0, ""));
    Files.delete(folder.resolve("jdk/bin/javac"));
    assertRefused(setup(), "no compiler", "JDK 17");
  }

  @Test
  void whereNothingCanBeInstalledOneSentenceSaysSo() throws IOException {
    assertRefused(setup(), CHROMIUM, "no apt-get", "CLEW_CHROMIUM");

    aptGet("");
    program("bin/id", "echo 1000");
    assertRefused(setup(), CHROMIUM, "only root", "CLEW_CHROMIUM");
    program("bin/sudo", "exit 1");
    assertRefused(setup(), CHROMIUM, "only root", "CLEW_CHROMIUM");
    assertThat(folder.resolve("asked")).doesNotExist();

    assertRefused(
        setup(Map.of("CLEW_CHROMIUM", "/none/chromium")), "/none/chromium", "CLEW_CHROMIUM");
  }

  @Test
  void whatAptGetRefusesIsPartOfTheSentence() throws IOException {
    aptGet("echo 'E: Unable to locate package chromium'; exit 100");

    Outcome outcome = setup();

    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(outcome.said().lines())
        .satisfiesExactly(
            first -> assertThat(first).startsWith("installing Chromium"),
            last -> assertThat(last).contains(CHROMIUM, "Unable to locate", "CLEW_CHROMIUM"));
    assertThat(asked()).isEqualTo("install update install");
  }

  @Test
  void itIsInstalledOnce_andThenFound() throws IOException {
    aptGet("");

    assertThat(setup().said()).startsWith("installing Chromium").hasLineCount(1);
    assertThat(setup()).isEqualTo(new Outcome(0, ""));
    assertThat(asked()).isEqualTo("install");
  }

  @Test
  void withoutListsOfPackagesTheyAreFetchedFirst() throws IOException {
    aptGet(
        "[ $what = update ] && : >\"$here/lists\"; "
            + "[ -e \"$here/lists\" ] || { echo 'E: Unable to locate package chromium'; exit 100; }");

    assertThat(setup().exit()).isZero();
    assertThat(asked()).isEqualTo("install update install");
  }

  @Test
  void theSecondOfTwoWaitsForTheFirst() throws Exception {
    aptGet("until [ -e \"$here/go\" ]; do sleep 0.1; done");

    Process first = start(Map.of());
    BufferedReader ofTheFirst = first.inputReader();
    assertThat(ofTheFirst.readLine()).startsWith("installing Chromium");
    Process second = start(Map.of());
    assertThat(second.inputReader().readLine()).startsWith("waiting for another build");
    Files.createFile(folder.resolve("go"));

    assertThat(first.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(List.of(first.exitValue(), second.exitValue())).containsOnly(0);
    assertThat(asked()).isEqualTo("install");
  }

  @Test
  void itWaitsForOthersWhoUseThePackageManager() throws IOException {
    program("bin/sleep", ""); // the waiting
    aptGet(
        "[ -e \"$here/free\" ] || { : >\"$here/free\"; "
            + "echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1'; exit 100; }");

    Outcome outcome = setup();

    assertThat(outcome.exit()).isZero();
    assertThat(outcome.said()).contains("waiting for another program");
    assertThat(asked()).isEqualTo("install install");
  }

  @Test
  void sudoIsUsedWhereItAsksNothing() throws IOException {
    aptGet("");
    program("bin/id", "echo 1000");
    program("bin/sudo", "[ \"$1\" = -n ] && shift && exec \"$@\"");
    program("bin/true", "");

    assertThat(setup().exit()).isZero();
    assertThat(asked()).isEqualTo("install");
  }

  @Test
  void aHintInThePlaceOfTheProgramIsNoChromium() throws IOException {
    program("bin/chromium-browser", "echo 'install it with snap' >&2; exit 1");

    assertRefused(setup(), CHROMIUM, "no apt-get");
  }
}
