package dev.clew.testservers;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/**
 * Finds {@code initdb} and {@code postgres}: those that came from Maven, unpacked once a machine,
 * else those of a system installation. Stateless.
 */
final class PostgresPrograms {
  private static final Set<PosixFilePermission> FOR_ALL_TO_RUN =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private PostgresPrograms() {}

  /** The folder of the programs, which this account can run. */
  static Path find(Account account) {
    List<String> reasons = new ArrayList<>();
    try {
      Path unpacked = Unpacked.FOLDER.resolve("bin");
      if (run(account, unpacked, reasons)) {
        return unpacked;
      }
    } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
      reasons.add("the archive from Maven: " + e.getCause());
    }
    for (Path folder : installed(System.getenv("PATH"), Path.of("/"))) {
      if (run(account, folder, reasons)) {
        return folder;
      }
    }
    throw new IllegalStateException(
        "no PostgreSQL that can be run as "
            + account.name()
            + "; install one (package postgresql); tried "
            + String.join("; ", reasons));
  }

  private static boolean run(Account account, Path folder, List<String> reasons) {
    for (String program : List.of("initdb", "postgres")) {
      Command.Result version = account.run(folder.resolve(program).toString(), "--version");
      if (!version.succeeded()) {
        reasons.add(version.output());
        return false;
      }
    }
    return true;
  }

  /** Where a system has its programs: on the path, else where packages put them, newest first. */
  static List<Path> installed(String path, Path root) {
    List<Path> folders = new ArrayList<>();
    for (String entry : path.split(File.pathSeparator, -1)) {
      folders.add(Path.of(entry));
    }
    folders.addAll(versions(root.resolve("usr/lib/postgresql"), ""));
    folders.addAll(versions(root.resolve("usr"), "pgsql-"));
    return folders.stream().filter(folder -> Files.exists(folder.resolve("initdb"))).toList();
  }

  private static List<Path> versions(Path parent, String prefix) {
    try (Stream<Path> children = Files.list(parent)) {
      return children
          .filter(child -> child.getFileName().toString().matches(prefix + "\\d+(\\.\\d+)?"))
          .sorted(Comparator.comparing(child -> -version(child, prefix)))
          .map(child -> child.resolve("bin"))
          .toList();
    } catch (IOException e) {
      return List.of(); // no such folder here
    }
  }

  private static double version(Path folder, String prefix) {
    return Double.parseDouble(folder.getFileName().toString().substring(prefix.length()));
  }

  /** The archive from Maven, unpacked. Its users may be many processes and accounts at once. */
  private static final class Unpacked {
    static final Path FOLDER = unpack();

    private static Path unpack() {
      try {
        byte[] archive;
        try (InputStream stream =
            DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(
                system(), System.getProperty("os.arch"))) {
          archive = stream.readAllBytes();
        }
        Path tmp = Path.of(System.getProperty("java.io.tmpdir"));
        String user = System.getProperty("user.name");
        Path folder = tmp.resolve("clew-postgres-" + user + "-" + digest(archive));
        if (!Files.exists(folder)) {
          Path fresh = Files.createTempDirectory(tmp, "clew-postgres-");
          try {
            unpack(archive, fresh);
            Files.setPosixFilePermissions(fresh, FOR_ALL_TO_RUN);
            move(fresh, folder);
          } finally {
            Folders.delete(fresh);
          }
        }
        if (!Files.getOwner(folder).getName().equals(user)) {
          throw new IOException(folder + " was made by somebody else; remove it");
        }
        return folder;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** For all to enter, whatever the process lets others do otherwise. */
    private static void makeFolder(@Nullable Path folder) throws IOException {
      if (folder != null && !Files.exists(folder)) {
        makeFolder(folder.getParent());
        Files.createDirectory(folder);
        Files.setPosixFilePermissions(folder, FOR_ALL_TO_RUN);
      }
    }

    private static String system() {
      String name = System.getProperty("os.name");
      return name.startsWith("Mac") ? "Darwin" : name;
    }

    private static void move(Path fresh, Path folder) throws IOException {
      try {
        Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        if (!Files.exists(folder)) { // else another process was faster
          throw e;
        }
      }
    }

    private static String digest(byte[] archive) {
      try {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(archive);
        return HexFormat.of().formatHex(hash, 0, 8);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }

    private static void unpack(byte[] archive, Path folder) throws IOException {
      try (TarArchiveInputStream tar =
          new TarArchiveInputStream(new XZInputStream(new ByteArrayInputStream(archive)))) {
        TarArchiveEntry entry;
        while ((entry = tar.getNextEntry()) != null) {
          Path file = folder.resolve(entry.getName()).normalize();
          if (!file.startsWith(folder)) {
            throw new IOException("a name that leads out of the folder: " + entry.getName());
          }
          if (entry.isDirectory()) {
            makeFolder(file);
            continue;
          }
          makeFolder(file.getParent());
          if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
          } else {
            Files.copy(tar, file);
            Files.setPosixFilePermissions(file, FOR_ALL_TO_RUN);
          }
        }
      } catch (FileAlreadyExistsException e) {
        throw new IOException("the archive names a file twice", e);
      }
    }
  }
}
