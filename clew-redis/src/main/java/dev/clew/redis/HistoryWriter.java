package dev.clew.redis;

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
import dev.clew.redis.SessionScripts.Conditions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Changes histories, each time with one script. Thread-safe. */
record HistoryWriter(Keys keys, SessionScripts scripts, HistoryReader reader) {
  private static final String ANY = "";
  private static final String OTHER = "!";

  Receipt apply(SessionKey key, Commit commit, long now) {
    Keys.OfSession of = keys.of(key);
    Conditions conditions = scripts.conditions(of, commit);
    if (!commit.isSealed()) {
      Member.Batch batch = Member.Batch.of(commit, 0);
      if (commit.step() instanceof Append
          && batch.times().isEmpty()
          && conditions.areQuick()
          && !batch.payloads().isEmpty()) {
        Optional<Receipt> receipt = scripts.quick(of, now, batch);
        if (receipt.isPresent()) {
          return receipt.get();
        }
      }
      return receipt(of, commit, run(of, commit, batch, ANY, conditions, now));
    }
    // Only the script knows the positions; if they differ from what was sealed for, it says so.
    long place = scripts.newest(of) + 1;
    while (true) {
      Member.Batch batch = Member.Batch.of(commit, place);
      Answer answer = run(of, commit, batch, place, conditions, now);
      if (!answer.status().equals("PLACE")) {
        return receipt(of, commit, answer);
      }
      place = answer.number(1);
    }
  }

  /**
   * @param sealedFor the first position that the items may get, or {@link #ANY}
   */
  private Answer run(
      Keys.OfSession of,
      Commit commit,
      Member.Batch batch,
      Object sealedFor,
      Conditions conditions,
      long now) {
    List<byte[]> items = batch.payloads();
    Object[] added = {batch.bytes(), batch.keyed(), sealedFor, batch.times(), items};
    if (commit.step() instanceof Append) {
      return scripts.run(Script.APPEND, of, now, conditions, added);
    }
    if (commit.step() instanceof ReplaceSuffix suffix) {
      return replaceSuffix(of, suffix, batch, sealedFor, conditions, now);
    }
    if (commit.step() instanceof ReplacePrefix prefix) {
      return scripts.run(
          Script.PREFIX, of, now, conditions, prefix.upTo(), prefix.drop(), List.of(added));
    }
    if (commit.step() instanceof ReplaceItem item) {
      return scripts.run(Script.EDIT, of, now, conditions, item.position(), batch.bytes(), items);
    }
    String removed = "@" + ((RemoveItem) commit.step()).position();
    return scripts.run(Script.TAIL, of, now, conditions, ANY, 0, false, ANY, ANY, 1, removed);
  }

  private Answer replaceSuffix(
      Keys.OfSession of,
      ReplaceSuffix suffix,
      Member.Batch batch,
      Object sealedFor,
      Conditions conditions,
      long now) {
    int count = suffix.expected().size();
    while (true) {
      Tail tail = reader.tail(of, count);
      List<String> places = new ArrayList<>(count);
      List<Item> found = new ArrayList<>(count);
      for (int i = 0; i < tail.newestFirst().size() && found.size() < count; i++) {
        Optional<Entry> entry = tail.newestFirst().get(i).entry();
        if (entry.isPresent()) {
          found.add(entry.get().item());
          places.add("#" + (i + 1));
        }
      }
      Collections.reverse(found);
      Collections.reverse(places);
      boolean fits = found.equals(suffix.expected());
      Answer answer =
          scripts.run(
              Script.TAIL,
              of,
              now,
              conditions,
              fits ? tail.version() : OTHER,
              batch.bytes(),
              batch.keyed(),
              batch.payloads().isEmpty() ? ANY : sealedFor,
              batch.times(),
              places.size(),
              places,
              batch.payloads());
      if (!answer.status().equals("AGAIN")) {
        return answer;
      }
    }
  }

  private Receipt receipt(Keys.OfSession of, Commit commit, Answer answer) {
    SessionKey key = of.key;
    return switch (answer.status()) {
      case "OK" -> {
        Receipt receipt = receipt(answer, false);
        if (receipt.version() > 0) {
          scripts.note(of, receipt.version());
        }
        yield receipt;
      }
      // Under an operation id of our own the driver has repeated it, which is no repetition.
      case "REPEATED" -> receipt(answer, commit.operationId().isPresent());
      case "OTHER" -> throw Conflicts.otherContent(key, commit.operationId().orElse(""));
      case "FENCE" -> throw Conflicts.fence(key, commit.fence().orElseThrow(), answer.number(1));
      case "NONE" -> throw Conflicts.absent(key);
      case "VERSION" ->
          throw Conflicts.version(key, commit.expectedVersion().orElse(0), answer.number(1));
      case "TAIL" ->
          throw Conflicts.tail(key, commit.expectedTail().orElse(0), position(answer.text(1)));
      default -> throw Conflicts.missing(key, commit.step());
    };
  }

  private static Receipt receipt(Answer answer, boolean repeated) {
    boolean existed = answer.values().size() > 4 && answer.text(4).equals("1");
    return new Receipt(
        answer.number(1), position(answer.text(2)), position(answer.text(3)), repeated, existed);
  }

  private static OptionalLong position(String text) {
    return text.isEmpty() || text.equals("-")
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(text));
  }

  /** Removes the newest readable entry; damaged ones after it go to quarantine. */
  Optional<Entry> removeLast(SessionKey key, long now) {
    Keys.OfSession of = keys.of(key);
    Conditions conditions = scripts.once();
    while (true) {
      Tail tail = reader.tail(of, 1);
      List<String> places = new ArrayList<>();
      Optional<Entry> last = Optional.empty();
      for (Found each : tail.newestFirst()) {
        last = each.entry();
        places.add((last.isPresent() ? "#" : "?") + (places.size() + 1));
        if (last.isPresent()) {
          break;
        }
      }
      if (places.isEmpty()) {
        return Optional.empty();
      }
      Object[] step = {tail.version(), 0, false, ANY, ANY, places.size(), places};
      Answer answer = scripts.run(Script.TAIL, of, now, conditions, step);
      if (answer.status().equals("AGAIN")) {
        continue;
      }
      if (answer.status().equals("OK")) {
        scripts.note(of, answer.number(1));
      }
      return answer.status().equals("ABSENT") ? Optional.empty() : last;
    }
  }

  /** Removes a session; returns whether there was one. */
  boolean delete(SessionKey key, long now) {
    return remove(key, "delete", now).status().equals("OK");
  }

  /** Removes a session; if there is none, its stray entries in lists. */
  void erase(SessionKey key, long now) {
    if (remove(key, "delete", now).values().size() == 1) {
      remove(key, "tidy", now);
    }
  }

  private Answer remove(SessionKey key, String how, long now) {
    Keys.OfSession of = keys.of(key);
    Answer answer = scripts.run(Script.DELETE, of, now, Conditions.FREE, how, "");
    if (answer.values().size() > 1) {
      scripts.note(of, answer.number(1));
    }
    return answer;
  }
}
