package dev.clew.cli.command;

import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** Where the store is that commands use by default, and how URLs are shown. Stateless. */
public final class StoreLocation {
  private StoreLocation() {}

  /** A file in the user's data folder. */
  static String usual(Map<String, String> env) {
    return sqlite(usualFolder(env).resolve("clew.db"));
  }

  /** The URL of a file, with escapes for what means something else in a URL. */
  public static String sqlite(Path file) {
    return "sqlite:" + file.toString().replace("%", "%25").replace("?", "%3F");
  }

  private static Path usualFolder(Map<String, String> env) {
    return dataFolder(env).resolve("clew");
  }

  /** Makes the folder of the usual file, if needed. */
  static void makeUsualFolder(Map<String, String> env) {
    Path folder = usualFolder(env);
    try {
      if (!Files.isDirectory(folder)) {
        makePrivate(folder);
      }
    } catch (IOException e) {
      throw Failure.failed(
          String.format(
              "cannot create the folder %s (%s); name another store with --store URL",
              folder, Humanize.reason(e)));
    }
  }

  private static Path dataFolder(Map<String, String> env) {
    try {
      Path told = Path.of(env.getOrDefault("XDG_DATA_HOME", ""));
      if (told.isAbsolute()) { // the XDG rules say to ignore one that is not
        return told;
      }
      String home = env.getOrDefault("HOME", System.getProperty("user.home", "."));
      return Path.of(home, ".local", "share");
    } catch (InvalidPathException e) {
      throw Failure.usage(
          "XDG_DATA_HOME or HOME is not a valid path (" + e.getMessage() + "); use --store URL");
    }
  }

  /** Conversations are nobody else's business. */
  private static void makePrivate(Path folder) throws IOException {
    boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    if (posix) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } else {
      Files.createDirectories(folder);
    }
  }

  /** A URL, or a message that has one in it, without its password. */
  public static String forDisplay(String text) {
    return text.replaceAll("://[^/@\\s]*@", "://…@").replaceAll("(?i)(password=)[^&'\\s]*", "$1…");
  }
}
