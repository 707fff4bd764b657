package dev.clew.jsonl;

import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.kit.PrivateFiles;
import dev.clew.kit.TextOrder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The layout of the folder. Thread-safe.
 *
 * <pre>
 * sessions/feishu%3Aoc_xxx.jsonl        a session of the default owner
 * sessions/feishu%3Aoc_xxx.jsonl.gz     the same, compressed; ignored if there is a plain one
 * sessions/feishu%3Aoc_xxx.quarantine   damaged lines that were removed from it
 * sessions/.records.jsonl               the documents of the default owner
 * sessions/@ann/…                       the same for owner ann
 * sessions/@…/.owner                    an owner whose name is too long for a folder
 * sessions/.lock  .floor.jsonl  .leases.jsonl   of the store
 * </pre>
 */
final class Folders {
  private static final String OWNER_FILE = ".owner";

  static final String LOCK = ".lock";
  static final String FLOOR = ".floor.jsonl";
  static final String LEASES = ".leases.jsonl";
  static final String RECORDS = ".records.jsonl";

  private static final Set<String> OF_THE_STORE = Set.of(LOCK, FLOOR, LEASES);

  private final Path root;
  private final Disk disk;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  /** Owners whose folders exist durably. */
  private final Set<String> ready = ConcurrentHashMap.newKeySet();

  Folders(Path root, Disk disk) {
    this.root = root;
    this.disk = disk;
  }

  /** Creates the folder of a store durably, if needed. */
  static void makeRoot(Path root, Disk disk) throws IOException {
    Path made = root.toAbsolutePath().normalize();
    List<Path> parents = new ArrayList<>();
    for (Path at = made; at != null && !Files.exists(at); at = at.getParent()) {
      parents.add(parent(at));
    }
    PrivateFiles.makeFolders(root);
    for (Path parent : parents) {
      disk.syncFolder(parent);
    }
  }

  Path root() {
    return root;
  }

  /** Shared by writers to an owner's folder; exclusive for its removal. */
  ReadWriteLock lock() {
    return lock;
  }

  Path own(String name) {
    return root.resolve(name);
  }

  /** The folder of an owner, which may not exist. */
  Path of(String owner) {
    return owner.isEmpty() ? root : root.resolve(Names.folder(owner));
  }

  /**
   * Creates the folder of an owner, if needed. The first time it also syncs an existing one: the
   * names of files of a killed process may not be durable yet.
   */
  void make(String owner, Health health) {
    if (!ready.contains(owner)) {
      makeReady(owner, health);
    }
  }

  private synchronized void makeReady(String owner, Health health) {
    if (ready.contains(owner)) {
      return;
    }
    Path folder = of(owner);
    try {
      PrivateFiles.makeFolders(folder);
    } catch (IOException e) {
      throw Health.unwritable(folder, e);
    }
    if (!Names.isShort(owner)) {
      byte[] name = Json.quote(owner).getBytes(StandardCharsets.UTF_8);
      SideFile.replace(folder.resolve(OWNER_FILE), name, disk, health);
    }
    health.sync(
        folder,
        () -> {
          disk.syncFolder(folder);
          disk.syncFolder(root);
        });
    ready.add(owner);
  }

  /** Removes the folder of an owner, unless it has files of other programs. */
  void remove(String owner) throws IOException {
    ready.remove(owner);
    disk.delete(of(owner).resolve(OWNER_FILE));
    try {
      disk.delete(of(owner));
    } catch (DirectoryNotEmptyException e) {
      // the rest is not ours
    }
  }

  /** The default owner, and every owner with a folder. */
  NavigableSet<String> owners() throws IOException {
    NavigableSet<String> owners = new TreeSet<>(TextOrder.BY_CODE_POINT);
    owners.add("");
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(root, Files::isDirectory)) {
      for (Path folder : folders) {
        String name = folder.getFileName().toString();
        if (Names.isFolder(name)) {
          owner(folder, name).ifPresent(owners::add);
        }
      }
    }
    return owners;
  }

  private static Optional<String> owner(Path folder, String name) throws IOException {
    Path file = folder.resolve(OWNER_FILE);
    return Files.exists(file)
        ? Optional.ofNullable(Json.string(Files.readString(file)))
        : Names.owner(name);
  }

  /** The file of a session, which may not exist. */
  Path session(SessionKey key) {
    return of(key.owner()).resolve(Names.file(key.id()) + Names.SESSION);
  }

  /**
   * The file of a session, under our name or its bare key; if there is none, the compressed one.
   */
  Optional<Path> find(SessionKey key) {
    return find(key, "").or(() -> find(key, Names.PACKED));
  }

  private Optional<Path> find(SessionKey key, String end) {
    Path folder = of(key.owner());
    Path path = folder.resolve(Names.file(key.id()) + Names.SESSION + end);
    if (Files.exists(path)) {
      return Optional.of(path);
    }
    try {
      return bareName(key)
          .map(name -> folder.resolve(name + end))
          .filter(bare -> !bare.equals(path) && isNamed(bare));
    } catch (InvalidPathException e) {
      return Optional.empty(); // not a valid name on this system
    }
  }

  /** Whether a session's file is compressed. */
  static boolean isPacked(Path session) {
    return session.getFileName().toString().endsWith(Names.PACKED);
  }

  /** The compressed file of a session. */
  static Path packed(Path plain) {
    return plain.resolveSibling(plain.getFileName() + Names.PACKED);
  }

  /** The plain file of a session. */
  static Path plain(Path session) {
    String name = session.getFileName().toString();
    return isPacked(session)
        ? session.resolveSibling(name.substring(0, name.length() - Names.PACKED.length()))
        : session;
  }

  /** Whether this is the file of a session. */
  boolean isPlaceOf(SessionKey key, Path path) {
    return find(key).filter(path::equals).isPresent();
  }

  private static Optional<String> bareName(SessionKey key) {
    String id = key.id();
    String name = id + Names.SESSION;
    boolean safe =
        id.indexOf('/') < 0
            && id.indexOf('\\') < 0
            && !id.startsWith(".")
            && name.getBytes(StandardCharsets.UTF_8).length < 256
            && Names.decode(id).filter(id::equals).isPresent();
    return safe ? Optional.of(name) : Optional.empty();
  }

  /** Whether it exists under exactly this name: a file system may ignore case. */
  private static boolean isNamed(Path path) {
    try {
      return Files.isRegularFile(path)
          && path.toRealPath().getFileName().toString().equals(path.getFileName().toString());
    } catch (IOException e) {
      return false;
    }
  }

  /** The files of an owner's sessions. */
  List<Path> sessions(String owner) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path file : files(owner)) {
      String name = file.getFileName().toString();
      if (isSession(name) && !name.startsWith(".")) {
        files.add(file);
      }
    }
    return files;
  }

  /** All files of an owner, without those of the store. */
  List<Path> files(String owner) throws IOException {
    List<Path> files = new ArrayList<>();
    Path folder = of(owner);
    if (!Files.isDirectory(folder)) {
      return files;
    }
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, Files::isRegularFile)) {
      for (Path file : all) {
        String name = file.getFileName().toString();
        if (isSession(name) || name.endsWith(Names.QUARANTINE) || name.endsWith(Names.TEMPORARY)) {
          files.add(file);
        }
      }
    }
    files.removeIf(file -> OF_THE_STORE.contains(file.getFileName().toString()) && owner.isEmpty());
    return files;
  }

  static boolean isSession(String name) {
    return name.endsWith(Names.SESSION) || name.endsWith(Names.SESSION + Names.PACKED);
  }

  static Path parent(Path file) {
    Path parent = file.getParent();
    return parent == null ? Path.of("") : parent;
  }

  /** The quarantine of a session's file. */
  static Path quarantine(Path session) {
    String name = session.getFileName().toString();
    String base = name.substring(0, name.length() - Names.SESSION.length());
    return session.resolveSibling(base + Names.QUARANTINE);
  }

  /** The id that the name of a session's file shows. */
  static Optional<String> id(Path session) {
    String name = session.getFileName().toString();
    return Names.decode(name.substring(0, name.length() - Names.SESSION.length()));
  }
}
