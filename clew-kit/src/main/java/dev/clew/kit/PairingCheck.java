package dev.clew.kit;

import dev.clew.ClewException.CorruptRecord;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Finding;
import dev.clew.Finding.Kind;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionQuery.Order;
import dev.clew.ToolCallPairing;
import dev.clew.spi.Backend;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports damaged entries and unpaired tool calls of every session. Not thread-safe. A decorator
 * that decodes entries overrides {@link #session} and {@link #item}.
 */
public class PairingCheck {
  private static final int PAGE = 500;
  private static final String DAMAGED =
      "the item cannot be read back; it is skipped when reading, restore it from a backup or"
          + " remove it";

  private final Backend backend;
  private final Consumer<Finding> findings;

  /** Checks the sessions of a backend. */
  protected PairingCheck(Backend backend, Consumer<Finding> findings) {
    this.backend = backend;
    this.findings = findings;
  }

  /** Checks every session of a backend. */
  public static void run(Backend backend, Consumer<Finding> findings) {
    run(backend, findings, key -> {});
  }

  /** Checks every session of a backend, and runs another check of its own for each. */
  public static void run(Backend backend, Consumer<Finding> findings, Consumer<SessionKey> more) {
    PairingCheck check =
        new PairingCheck(backend, findings) {
          @Override
          protected void session(SessionKey key) {
            more.accept(key);
          }
        };
    check.run(backend::owners);
  }

  /** Checks every session of these owners, which are listed page by page. */
  protected final void run(BiFunction<Optional<String>, Integer, List<String>> owners) {
    Optional<String> after = Optional.empty();
    while (true) {
      List<String> page = owners.apply(after, PAGE);
      for (String owner : page) {
        tolerant(Kind.BACKEND, Optional.empty(), () -> owner(owner));
      }
      if (page.size() < PAGE) {
        return;
      }
      after = Optional.of(page.get(PAGE - 1));
    }
  }

  private void owner(String owner) {
    SessionQuery query = SessionQuery.of(owner).order(Order.CREATED).limit(PAGE);
    for (SessionInfo info : query.walk(backend::list)) {
      Optional<SessionKey> key = Optional.of(info.key());
      tolerant(Kind.DAMAGED, key, () -> session(info.key()));
      tolerant(Kind.BACKEND, key, () -> entries(info.key()));
    }
  }

  /** Reports what one session or owner has that cannot be read, and goes on with the next. */
  private void tolerant(Kind kind, Optional<SessionKey> key, Runnable check) {
    try {
      check.run();
    } catch (CorruptRecord e) {
      findings.accept(new Finding(kind, key, OptionalLong.empty(), String.valueOf(e.getMessage())));
    }
  }

  private void entries(SessionKey key) {
    ToolCallPairing pairing = new ToolCallPairing();
    for (Entry entry : Range.first(PAGE).walk(range -> read(key, range))) {
      try {
        pairing.add(entry.position(), item(key, entry));
      } catch (CorruptRecord e) {
        report(Kind.DAMAGED, key, OptionalLong.of(entry.position()), e.getMessage());
      }
    }
    for (ToolCallPairing.Unpaired item : pairing.unpaired()) {
      report(Kind.UNPAIRED, key, OptionalLong.of(item.position()), item.describe());
    }
  }

  private EntryPage read(SessionKey key, Range range) {
    EntryPage page = backend.read(key, range);
    page.damaged().forEach(position -> damaged(key, position));
    return page;
  }

  /** Checks what a session has besides its entries. */
  protected void session(SessionKey key) {}

  /** Reports a position that the backend cannot read back. */
  protected void damaged(SessionKey key, long position) {
    report(Kind.DAMAGED, key, OptionalLong.of(position), DAMAGED);
  }

  /** The item of an entry. */
  protected Item item(SessionKey key, Entry entry) {
    return entry.item();
  }

  private void report(Kind kind, SessionKey key, OptionalLong position, @Nullable String message) {
    findings.accept(new Finding(kind, Optional.of(key), position, String.valueOf(message)));
  }
}
