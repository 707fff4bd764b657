package dev.clew.imports;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** The files of a source: the one it names, or those of a folder or a zip. Not thread-safe. */
final class SourceFiles implements Closeable {
  private final List<SourceFile> files = new ArrayList<>();
  private final NavigableMap<String, SourceFile> beside = new TreeMap<>();
  private @Nullable ZipFile zip;
  private @Nullable Path unseen;

  /** Exports keep what models drew in a folder below. */
  private static final int DEPTH = 3;

  private SourceFiles() {}

  /** One file. */
  interface Opening {
    InputStream open() throws IOException;
  }

  record SourceFile(String name, long size, Opening opening) {}

  /**
   * Finds the files.
   *
   * @param wanted the names of those in a folder or zip that count, without their folders
   * @throws BadSource if there are none
   */
  static SourceFiles of(String source, Pattern wanted) throws IOException {
    Path path = path(source).orElseThrow(() -> new BadSource("there is no file '" + source + "'"));
    SourceFiles found = new SourceFiles();
    if (Files.isDirectory(path)) {
      found.folder(path, wanted);
    } else if (isZip(path)) {
      found.zip(path, wanted);
    } else {
      found.files.add(ofPath(path, Files.size(path)));
    }
    if (found.files.isEmpty()) {
      found.close();
      throw new BadSource("'" + source + "' has no file " + wanted.pattern());
    }
    return found;
  }

  /** One file that is not on a disk. */
  static SourceFiles ofText(String name, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    SourceFiles one = new SourceFiles();
    one.files.add(new SourceFile(name, bytes.length, () -> new ByteArrayInputStream(bytes)));
    return one;
  }

  /** The file or folder that a source names, if there is one. */
  static Optional<Path> path(String source) {
    try {
      return Optional.of(Path.of(source)).filter(Files::exists);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** The first bytes of a file; none of anything else. */
  static byte[] head(Path path, int length) {
    if (!Files.isRegularFile(path)) {
      return new byte[0];
    }
    try (InputStream in = Files.newInputStream(path)) {
      return in.readNBytes(length);
    } catch (IOException e) {
      return new byte[0];
    }
  }

  private static boolean isZip(Path path) {
    byte[] head = head(path, 4);
    return head.length == 4 && head[0] == 'P' && head[1] == 'K' && head[2] == 3 && head[3] == 4;
  }

  private void folder(Path path, Pattern wanted) throws IOException {
    unseen = path;
    try (Stream<Path> all = Files.list(path)) {
      for (Path file : all.sorted().toList()) {
        if (Files.isRegularFile(file)
            && wanted.matcher(String.valueOf(file.getFileName())).matches()) {
          files.add(ofPath(file, Files.size(file)));
        }
      }
    }
  }

  private static SourceFile ofPath(Path file, long size) {
    return new SourceFile(file.toString(), size, () -> Files.newInputStream(file));
  }

  /** Only when needed: a folder may hold anything, and much. */
  private void lookAround(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        Set.of(),
        DEPTH,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes about) {
            if (about.isRegularFile()) {
              beside.put(String.valueOf(file.getFileName()), ofPath(file, about.size()));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE; // then it is as if it were not there
          }
        });
  }

  private void zip(Path path, Pattern wanted) throws IOException {
    ZipFile opened;
    try {
      opened = new ZipFile(path.toFile());
    } catch (ZipException e) {
      throw new BadSource("'" + path + "' is a damaged zip: " + e.getMessage());
    }
    zip = opened;
    for (ZipEntry entry : Collections.list(opened.entries())) {
      String name = entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
      SourceFile found =
          new SourceFile(
              path + ", " + entry.getName(),
              Math.max(0, entry.getSize()),
              () -> opened.getInputStream(entry));
      if (wanted.matcher(name).matches()) {
        files.add(found);
      } else if (!entry.isDirectory()) {
        beside.put(name, found);
      }
    }
  }

  List<SourceFile> files() {
    return files;
  }

  /** The file in the same zip or folder whose name is an id, with or without a suffix. */
  Optional<SourceFile> beside(String id) throws IOException {
    Path folder = unseen;
    if (folder != null) {
      unseen = null;
      lookAround(folder);
    }
    return beside.tailMap(id).entrySet().stream()
        .takeWhile(each -> each.getKey().startsWith(id))
        .filter(each -> each.getKey().substring(id.length()).matches("([-._].*)?"))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /** Whether the files are in a zip. */
  boolean areInZip() {
    return zip != null;
  }

  @Override
  public void close() throws IOException {
    if (zip != null) {
      zip.close();
    }
  }
}
