package dev.clew.redis;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Commit.Append;
import dev.clew.Commit.RemoveItem;
import dev.clew.Commit.ReplaceItem;
import dev.clew.Commit.ReplacePrefix;
import dev.clew.Commit.ReplaceSuffix;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SessionKey;
import dev.clew.kit.Conflicts;
import dev.clew.redis.HistoryReader.Found;
import dev.clew.redis.HistoryReader.Tail;
import dev.clew.redis.SessionScripts.Answer;
import dev.clew.redis.SessionScripts.Conditions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Changes histories, each time by one script. Thread-safe. */
record HistoryWriter(Keys keys, SessionScripts scripts, HistoryReader reader) {
  private static final byte[] ANY = {};
  private static final byte[] OTHER = {'!'};

  Receipt apply(SessionKey key, Commit transaction, long now) {
    Keys.OfSession of = keys.of(key);
    Conditions conditions = scripts.conditions(of, transaction);
    if (!transaction.isSealed()) {
      Member.Batch batch = Member.Batch.of(transaction, 0);
      if (transaction.step() instanceof Append
          && batch.times().isEmpty()
          && (conditions == Conditions.FREE || conditions == Conditions.EXISTING)
          && !batch.payloads().isEmpty()) {
        Optional<Receipt> receipt = scripts.quick(of, now, batch);
        if (receipt.isPresent()) {
          return receipt.get();
        }
      }
      return receipt(of, transaction, run(of, transaction, batch, ANY, conditions, now));
    }
    // The script alone knows where they will stand; if that is elsewhere it says so.
    long place = scripts.newest(of) + 1;
    while (true) {
      Member.Batch batch = Member.Batch.of(transaction, place);
      byte[] madeFor = SessionScripts.number(place);
      Answer answer = run(of, transaction, batch, madeFor, conditions, now);
      if (!answer.status().equals("PLACE")) {
        return receipt(of, transaction, answer);
      }
      place = Long.parseLong(answer.text(0));
    }
  }

  private Answer run(
      Keys.OfSession of,
      Commit transaction,
      Member.Batch batch,
      byte[] madeFor,
      Conditions conditions,
      long now) {
    byte[] bytes = SessionScripts.number(batch.bytes());
    byte[] keyed = SessionScripts.flag(batch.keyed());
    if (transaction.step() instanceof Append) {
      return scripts.run(
          Script.APPEND,
          of,
          now,
          conditions,
          SessionScripts.step(batch.payloads(), bytes, keyed, madeFor, Keys.bytes(batch.times())));
    }
    if (transaction.step() instanceof ReplaceSuffix suffix) {
      return replaceSuffix(of, suffix, batch, madeFor, conditions, now);
    }
    if (transaction.step() instanceof ReplacePrefix prefix) {
      return scripts.run(
          Script.PREFIX,
          of,
          now,
          conditions,
          SessionScripts.step(
              batch.payloads(),
              SessionScripts.number(prefix.upTo()),
              SessionScripts.flag(prefix.drop()),
              bytes,
              keyed,
              madeFor,
              Keys.bytes(batch.times())));
    }
    if (transaction.step() instanceof ReplaceItem item) {
      return scripts.run(
          Script.EDIT,
          of,
          now,
          conditions,
          SessionScripts.step(batch.payloads(), SessionScripts.number(item.position()), bytes));
    }
    if (transaction.step() instanceof RemoveItem item) {
      return scripts.run(
          Script.TAIL,
          of,
          now,
          conditions,
          SessionScripts.step(
              List.of(),
              ANY,
              bytes,
              keyed,
              ANY,
              ANY,
              SessionScripts.number(1),
              Keys.bytes("@" + item.position())));
    }
    throw new IllegalStateException("unknown step " + transaction.step().getClass());
  }

  private Answer replaceSuffix(
      Keys.OfSession of,
      ReplaceSuffix suffix,
      Member.Batch batch,
      byte[] madeFor,
      Conditions conditions,
      long now) {
    int count = suffix.expected().size();
    while (true) {
      Tail tail = reader.tail(of, count);
      List<byte[]> places = new ArrayList<>(count);
      List<Item> found = new ArrayList<>(count);
      for (int i = 0; i < tail.newestFirst().size() && found.size() < count; i++) {
        Optional<Entry> entry = tail.newestFirst().get(i).entry();
        if (entry.isPresent()) {
          found.add(entry.get().item());
          places.add(Keys.bytes("#" + (i + 1)));
        }
      }
      Collections.reverse(found);
      Collections.reverse(places);
      boolean fits = found.equals(suffix.expected());
      List<byte[]> step =
          SessionScripts.step(
              List.of(),
              fits ? SessionScripts.number(tail.version()) : OTHER,
              SessionScripts.number(batch.bytes()),
              SessionScripts.flag(batch.keyed()),
              batch.payloads().isEmpty() ? ANY : madeFor,
              Keys.bytes(batch.times()),
              SessionScripts.number(places.size()));
      step.addAll(places);
      step.addAll(batch.payloads());
      Answer answer = scripts.run(Script.TAIL, of, now, conditions, step);
      if (!answer.status().equals("AGAIN")) {
        return answer;
      }
    }
  }

  private Receipt receipt(Keys.OfSession of, Commit transaction, Answer answer) {
    SessionKey key = of.key;
    return switch (answer.status()) {
      case "OK" -> {
        Receipt receipt = receipt(answer, false);
        if (receipt.version() > 0) {
          scripts.note(of, receipt.version());
        }
        yield receipt;
      }
      // An operation id of our own makes a repetition by the driver, of which nobody knows.
      case "REPEATED" -> receipt(answer, transaction.operationId().isPresent());
      case "OTHER" -> throw Conflicts.otherContent(key, transaction.operationId().orElse(""));
      case "FENCE" ->
          throw Conflicts.fence(
              key, transaction.fence().orElseThrow(), Long.parseLong(answer.text(0)));
      case "NONE" -> throw Conflicts.absent(key);
      case "VERSION" ->
          throw Conflicts.version(
              key, transaction.expectedVersion().orElse(0), Long.parseLong(answer.text(0)));
      case "TAIL" ->
          throw Conflicts.tail(
              key,
              transaction.expectedTail().orElse(0),
              answer.text(0).isEmpty()
                  ? OptionalLong.empty()
                  : OptionalLong.of(Long.parseLong(answer.text(0))));
      default -> throw absent(key, transaction);
    };
  }

  private static Receipt receipt(Answer answer, boolean repeated) {
    return new Receipt(
        Long.parseLong(answer.text(0)),
        position(answer.text(1)),
        position(answer.text(2)),
        repeated,
        answer.rest().size() > 3 && answer.text(3).equals("1"));
  }

  private static OptionalLong position(String text) {
    return text.equals("-") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }

  /** What was to be changed is not there. */
  private static ClewException absent(SessionKey key, Commit transaction) {
    if (transaction.step() instanceof ReplaceSuffix suffix) {
      return Conflicts.suffix(key, suffix.expected().size());
    }
    if (transaction.step() instanceof ReplacePrefix prefix) {
      return Conflicts.noPrefix(key, prefix.upTo());
    }
    return Conflicts.noItem(
        key,
        transaction.step() instanceof ReplaceItem item
            ? item.position()
            : ((RemoveItem) transaction.step()).position());
  }

  /** Removes the newest readable entry; damaged ones behind it go to quarantine. */
  Optional<Entry> removeLast(SessionKey key, long now) {
    Keys.OfSession of = keys.of(key);
    Conditions conditions = scripts.once();
    while (true) {
      Tail tail = reader.tail(of, 1);
      List<byte[]> places = new ArrayList<>();
      Optional<Entry> last = Optional.empty();
      for (Found each : tail.newestFirst()) {
        last = each.entry();
        places.add(Keys.bytes((last.isPresent() ? "#" : "?") + (places.size() + 1)));
        if (last.isPresent()) {
          break;
        }
      }
      if (places.isEmpty()) {
        return Optional.empty();
      }
      List<byte[]> step =
          SessionScripts.step(
              places,
              SessionScripts.number(tail.version()),
              SessionScripts.number(0),
              SessionScripts.flag(false),
              ANY,
              ANY,
              SessionScripts.number(places.size()));
      Answer answer = scripts.run(Script.TAIL, of, now, conditions, step);
      if (answer.status().equals("AGAIN")) {
        continue;
      }
      if (answer.status().equals("OK")) {
        scripts.note(of, Long.parseLong(answer.text(0)));
      }
      return answer.status().equals("ABSENT") ? Optional.empty() : last;
    }
  }

  /** Removes a session; whether there was one. */
  boolean delete(SessionKey key, long now) {
    return remove(key, "delete", now).status().equals("OK");
  }

  /** Removes a session, and what lists have of one that is not there. */
  void erase(SessionKey key, long now) {
    if (remove(key, "delete", now).rest().isEmpty()) {
      remove(key, "tidy", now);
    }
  }

  private Answer remove(SessionKey key, String how, long now) {
    Keys.OfSession of = keys.of(key);
    Answer answer =
        scripts.run(Script.DELETE, of, now, Conditions.FREE, List.of(Keys.bytes(how), new byte[0]));
    if (!answer.rest().isEmpty()) {
      scripts.note(of, Long.parseLong(answer.text(0)));
    }
    return answer;
  }
}
