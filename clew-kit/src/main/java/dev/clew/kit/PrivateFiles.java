package dev.clew.kit;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Makes files and folders that only the user of this process can read, whatever the umask says.
 * What exists keeps its mode. Stateless.
 */
public final class PrivateFiles {
  private PrivateFiles() {}

  /** What to make a file with, at a path; nothing where there are no such modes. */
  public static FileAttribute<?>[] file(Path path) {
    return mode(path, "rw-------");
  }

  /** Makes an empty file, unless there is one. */
  public static void makeFile(Path path) throws IOException {
    try {
      Files.createFile(path, file(path));
    } catch (FileAlreadyExistsException e) {
      // It keeps its mode.
    }
  }

  /** Makes a folder and those above it, unless they are there. */
  public static void makeFolders(Path path) throws IOException {
    Files.createDirectories(path, mode(path, "rwx------"));
  }

  /** Gives a file that takes the place of another the mode of that one. */
  public static void keepMode(Path old, Path replacement) throws IOException {
    if (isPosix(old) && Files.exists(old)) {
      Files.setPosixFilePermissions(replacement, Files.getPosixFilePermissions(old));
    }
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static FileAttribute<?>[] mode(Path path, String mode) {
    return isPosix(path)
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
        }
        : new FileAttribute<?>[0];
  }
}
