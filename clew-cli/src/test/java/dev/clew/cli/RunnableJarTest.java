package dev.clew.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.cli.chat.RemoteChatTest;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.openai.TestServer;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The jar that people run, and the folder beside it. Runs when they were packaged. */
@Tag("runnable-jar")
class RunnableJarTest {
  private static final Path JAR = Path.of(System.getProperty("clew.target"), "clew.jar");

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void aModelOnAServerAnswers(ModelWire wire) throws Exception {
    try (TestServer server = new TestServer()) {
      server.thenModel(wire.call("call_1", "search_history", "{\"query\":\"bridge\"}"));
      server.thenModel(wire.text("Nothing ", "was said of bridges."));
      try (ClewProcess clew =
          ClewProcess.startJar(
              JAR,
              folder,
              Map.of("OPENAI_BASE_URL", server.baseUrl(), "CLEW_MODEL", wire.named("m")),
              "chat",
              "s")) {
        clew.type("what was it about bridges?\n");
        assertThat(clew.line()).as(clew.err()).isEqualTo("Nothing was said of bridges.");
        assertThat(clew.end()).isZero();
        assertThat(clew.loaded()).contains(RemoteChatTest.CLIENT);
      }
    }
  }

  /** The client reads errors by reflection, which must come from where Kotlin's library does. */
  @ParameterizedTest
  @EnumSource
  void aModelThatFailsIsToldInOneLine(ModelWire wire) throws Exception {
    try (TestServer server = new TestServer()) {
      server.thenModel(
          TestServer.json(
              500, TestServer.error("Out of memory", "a_code"), "x-should-retry", "false"));
      try (ClewProcess clew =
          ClewProcess.startJar(
              JAR,
              folder,
              Map.of("OPENAI_BASE_URL", server.baseUrl(), "CLEW_MODEL", wire.named("m")),
              "chat",
              "s")) {
        clew.type("hello\n");
        assertThat(clew.end()).isEqualTo(ExitCode.FAILED);
        assertThat(clew.err()).contains("500: Out of memory").doesNotContain("kotlin");
      }
    }
  }

  @Test
  void whoeverDoesNotAskItDoesNotLoadItsClient() throws Exception {
    try (ClewProcess clew = ClewProcess.startJar(JAR, folder, Map.of(), "chat", "s")) {
      clew.type("thanks\n");
      assertThat(clew.line()).as(clew.err()).isEqualTo("You are welcome.");
      assertThat(clew.end()).isZero();
      assertThat(clew.loaded())
          .contains("dev.clew.cli.chat.Chat")
          .doesNotContain(RemoteChatTest.CLIENT);
    }
  }

  @Test
  void theJarHasNothingOfTheClientAndNamesNoOtherJar() throws Exception {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      List<String> names = jar.stream().map(ZipEntry::getName).toList();
      assertThat(names)
          .contains("dev/clew/cli/Main.class", "dev/clew/agent/ModelProvider.class")
          .noneMatch(name -> name.matches("(com/openai|okhttp3|okio|dev/clew/openai)/.*"));
      // On the class path its jars would be opened by every command.
      assertThat(jar.getManifest().getMainAttributes().getValue("Class-Path")).isNull();
    }
  }

  /** What of the page's libraries is packed is a list of its own, in the POM. */
  @Test
  void theJarHasEveryFileOfThePage() throws Exception {
    try (JarFile jar = new JarFile(JAR.toFile());
        InputStream list = jar.getInputStream(jar.getEntry("web/files.txt"))) {
      List<String> files =
          new String(list.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.isBlank() && !line.startsWith("#"))
              .map(line -> line.strip().split("\\s+", 4))
              .map(
                  words -> words.length == 2 ? "web/" + words[1] : "META-INF/resources/" + words[2])
              .toList();
      assertThat(files)
          .isNotEmpty()
          .allSatisfy(file -> assertThat(jar.getEntry(file)).as(file).isNotNull());
    }
  }
}
