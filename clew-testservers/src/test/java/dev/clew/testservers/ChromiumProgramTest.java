package dev.clew.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChromiumProgramTest {
  @TempDir Path folder;

  private Path program(String name) throws IOException {
    return Files.createFile(
        folder.resolve(name),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
  }

  @Test
  void itIsTheOneOnThePath_unlessAnotherIsNamed() throws IOException {
    program("chromium-browser");
    Path chrome = program("google-chrome");
    Path other = program("elsewhere");
    String path = "/nonexistent:" + folder;

    assertThat(ChromiumProgram.find(null, path)).contains(chrome);
    assertThat(ChromiumProgram.find("", path)).contains(chrome);
    assertThat(ChromiumProgram.find(other.toString(), path)).contains(other);
  }

  @Test
  void oneThatCannotBeRunIsNone() throws IOException {
    Files.createFile(folder.resolve("chromium"));

    assertThat(ChromiumProgram.find(null, folder.toString())).isEmpty();
    assertThat(ChromiumProgram.find("/nonexistent/chromium", folder.toString())).isEmpty();
  }
}
