package dev.clew.erasure;

import dev.clew.ClewException;
import dev.clew.Documents.Document;
import dev.clew.Entry;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.copy.EntryReader;
import dev.clew.copy.OwnerWalk;
import dev.clew.copy.SessionWalk;
import dev.clew.erasure.ErasureListener.Phase;
import dev.clew.json.Json;
import dev.clew.spi.Inspection;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Looks for what an erasure left: by asking the store, in its tables or keys, and in its files. Not
 * thread-safe: made for one search.
 *
 * <p>Two people may have said the same. A piece that is found in a file is a leftover only if
 * nobody else's session or document has it.
 */
final class Leftovers {
  private final SessionStore store;
  private final SessionStore plain;
  private final Traces traces;
  private final ErasureListener listener;
  private final List<String> found = new ArrayList<>();
  private long places;
  private long files;
  private long bytes;
  private long size;

  Leftovers(SessionStore store, SessionStore plain, Traces traces, ErasureListener listener) {
    this.store = store;
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
      if (plain.session(key).info().isPresent()) {
        found.add("the store has session " + key);
      }
      return;
    }
    for (SessionInfo info : plain.list(SessionQuery.of(owner)).sessions()) {
      found.add("the store has session " + info.key());
    }
    for (Document document : plain.documents().list(owner, "", Optional.empty(), 50)) {
      found.add("the store has the document '" + document.name() + "' of owner '" + owner + "'");
    }
    for (String name : OwnerWalk.of(plain)) {
      if (name.equals(owner)) {
        found.add("the store lists owner '" + owner + "'");
      }
    }
  }

  /** Whether a document is left that belongs to it, or one of the owner's that has words of it. */
  void askRecords(NamedDocuments named, String owner, Optional<String> id) {
    named.of(owner, id).forEach(place -> found.add("the store has " + place));
    named.unreadable().forEach(why -> found.add("whether this belongs to it is not known: " + why));
    if (id.isEmpty()) {
      return; // all of the owner's were asked for
    }
    Traces words = traces.words(); // the form of a document is that of all others of its kind
    Map<String, Set<Long>> hits = new TreeMap<>();
    Set<Long> doubtful = new HashSet<>();
    named.eachOf(
        owner,
        document -> {
          Set<Long> pieces = new HashSet<>();
          lookAt(document.json(), words, pieces);
          if (!pieces.isEmpty()) {
            hits.put(document.name(), pieces);
            doubtful.addAll(pieces);
          }
        });
    if (!doubtful.isEmpty()) {
      doubtful.removeAll(saidInSessions(store, new Traces(doubtful)));
    }
    tell(hits, doubtful, name -> "the document '" + name + "' of owner '" + owner + "'");
  }

  private <T> void tell(Map<T, Set<Long>> hits, Set<Long> pieces, Function<T, String> where) {
    hits.forEach(
        (place, hashes) -> {
          long left = hashes.stream().filter(pieces::contains).count();
          if (left > 0) {
            found.add(where.apply(place) + " has " + left + " pieces of what was erased");
          }
        });
  }

  /** Whether its database still has something, which the store itself does not see. */
  void inspectStore(String owner, Optional<String> id) {
    plain
        .feature(Inspection.class)
        .ifPresent(
            store -> {
              Inspection.Report report = store.inspect(owner, id);
              places = report.places();
              found.addAll(report.leftovers());
            });
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
    }
    tell(hits, doubtful, Path::toString);
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
    Set<Long> said = saidInSessions(plain, doubtful);
    for (String owner : OwnerWalk.of(plain)) {
      for (Document document : plain.documents().walk(owner, "")) {
        lookAt(document.json(), doubtful, said);
      }
    }
    return said;
  }

  private static Set<Long> saidInSessions(SessionStore sessions, Traces doubtful) {
    Set<Long> said = new HashSet<>();
    for (String owner : OwnerWalk.of(sessions)) {
      new SessionWalk(sessions, owner, Optional.empty())
          .forEach(info -> lookInto(sessions, info, doubtful, said));
    }
    return said;
  }

  private static void lookInto(
      SessionStore sessions, SessionInfo info, Traces doubtful, Set<Long> said) {
    lookFor(info.title(), doubtful, said);
    lookAt(Json.write(info.metadata()), doubtful, said);
    try {
      EntryReader reader = EntryReader.of(sessions, info);
      while (reader.hasMore()) {
        for (Entry entry : reader.next()) {
          lookAt(entry.item().json(), doubtful, said);
        }
      }
    } catch (ClewException.CorruptRecord e) {
      // What cannot be read is nobody's excuse.
    }
  }

  /** Looks at a document as it is, and at the texts in it as they are without escapes. */
  private static void lookAt(String json, Traces pieces, Set<Long> said) {
    lookFor(json, pieces, said);
    Words.all(json, text -> lookFor(text, pieces, said));
  }

  private static void lookFor(String text, Traces pieces, Set<Long> said) {
    Traces.Search search = pieces.new Search();
    byte[] utf8 = Words.utf8(text);
    search.look(utf8, utf8.length);
    said.addAll(search.found());
  }
}
