package dev.clew.kit;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Why a file operation failed. Stateless. Java's own messages often name only the file. */
public final class Reasons {
  private Reasons() {}

  /** The reason in a few words. */
  public static String of(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof NoSuchFileException missing) {
      return isFolderMissing(missing.getFile()) ? "no such folder" : "no such file";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "a file is in the way";
    }
    if (e instanceof NotDirectoryException) {
      return "it is not a folder";
    }
    if (e instanceof DirectoryNotEmptyException) {
      return "the folder is not empty";
    }
    if (e instanceof FileSystemLoopException) {
      return "its symbolic links go in a circle";
    }
    String reason = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
    if (reason == null || reason.isBlank()) {
      return e.getClass().getSimpleName();
    }
    return switch (reason) {
      case "Not a directory" -> "a part of the path is not a folder";
      case "Is a directory" -> "it is a folder";
      case "Read-only file system" -> "the file system is read-only";
      case "No space left on device" -> "the disk is full";
      default -> reason;
    };
  }

  /**
   * Fails if this user may not look there, which {@link Files#exists} reports as absent.
   *
   * @throws AccessDeniedException if a folder on the way may not be entered
   */
  public static void requireVisible(Path path) throws AccessDeniedException {
    try {
      var unused = Files.readAttributes(path, BasicFileAttributes.class);
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      // It is absent, or has another problem that its use will show.
    }
  }

  private static boolean isFolderMissing(@Nullable String file) {
    try {
      Path folder = file == null ? null : Path.of(file).toAbsolutePath().getParent();
      return folder != null && !Files.isDirectory(folder);
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
