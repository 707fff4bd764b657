package dev.clew.kit;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Finding;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionQuery.Order;
import dev.clew.ToolCallPairing;
import dev.clew.spi.Backend;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Reports damaged entries and unpaired tool calls of every session. Stateless. */
public final class PairingCheck {
  private static final int PAGE = 500;
  private static final String DAMAGED =
      "the record cannot be read back; it is skipped when reading, restore it from a backup or"
          + " remove it";

  private PairingCheck() {}

  /** Reads everything. */
  public static void run(Backend backend, Consumer<Finding> findings) {
    run(backend, findings, key -> {});
  }

  /**
   * Reads everything.
   *
   * @param more what else to check in each session
   */
  public static void run(Backend backend, Consumer<Finding> findings, Consumer<SessionKey> more) {
    Optional<String> after = Optional.empty();
    while (true) {
      List<String> owners = backend.owners(after, PAGE);
      for (String owner : owners) {
        tolerant(findings, Optional.empty(), () -> check(backend, owner, findings, more));
      }
      if (owners.size() < PAGE) {
        return;
      }
      after = Optional.of(owners.get(PAGE - 1));
    }
  }

  private static void check(
      Backend backend, String owner, Consumer<Finding> findings, Consumer<SessionKey> more) {
    SessionQuery query = SessionQuery.of(owner).order(Order.CREATED).limit(PAGE);
    while (true) {
      SessionPage page = backend.list(query);
      for (SessionInfo info : page.sessions()) {
        SessionKey key = info.key();
        tolerant(findings, Optional.of(key), () -> more.accept(key));
        tolerant(findings, Optional.of(key), () -> check(backend, key, findings));
      }
      if (page.next().isEmpty()) {
        return;
      }
      query = query.cursor(page.next().get());
    }
  }

  private static void tolerant(
      Consumer<Finding> findings, Optional<SessionKey> key, Runnable check) {
    try {
      check.run();
    } catch (ClewException.CorruptRecord e) {
      String message = String.valueOf(e.getMessage());
      findings.accept(new Finding(Finding.Kind.BACKEND, key, OptionalLong.empty(), message));
    }
  }

  private static void check(Backend backend, SessionKey key, Consumer<Finding> findings) {
    ToolCallPairing pairing = new ToolCallPairing();
    Range range = Range.first(PAGE);
    while (true) {
      EntryPage page = backend.read(key, range);
      page.damaged()
          .forEach(
              position -> findings.accept(finding(Finding.Kind.DAMAGED, key, position, DAMAGED)));
      List<Entry> entries = page.entries();
      entries.forEach(entry -> pairing.add(entry.position(), entry.item()));
      if (!page.hasMore() || entries.isEmpty()) {
        break;
      }
      range = Range.after(entries.get(entries.size() - 1).position(), PAGE);
    }
    for (ToolCallPairing.Unpaired item : pairing.unpaired()) {
      findings.accept(finding(Finding.Kind.UNPAIRED, key, item.position(), item.describe()));
    }
  }

  private static Finding finding(Finding.Kind kind, SessionKey key, long position, String message) {
    return new Finding(kind, Optional.of(key), OptionalLong.of(position), message);
  }
}
