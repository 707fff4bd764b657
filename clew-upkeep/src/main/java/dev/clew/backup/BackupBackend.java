package dev.clew.backup;

import dev.clew.ClewException;
import dev.clew.Documents.Document;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.backup.Block.Kind;
import dev.clew.backup.DocumentPlaces.DocumentBlock;
import dev.clew.json.Json;
import dev.clew.kit.Pages;
import dev.clew.kit.ReadOnlyBackend;
import dev.clew.kit.TextOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The content of a backup, with the files it builds on. Thread-safe. */
final class BackupBackend extends ReadOnlyBackend {
  private final List<BackupFile> files;
  private final BackupFile newest;
  private @Nullable String cachedOwner;
  private @Nullable OwnerIndex cached;

  private BackupBackend(List<BackupFile> files) {
    super("backup " + files.get(0).path());
    this.files = files;
    this.newest = files.get(0);
  }

  static BackupBackend open(Path path) {
    List<BackupFile> files = new ArrayList<>();
    try {
      files.add(BackupFile.open(path));
      for (BackupHead.Base base : files.get(0).head().bases()) {
        files.add(openBase(path, base));
      }
      return new BackupBackend(List.copyOf(files));
    } catch (RuntimeException e) {
      files.forEach(BackupFile::close);
      throw e;
    }
  }

  private static BackupFile openBase(Path path, BackupHead.Base base) {
    Path name = Path.of(base.file()).getFileName();
    if (name == null || !name.toString().equals(base.file())) {
      throw new ClewException.CorruptRecord(
          String.format(
              "backup %s names the file '%s', which is not one beside it; nothing of "
                  + "it was opened",
              path, base.file()));
    }
    BackupFile file;
    try {
      file = BackupFile.open(path.resolveSibling(name));
    } catch (ClewException.StoreUnavailable e) {
      throw new ClewException.StoreUnavailable(
          "backup " + path + " builds on another that cannot be used: " + e.getMessage(), e, false);
    }
    if (!file.head().id().equals(base.id())) {
      file.close();
      throw new ClewException.StoreUnavailable(
          String.format(
              "backup %s builds on another that is gone: %s is a different one of " + "that name",
              path, file.path()),
          null,
          false);
    }
    return file;
  }

  List<BackupFile> files() {
    return files;
  }

  BackupFile newest() {
    return newest;
  }

  /** The one owner asked for last is kept: copies go through them one by one. */
  synchronized Optional<OwnerIndex> index(String owner) {
    if (cached == null || !owner.equals(cachedOwner)) {
      cached = newest.owner(owner);
      cachedOwner = owner;
    }
    return Optional.ofNullable(cached);
  }

  private BackupFile file(int number) {
    if (number < 0 || number >= files.size()) {
      throw new ClewException.CorruptRecord(
          "backup " + newest.path() + " names file " + number + " of " + files.size());
    }
    return files.get(number);
  }

  /** A session's block: what is known of it and where its entries are among our files. */
  private record Found(SessionInfo info, List<EntryBlock> blocks) {}

  private Optional<Found> find(SessionKey key) {
    return index(key.owner()).flatMap(index -> index.find(key.id())).map(at -> found(key, at));
  }

  private Found found(SessionKey key, Place place) {
    BackupFile file = file(place.in());
    Block block = file.read(place.at(), Kind.SESSION);
    return file.parse(
        block,
        text -> {
          Map<String, String> fields = Json.fields(text);
          List<EntryBlock> blocks = new ArrayList<>();
          for (String element : Json.elements(Lines.raw(fields, "blocks"))) {
            blocks.add(EntryBlock.parse(element).behind(place.in()));
          }
          SessionInfo info = Lines.session(key.owner(), fields);
          if (!info.key().equals(key)) {
            throw new IllegalArgumentException("it is of another session than the index says");
          }
          return new Found(info, blocks);
        });
  }

  @Override
  public Optional<SessionInfo> info(SessionKey key) {
    return find(key).map(Found::info);
  }

  @Override
  public EntryPage read(SessionKey key, Range range) {
    Optional<Found> found = find(key);
    return found.isEmpty()
        ? EntryPage.EMPTY
        : new BackupPage(found.get().blocks(), range, this::entries).read();
  }

  private List<Entry> entries(EntryBlock place) {
    BackupFile file = file(place.in());
    Block block = file.read(place.at(), Kind.ENTRIES);
    List<Entry> entries = new ArrayList<>();
    for (String line : Lines.split(block.text())) {
      entries.add(file.parse(block, text -> Lines.entry(line)));
    }
    return entries;
  }

  /** Where the entries of a session are; nowhere if it is not here. */
  List<EntryBlock> blocks(SessionKey key) {
    return find(key).map(Found::blocks).orElse(List.of());
  }

  /** The entries that are in a block, as lines. */
  String lines(EntryBlock place) {
    return file(place.in()).read(place.at(), Kind.ENTRIES).text();
  }

  @Override
  public SessionPage list(SessionQuery query) {
    if (query.order() != SessionQuery.Order.UPDATED) {
      throw new ClewException.NotSupported("a backup lists sessions by their last update only");
    }
    List<SessionInfo> page = new ArrayList<>();
    Place last = null;
    for (Place place :
        index(query.owner()).map(all -> all.behind(query.cursor())).orElse(List.of())) {
      SessionInfo info = found(new SessionKey(query.owner(), place.id()), place).info();
      if (Pages.matches(query, info)) {
        if (last != null && page.size() == query.limit()) {
          return new SessionPage(page, Optional.of(last.cursor().encode()));
        }
        page.add(info);
        last = place;
      }
    }
    return new SessionPage(page, Optional.empty());
  }

  @Override
  public List<String> owners(Optional<String> after, int limit) {
    NavigableMap<String, List<Long>> all = newest.owners();
    NavigableSet<String> names = all.navigableKeySet();
    return (after.isPresent() ? names.tailSet(after.get(), false) : names)
        .stream().limit(limit).toList();
  }

  @Override
  protected Optional<Document> document(String owner, String name) {
    return documents(owner, name, Optional.empty(), 1).stream()
        .filter(document -> document.name().equals(name))
        .findFirst();
  }

  @Override
  protected List<Document> documents(
      String owner, String prefix, Optional<String> after, int limit) {
    List<Document> found = new ArrayList<>();
    Optional<DocumentPlaces> places = index(owner).map(OwnerIndex::documents);
    if (places.isEmpty()) {
      return found;
    }
    BackupFile file = file(places.get().in());
    for (DocumentBlock place : places.get().blocks()) {
      if (found.size() < limit && isBehind(place.last(), after)) {
        Block block = file.read(place.at(), Kind.RECORDS);
        for (String line : Lines.split(block.text())) {
          Document document = file.parse(block, text -> Lines.document(owner, line));
          if (found.size() < limit
              && document.name().startsWith(prefix)
              && isBehind(document.name(), after)) {
            found.add(document);
          }
        }
      }
    }
    return found;
  }

  private static boolean isBehind(String name, Optional<String> after) {
    return after.isEmpty() || TextOrder.BY_CODE_POINT.compare(name, after.get()) > 0;
  }

  @Override
  public void close() {
    files.forEach(BackupFile::close);
  }
}
