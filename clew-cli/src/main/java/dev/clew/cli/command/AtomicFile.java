package dev.clew.cli.command;

import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Output;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Consumer;

/** Files that are there as a whole, the old one or the new one. Stateless. */
public final class AtomicFile {
  private AtomicFile() {}

  /** The file or folder of that name. */
  public static Path path(String name) {
    try {
      return Path.of(name);
    } catch (InvalidPathException e) {
      throw Failure.usage("'" + name + "' is not a valid file name");
    }
  }

  /** The file of that name. */
  public static Path named(String name) {
    Path file = path(name).toAbsolutePath();
    if (file.getParent() == null || Files.isDirectory(file)) {
      throw Failure.usage("'" + name + "' is a folder; name a file");
    }
    return file;
  }

  /** The folder of that name, made if needed. */
  public static Path folder(String name) {
    try {
      return Files.createDirectories(path(name)).toAbsolutePath();
    } catch (IOException e) {
      throw Failure.failed("cannot create the folder '" + name + "': " + Humanize.reason(e));
    }
  }

  /** Writes it beside its place first. */
  public static void write(Path file, Consumer<Output> content) {
    try {
      Path draft = Files.createTempFile(file.getParent(), ".clew-export", ".part");
      try {
        try (OutputStream stream = Files.newOutputStream(draft)) {
          Output out = new Output(stream);
          content.accept(out);
          out.flush();
        }
        Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException e) {
      throw Failure.failed("cannot write '" + file + "': " + Humanize.reason(e));
    }
  }
}
