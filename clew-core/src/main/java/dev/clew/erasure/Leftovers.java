package dev.clew.erasure;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.Records.StoredRecord;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.erasure.ErasureListener.Phase;
import dev.clew.internal.Inspectable;
import dev.clew.internal.copy.EntryReader;
import dev.clew.internal.copy.OwnerWalk;
import dev.clew.internal.copy.RecordWalk;
import dev.clew.internal.copy.SessionWalk;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Looks for what an erasure left: by asking the store, in its tables or keys, and in its files. Not
 * thread-safe: made for one search.
 *
 * <p>Two people may have said the same. A piece that is found in a file is a leftover only if
 * nobody else's session or record has it.
 */
final class Leftovers {
  private final SessionStore plain;
  private final Traces traces;
  private final ErasureListener listener;
  private final List<String> found = new ArrayList<>();
  private long places;
  private long files;
  private long bytes;
  private long size;

  Leftovers(SessionStore plain, Traces traces, ErasureListener listener) {
    this.plain = plain;
    this.traces = traces;
    this.listener = listener;
  }

  List<String> found() {
    return found;
  }

  long places() {
    return places;
  }

  long files() {
    return files;
  }

  long bytes() {
    return bytes;
  }

  /** Whether the store itself still knows of it. */
  void askStore(String owner, Optional<String> id) {
    if (id.isPresent()) {
      SessionKey key = new SessionKey(owner, id.get());
      if (plain.info(key).isPresent()) {
        found.add("the store has session " + key);
      }
      return;
    }
    for (SessionInfo info : plain.list(SessionQuery.of(owner)).sessions()) {
      found.add("the store has session " + info.key());
    }
    for (StoredRecord record : plain.records().list(owner, "", Optional.empty(), 50)) {
      found.add("the store has the record '" + record.name() + "' of owner '" + owner + "'");
    }
    OwnerWalk.forEach(
        plain,
        name -> {
          if (name.equals(owner)) {
            found.add("the store lists owner '" + owner + "'");
          }
        });
  }

  /** Whether its database still has something, which the store itself does not see. */
  void inspectStore(String owner, Optional<String> id) {
    if (plain instanceof Inspectable store) {
      Inspectable.Inspection inspection = store.inspect(owner, id);
      places = inspection.places();
      found.addAll(inspection.leftovers());
    }
  }

  /** Whether a piece is left in any of the files. */
  void searchFiles(List<Path> all) {
    size = all.stream().mapToLong(file -> file.toFile().length()).sum();
    Map<Path, Set<Long>> hits = new TreeMap<>();
    Set<Long> doubtful = new HashSet<>();
    for (Path file : all) {
      Set<Long> hashes = search(file);
      if (!hashes.isEmpty()) {
        hits.put(file, hashes);
        doubtful.addAll(hashes);
      }
    }
    if (!doubtful.isEmpty()) {
      doubtful.removeAll(saidByOthers(new Traces(doubtful)));
      hits.forEach(
          (file, hashes) -> {
            long left = hashes.stream().filter(doubtful::contains).count();
            if (left > 0) {
              found.add(file + " has " + left + " pieces of what was erased");
            }
          });
    }
  }

  private Set<Long> search(Path file) {
    PieceSearch search = new PieceSearch(traces);
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = open(file)) {
      files++;
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        search.look(buffer, n);
        bytes += n;
        listener.progressed(Phase.SEARCHING, bytes, Math.max(bytes, size));
      }
    } catch (NoSuchFileException e) {
      return Set.of(); // a log that was emptied meanwhile
    } catch (ZipException | EOFException e) {
      found.add(file + " is damaged and cannot be looked through to its end (" + e + ")");
    } catch (IOException e) {
      throw new ClewException.StoreUnavailable(
          "everything is erased, but " + file + " cannot be looked through (" + e + ")", e, false);
    }
    return search.found();
  }

  private static InputStream open(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    return file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
  }

  private Set<Long> saidByOthers(Traces doubtful) {
    Set<Long> said = new HashSet<>();
    OwnerWalk.forEach(
        plain,
        owner -> {
          new SessionWalk(plain, owner, Optional.empty())
              .forEach(info -> lookInto(info, doubtful, said));
          RecordWalk.forEach(
              plain.records(), owner, record -> lookAt(record.json(), doubtful, said));
        });
    return said;
  }

  private void lookInto(SessionInfo info, Traces doubtful, Set<Long> said) {
    EntryReader reader = EntryReader.of(plain, info);
    while (reader.hasMore()) {
      for (Entry entry : reader.next()) {
        lookAt(entry.item().json(), doubtful, said);
      }
    }
  }

  private static void lookAt(String text, Traces doubtful, Set<Long> said) {
    Traces.Search search = doubtful.new Search();
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    search.look(utf8, utf8.length);
    said.addAll(search.found());
  }
}
