package dev.clew.kit;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Creates files and folders that only the user of this process can read, whatever the umask.
 * Existing ones keep their mode. Stateless.
 */
public final class PrivateFiles {
  private PrivateFiles() {}

  /** The attributes for a new file at a path; none where there are no such modes. */
  public static FileAttribute<?>[] file(Path path) {
    return mode(path, "rw-------");
  }

  /** Creates an empty file, unless it exists. */
  public static void makeFile(Path path) throws IOException {
    try {
      Files.createFile(path, file(path));
    } catch (FileAlreadyExistsException e) {
      // It keeps its mode.
    }
  }

  /** Creates a folder and its parents, unless they exist. */
  public static void makeFolders(Path path) throws IOException {
    Files.createDirectories(path, mode(path, "rwx------"));
  }

  /** Gives a file that replaces another the mode of that one. */
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
