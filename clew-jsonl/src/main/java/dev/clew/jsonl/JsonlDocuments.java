package dev.clew.jsonl;

import dev.clew.Documents.Document;
import dev.clew.json.Json;
import dev.clew.json.JsonText;
import dev.clew.kit.state.DocumentTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Keeps the documents of each owner in a file. Not thread-safe: used under the guard of the
 * documents.
 *
 * <pre>
 * {"type":"record","data":{…},"name":"state/1","version":3,"expires":1767225600000,"crc":"…"}
 * {"type":"record","data":{},"text":"{\n \"spread\": \"over lines\"}","name":"r","version":4,"crc":"…"}
 * {"type":"forget","data":{},"name":"state/1","version":3,"crc":"…"}
 * </pre>
 */
final class JsonlDocuments implements DocumentTable.Keeper {
  private final Folders folders;
  private final Disk disk;
  private final Health health;
  private final Consumer<String> onOwner;
  private final Map<String, SideFile> files = new HashMap<>();

  /** Owners whose files may have outdated lines. */
  private final Set<String> untidy = new HashSet<>();

  /** Calls {@code onOwner} with each owner that gets a document. */
  JsonlDocuments(Folders folders, Disk disk, Health health, Consumer<String> onOwner) {
    this.folders = folders;
    this.disk = disk;
    this.health = health;
    this.onOwner = onOwner;
  }

  @Override
  public void load(String owner, DocumentTable into) {
    SideFile file = new SideFile(folders.of(owner).resolve(Folders.RECORDS), disk, health);
    Map<String, Document> documents = new LinkedHashMap<>();
    for (Line line : file.read()) {
      String name = String.valueOf(Json.string(line.fields().get("name")));
      into.skipTo(line.number("version"));
      documents.remove(name);
      if (line.type().equals("record")) {
        documents.put(name, parse(owner, name, line));
      }
    }
    documents.values().forEach(into::restore);
    files.put(owner, file);
    untidy.add(owner);
  }

  private static Document parse(String owner, String name, Line line) {
    Optional<Instant> end =
        line.raw("expires").map(raw -> Instant.ofEpochMilli(Long.parseLong(raw)));
    String text = Json.string(line.fields().get("text"));
    return new Document(
        owner, name, text == null ? line.data() : text, line.number("version"), end);
  }

  private static StringBuilder open(Document document) {
    String json = document.json();
    StringBuilder line = new StringBuilder("{\"type\":\"record\",\"data\":");
    if (json.equals(JsonText.compact(json))) {
      line.append(json);
    } else {
      line.append("{},\"text\":").append(Json.quote(json));
    }
    line.append(",\"name\":").append(Json.quote(document.name()));
    line.append(",\"version\":").append(document.version());
    document.expiresAt().ifPresent(at -> line.append(",\"expires\":").append(at.toEpochMilli()));
    return line;
  }

  private static String forget(String name, long version) {
    return "{\"type\":\"forget\",\"data\":{},\"name\":%s,\"version\":%s"
        .formatted(Json.quote(name), version);
  }

  @Override
  public void put(Document document, DocumentTable table) {
    append(document, open(document), table);
  }

  @Override
  public void remove(Document document, DocumentTable table) {
    append(document, forget(document.name(), document.version()), table);
  }

  private void append(Document document, CharSequence line, DocumentTable table) {
    String owner = document.owner();
    SideFile file = files.get(owner);
    if (file == null) {
      throw new IllegalStateException("the documents of the owner are not loaded");
    }
    folders.lock().readLock().lock();
    try {
      folders.make(owner, health);
      onOwner.accept(owner);
      if (file.isGrown()) {
        rewrite(owner, file, table);
      }
      file.append(line, true);
      untidy.add(owner);
    } finally {
      folders.lock().readLock().unlock();
    }
  }

  private static void rewrite(String owner, SideFile file, DocumentTable table) {
    List<CharSequence> lines = new ArrayList<>();
    lines.add(forget("", table.lastVersion()));
    table.all(owner).forEach(kept -> lines.add(open(kept)));
    file.rewrite(lines);
  }

  /** Removes outdated lines from the files that were loaded. */
  void tidy(DocumentTable table) {
    folders.lock().readLock().lock();
    try {
      for (String owner : untidy) {
        SideFile file = files.get(owner);
        if (file != null && file.size() > 0) {
          rewrite(owner, file, table);
        }
      }
      untidy.clear();
    } finally {
      folders.lock().readLock().unlock();
    }
  }

  /** Removes an owner's file. */
  void erase(String owner) {
    SideFile file = files.get(owner);
    if (file != null) {
      file.delete();
    }
  }
}
