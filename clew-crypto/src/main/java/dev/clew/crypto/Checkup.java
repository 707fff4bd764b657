package dev.clew.crypto;

import dev.clew.ClewException.CorruptRecord;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Finding;
import dev.clew.Range;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.ToolCallPairing;
import dev.clew.spi.Backend;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Opens everything in an encrypted store and tells what cannot be. Not thread-safe. */
final class Checkup {
  private static final int PAGE = 100;

  private final EncryptedBackend store;
  private final Backend sealed;
  private final Consumer<Finding> findings;

  /** Checks a backend over another, which reports what it cannot read back itself. */
  Checkup(EncryptedBackend store, Backend sealed, Consumer<Finding> findings) {
    this.store = store;
    this.sealed = sealed;
    this.findings = findings;
  }

  void run() {
    Optional<String> after = Optional.empty();
    while (true) {
      List<String> owners = store.owners(after, PAGE);
      owners.forEach(this::owner);
      if (owners.size() < PAGE) {
        return;
      }
      after = Optional.of(owners.get(owners.size() - 1));
    }
  }

  private void owner(String owner) {
    SessionQuery query = SessionQuery.of(owner).order(SessionQuery.Order.CREATED).limit(PAGE);
    while (true) {
      SessionPage page = sealed.list(query);
      page.sessions().forEach(info -> session(info.key()));
      if (page.next().isEmpty()) {
        return;
      }
      query = query.cursor(page.next().get());
    }
  }

  private void session(SessionKey key) {
    try {
      store.info(key);
    } catch (CorruptRecord e) {
      report(Finding.Kind.DAMAGED, key, OptionalLong.empty(), e.getMessage());
    }
    ToolCallPairing pairing = new ToolCallPairing();
    Range range = Range.first(PAGE);
    while (true) {
      EntryPage page = sealed.read(key, range);
      List<Entry> entries = page.entries();
      for (Entry entry : entries) {
        try {
          pairing.add(entry.position(), store.open(key, entry).item());
        } catch (CorruptRecord e) {
          report(Finding.Kind.DAMAGED, key, OptionalLong.of(entry.position()), e.getMessage());
        }
      }
      if (!page.hasMore() || entries.isEmpty()) {
        break;
      }
      range = Range.after(entries.get(entries.size() - 1).position(), PAGE);
    }
    for (ToolCallPairing.Unpaired each : pairing.unpaired()) {
      report(Finding.Kind.UNPAIRED, key, OptionalLong.of(each.position()), each.describe());
    }
  }

  private void report(
      Finding.Kind kind,
      SessionKey key,
      OptionalLong position,
      @org.jspecify.annotations.Nullable String message) {
    findings.accept(new Finding(kind, Optional.of(key), position, String.valueOf(message)));
  }
}
