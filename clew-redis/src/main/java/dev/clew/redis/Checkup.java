package dev.clew.redis;

import dev.clew.ClewException;
import dev.clew.Entry;
import dev.clew.Finding;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.ToolCallPairing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Checks all sessions and reports what is wrong. Immutable. */
record Checkup(Server server, Keys keys, Owners owners, SessionList list) {
  private static final int SESSIONS = 200;
  private static final int ITEMS = 500;

  void run(Consumer<Finding> findings, long now) {
    owners.each(owner -> checkOwner(owner, findings, now));
  }

  private void checkOwner(String owner, Consumer<Finding> findings, long now) {
    SessionQuery query = SessionQuery.of(owner).order(SessionQuery.Order.CREATED).limit(SESSIONS);
    Optional<String> cursor = Optional.empty();
    do {
      SessionPage page;
      try {
        page = list.page(cursor.map(query::cursor).orElse(query), now);
      } catch (ClewException.CorruptRecord e) {
        findings.accept(backend(Optional.empty(), e));
        return;
      }
      for (SessionInfo info : page.sessions()) {
        try {
          check(info.key()).forEach(findings);
        } catch (ClewException.CorruptRecord e) {
          findings.accept(backend(Optional.of(info.key()), e));
        }
      }
      cursor = page.next();
    } while (cursor.isPresent());
  }

  private static Finding backend(Optional<SessionKey> key, ClewException e) {
    return new Finding(
        Finding.Kind.BACKEND, key, OptionalLong.empty(), String.valueOf(e.getMessage()));
  }

  private List<Finding> check(SessionKey key) {
    List<Finding> findings = new ArrayList<>();
    Keys.OfSession of = keys.of(key);
    for (byte[] position : server.get(of.quarantine, redis -> redis.hkeys(of.quarantine))) {
      findings.add(
          new Finding(
              Finding.Kind.QUARANTINED,
              Optional.of(key),
              quarantined(Wire.text(position)),
              "a damaged record was put aside when it was popped; its text is in the hash "
                  + Wire.text(of.quarantine)));
    }
    ToolCallPairing pairing = new ToolCallPairing();
    List<byte[]> page;
    long from = 0;
    Optional<Entry> first = Optional.empty(); // of the list, at the end
    do {
      long start = from;
      page =
          new ArrayList<>(
              server.get(of.items, redis -> redis.lrange(of.items, -start - ITEMS, -start - 1)));
      Collections.reverse(page); // the newest is the first
      for (byte[] member : page) {
        Optional<Entry> entry = Member.entry(member, false);
        first = entry;
        if (Head.ofMember(member, member.length) != null) {
          continue;
        }
        if (entry.isPresent()) {
          pairing.add(entry.get().position(), entry.get().item());
        } else {
          findings.add(damaged(key, Member.position(member)));
        }
      }
      from += ITEMS;
    } while (page.size() == ITEMS);
    first.ifPresent(entry -> findings.add(headless(key, entry)));
    for (ToolCallPairing.Unpaired unpaired : pairing.unpaired()) {
      findings.add(
          new Finding(
              Finding.Kind.UNPAIRED,
              Optional.of(key),
              OptionalLong.of(unpaired.position()),
              unpaired.describe()));
    }
    return findings;
  }

  /** Its position, if it is known. */
  private static OptionalLong quarantined(String position) {
    return position.startsWith("unknown")
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(position));
  }

  private static Finding headless(SessionKey key, Entry newest) {
    return new Finding(
        Finding.Kind.DAMAGED,
        Optional.of(key),
        OptionalLong.of(newest.position()),
        "what stood before the items was taken away, which hides the newest; the next change of the"
            + " session puts it back");
  }

  private static Finding damaged(SessionKey key, OptionalLong position) {
    return new Finding(
        Finding.Kind.DAMAGED,
        Optional.of(key),
        position,
        "the record does not match its checksum; it is skipped when reading, restore it from a"
            + " backup or remove it");
  }
}
