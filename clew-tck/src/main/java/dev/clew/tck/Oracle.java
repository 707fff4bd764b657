package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Commit.RemoveItem;
import dev.clew.Commit.ReplaceItem;
import dev.clew.Commit.ReplacePrefix;
import dev.clew.Commit.ReplaceSuffix;
import dev.clew.Commit.Step;
import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.tck.Model.Conversation;
import dev.clew.tck.Model.Fate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Does random things to a store and to {@link Model}, and compares the two after each. The same
 * seed does the same things. Not thread-safe.
 */
final class Oracle {
  private static final int STEPS = 10;

  private final StoreFixture fixture;
  private final long seed;
  private final Random random;
  private final Model model = new Model();
  private final OracleChecks checks;
  private final List<SessionKey> keys;
  private final List<String> log = new ArrayList<>();
  private final List<Commit> sent = new ArrayList<>();

  Oracle(StoreFixture fixture, long seed) {
    this.fixture = fixture;
    this.seed = seed;
    // Neighbouring seeds give similar first numbers, so they are spread.
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.checks = new OracleChecks(fixture, model);
    // Owners of its own, so that many seeds can share one store; similar names, to tempt it.
    String owner = "seed" + seed;
    this.keys =
        List.of(
            new SessionKey(owner, "a"),
            new SessionKey(owner, "A"),
            new SessionKey(owner + "%", "a"),
            new SessionKey(owner, "a:b"));
  }

  void run() {
    try {
      for (int i = 0; i < STEPS; i++) {
        fixture.clock().advance(Duration.ofSeconds(1));
        SessionKey key = pick(keys);
        step(key);
        checks.session(key);
      }
      keys.forEach(checks::session);
      keys.stream().map(SessionKey::owner).distinct().forEach(checks::lists);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed %d failed; repeat it with -Dclew.tck.seed=%d%n%s%n%s"
              .formatted(seed, seed, String.join("\n", log), e.getMessage()),
          e);
    }
  }

  private void step(SessionKey key) {
    int choice = random.nextInt(100);
    if (choice < 34) {
      apply(key, append(key));
    } else if (choice < 44) {
      pop(key);
    } else if (choice < 52) {
      apply(key, replacePrefix(key));
    } else if (choice < 59) {
      apply(key, replaceSuffix(key));
    } else if (choice < 71) {
      apply(key, replaceOrRemove(key));
    } else if (choice < 77) {
      repeat(key);
    } else if (choice < 84) {
      update(key);
    } else if (choice < 90) {
      fork(key, pick(keys));
    } else if (choice < 95) {
      clear(key);
    } else if (choice < 99 || random.nextInt(10) > 0) {
      checks.pages(key, 1 + random.nextInt(3));
    } else {
      restart(); // seldom: opening a store may take as long as a hundred other steps
    }
  }

  private Commit append(SessionKey key) {
    List<Draft> drafts = drafts(1 + random.nextInt(4));
    Commit append = Commit.appendDrafts(drafts);
    return switch (random.nextInt(7)) {
      case 0 -> append.operationId("op" + random.nextInt(3));
      case 1 -> append.expectVersion(model.version(key) + (random.nextInt(3) == 0 ? 1 : 0));
      case 2 -> append.expectTail(position(key));
      case 3 -> append.operationId("op" + random.nextInt(3)).expectVersion(model.version(key));
      case 4 -> append.expectExisting();
      default -> append;
    };
  }

  private Commit replacePrefix(SessionKey key) {
    List<Item> items = drafts(random.nextInt(3)).stream().map(Draft::item).toList();
    Optional<Conversation> session = model.find(key).filter(one -> !one.live.isEmpty());
    if (session.isEmpty()) {
      return Commit.replacePrefix(position(key), Items.of("for an empty session"));
    }
    long upTo = livePosition(session.get());
    return random.nextInt(4) == 0
        ? Commit.dropPrefix(upTo, items)
        : Commit.replacePrefix(upTo, items);
  }

  private Commit replaceSuffix(SessionKey key) {
    List<Item> items = model.find(key).map(Conversation::items).orElse(List.of());
    List<Item> expected = Items.of("something else");
    if (!items.isEmpty() && random.nextInt(4) > 0) {
      expected = items.subList(random.nextInt(items.size()), items.size());
    }
    List<Item> replacement = drafts(random.nextInt(3)).stream().map(Draft::item).toList();
    return Commit.replaceSuffix(expected, replacement);
  }

  private Commit replaceOrRemove(SessionKey key) {
    long position = position(key);
    return random.nextBoolean()
        ? Commit.removeItem(position)
        : Commit.replaceItem(position, drafts(1).get(0));
  }

  /** Sends something again that was sent before, perhaps to another session. */
  private void repeat(SessionKey key) {
    if (!sent.isEmpty()) {
      apply(key, pick(sent));
    }
  }

  private void apply(SessionKey key, Commit transaction) {
    if (isLeftOpen(key, transaction)) {
      return;
    }
    log.add(key + ": " + describe(transaction));
    sent.add(transaction);
    Fate expected = model.apply(key, transaction, fixture.clock().instant());
    if (expected == Fate.REFUSED) {
      assertThat(catchThrowable(() -> fixture.store().session(key).commit(transaction)))
          .isInstanceOf(ClewException.VersionConflict.class);
    } else {
      Receipt receipt = fixture.store().session(key).commit(transaction);
      assertThat(receipt.repeated()).isEqualTo(expected == Fate.REPEATED);
      if (expected == Fate.DONE) {
        checks.changed(key, receipt.version());
      }
    }
  }

  /**
   * What the contract does not decide: a prefix that ends between items, or nothing for nothing.
   */
  private boolean isLeftOpen(SessionKey key, Commit transaction) {
    return transaction.step() instanceof ReplacePrefix prefix
        && model.find(key).map(session -> session.indexOf(prefix.upTo())).orElse(-1) < 0
        && (prefix.drafts().isEmpty() || model.find(key).stream().anyMatch(s -> !s.live.isEmpty()));
  }

  private void pop(SessionKey key) {
    log.add(key + ": pop");
    Optional<Item> expected = model.pop(key, fixture.clock().instant());
    assertThat(session(key).popItem()).isEqualTo(expected);
    if (expected.isPresent()) {
      checks.changed(key, session(key).info().orElseThrow().version());
    }
  }

  private void clear(SessionKey key) {
    log.add(key + ": clear");
    boolean existed = model.find(key).isPresent();
    model.clear(key);
    assertThat(fixture.store().session(key).delete()).isEqualTo(existed);
  }

  private void fork(SessionKey source, SessionKey target) {
    Optional<Conversation> from = model.find(source).filter(one -> !one.live.isEmpty());
    int count = from.map(one -> 1 + random.nextInt(one.live.size())).orElse(0);
    long upTo = from.map(one -> one.live.get(count - 1).position).orElse(1L);
    log.add(source + ": fork up to " + upTo + " into " + target);
    if (from.isEmpty() && model.find(source).isPresent()) {
      return; // what a fork of an empty history does is left open
    }
    if (from.isEmpty() || model.find(target).isPresent()) {
      assertThat(catchThrowable(() -> fixture.store().session(source).forkTo(target, upTo)))
          .isInstanceOf(ClewException.VersionConflict.class);
      return;
    }
    SessionInfo info = fixture.store().session(source).forkTo(target, upTo);
    assertThat(info.parent()).contains(new SessionInfo.Parent(source, upTo));
    model.fork(source, count, target, info);
    checks.changed(target, info.version());
    checks.session(target);
  }

  private void update(SessionKey key) {
    SessionUpdate update = SessionUpdate.none().title("title " + random.nextInt(5));
    if (random.nextBoolean()) {
      update = update.tags(Set.of("tag" + random.nextInt(2), "all"));
    }
    if (random.nextBoolean()) {
      update = update.archived(random.nextBoolean()).pinned(random.nextBoolean());
    }
    if (random.nextInt(3) == 0) {
      update = update.metadata(Map.of("n", random.nextInt(9), "list", List.of("x")));
    }
    log.add(key + ": update " + update);
    model.update(key, update, fixture.clock().instant());
    session(key).update(update);
  }

  private void restart() {
    log.add("restart");
    if (!fixture.restart()) {
      model.sessions.clear();
      model.versions.clear();
      model.positions.clear();
    }
  }

  private StoredSession session(SessionKey key) {
    return fixture.store().session(key);
  }

  private List<Draft> drafts(int count) {
    List<Draft> drafts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Item item = Item.user("text " + random.nextInt(20));
      Map<String, Object> notes = random.nextInt(5) == 0 ? Map.of("by", "me") : Map.of();
      drafts.add(new Draft(item, notes));
    }
    return drafts;
  }

  /** A position to try: mostly that of a live item, else one that is gone or never was. */
  private long position(SessionKey key) {
    Optional<Conversation> session = model.find(key).filter(one -> !one.live.isEmpty());
    if (session.isPresent() && random.nextInt(4) > 0) {
      return livePosition(session.get());
    }
    List<Long> known = model.positionsOf(key).stream().sorted().toList();
    return known.isEmpty() ? 1 : pick(known);
  }

  private long livePosition(Conversation session) {
    Long position = pick(session.live).position;
    return position == null ? 0 : position;
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private static String describe(Commit transaction) {
    Step step = transaction.step();
    StringBuilder text = new StringBuilder(step.getClass().getSimpleName());
    if (step instanceof ReplacePrefix prefix) {
      text.append(prefix.drop() ? " dropping" : "").append(" up to ").append(prefix.upTo());
    } else if (step instanceof ReplaceSuffix suffix) {
      text.append(' ').append(Items.texts(suffix.expected()));
    } else if (step instanceof ReplaceItem item) {
      text.append(" at ").append(item.position());
    } else if (step instanceof RemoveItem item) {
      text.append(" at ").append(item.position());
    }
    text.append(" by ").append(Items.texts(transaction.items()));
    transaction.operationId().ifPresent(id -> text.append(" as ").append(id));
    transaction.expectedVersion().ifPresent(v -> text.append(" expecting version ").append(v));
    transaction.expectedTail().ifPresent(at -> text.append(" expecting tail ").append(at));
    text.append(transaction.expectsExisting() ? " expecting the session" : "");
    return text.toString();
  }
}
