package dev.clew.jsonl;

import dev.clew.ClewException.StoreUnavailable;
import dev.clew.Finding;
import dev.clew.Finding.Kind;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.ToolCallPairing;
import dev.clew.kit.Reasons;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Checks the files on disk and reports problems. Used by one thread. */
record Checkup(
    Folders folders,
    Disk disk,
    Health health,
    SessionFiles files,
    Packing packing,
    Consumer<Finding> findings) {
  /** The files of the store itself. */
  void store() {
    sideFile(folders.own(Folders.FLOOR));
    sideFile(folders.own(Folders.LEASES));
  }

  void owner(String owner) {
    sideFile(folders.of(owner).resolve(Folders.RECORDS));
    try {
      for (Path path : folders.sessions(owner)) {
        session(path, owner);
      }
    } catch (IOException e) {
      backend("cannot list " + folders.of(owner) + ": " + Reasons.of(e));
    }
  }

  private void sideFile(Path path) {
    SideFile file = new SideFile(path, disk, health);
    file.read();
    if (file.damaged() > 0) {
      backend(path + " has " + file.damaged() + " damaged lines, which are left out");
    }
  }

  private void session(Path path, String owner) {
    try {
      Optional<SessionKey> key = Peek.at(path, owner, disk).map(SessionInfo::key);
      if (key.filter(found -> !folders.isPlaceOf(found, path)).isPresent()) {
        if (!packing.isLeftCopy(key.get(), path)) {
          backend(path + " is not read: its session " + key.get() + " is in another file");
        }
        return;
      }
      key.flatMap(found -> files.inspect(found, this::look))
          .ifPresent(content -> report(key.get(), content));
    } catch (IOException | StoreUnavailable e) {
      backend("cannot read " + path + ": " + e.getMessage());
    }
  }

  private record Content(
      List<Damage> damage, List<ToolCallPairing.Unpaired> unpaired, List<Line> quarantine) {}

  private Content look(SessionFile file) {
    ToolCallPairing pairing = new ToolCallPairing();
    file.state().history().all().forEach((position, entry) -> pairing.add(position, entry.item()));
    SideFile aside = new SideFile(Folders.quarantine(file.path()), disk, health);
    return new Content(file.damage(), pairing.unpaired(), aside.read());
  }

  private void report(SessionKey key, Content content) {
    for (Damage one : content.damage()) {
      report(
          Kind.DAMAGED,
          key,
          one.position(),
          "a line of the session's file is damaged; it is skipped when reading");
    }
    for (Line line : content.quarantine()) {
      OptionalLong position =
          line.raw("position").isPresent()
              ? OptionalLong.of(line.number("position"))
              : OptionalLong.empty();
      report(
          Kind.QUARANTINED,
          key,
          position,
          "a damaged line was taken out of the session's file; it is in the .quarantine file"
              + " next to it");
    }
    for (ToolCallPairing.Unpaired item : content.unpaired()) {
      report(Kind.UNPAIRED, key, OptionalLong.of(item.position()), item.describe());
    }
  }

  private void report(Kind kind, SessionKey key, OptionalLong position, String message) {
    findings.accept(new Finding(kind, Optional.of(key), position, message));
  }

  private void backend(String message) {
    findings.accept(new Finding(Kind.BACKEND, Optional.empty(), OptionalLong.empty(), message));
  }
}
