package dev.clew.tck;

import dev.clew.tck.History.Append;
import dev.clew.tck.History.Outcome;
import dev.clew.tck.History.Read;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Says whether what concurrent clients saw can be explained by a session that only grows, one whole
 * batch at a time. Used by one thread; takes a time that grows with the history like sorting it.
 *
 * <p>It checks that
 *
 * <ul>
 *   <li>every acknowledged batch is in the final log exactly once, whole and in its order; a
 *       refused one is not there; one of unknown outcome is there whole or not at all;
 *   <li>a batch that was acknowledged before another was invoked stands before it;
 *   <li>every read saw the beginning of the final log, up to the end of a batch, with everything
 *       that had been acknowledged before it and nothing that was invoked after it;
 *   <li>no read saw less than one that had returned before it was called, by the same or by another
 *       client.
 * </ul>
 */
public final class HistoryChecker {
  private static final int MOST_FINDINGS = 20;

  private final History history;
  private final List<String> log;
  private final Set<String> findings = new LinkedHashSet<>();

  /** Where each batch of the final log ends: the number of items up to and including it. */
  private final Map<String, Integer> endOfBatch = new LinkedHashMap<>();

  private HistoryChecker(History history, List<String> log) {
    this.history = history;
    this.log = log;
  }

  /**
   * Compares a history with the ids of all items that are in the session at the end.
   *
   * @return what does not fit, one sentence each, at most twenty; empty if everything fits
   */
  public static List<String> check(History history, List<String> finalLog) {
    HistoryChecker checker = new HistoryChecker(history, List.copyOf(finalLog));
    checker.checkBatches();
    if (checker.findings.isEmpty()) {
      checker.checkOrder();
      checker.checkReads();
    }
    return List.copyOf(checker.findings);
  }

  private void found(String what) {
    if (findings.size() < MOST_FINDINGS) {
      findings.add(what);
    }
  }

  private void checkBatches() {
    Map<String, Append> appends = history.appends();
    for (int at = 0; at < log.size(); ) {
      String id = log.get(at);
      String name = id.substring(0, Math.max(0, id.lastIndexOf('#')));
      Append append = appends.get(name);
      if (append == null) {
        found("item %s at index %d was appended by nobody".formatted(id, at));
        return;
      }
      for (int i = 0; i < append.size(); i++, at++) {
        String there = at < log.size() ? log.get(at) : "the end";
        if (!there.equals(History.id(name, i))) {
          found(
              "batch %s is torn: %s instead of its item %d at index %d"
                  .formatted(name, there, i, at));
          return;
        }
      }
      if (endOfBatch.put(name, at) != null) {
        found("batch %s is there twice, again up to index %d".formatted(name, at));
      }
      if (append.outcome() == Outcome.FAILED) {
        found("batch %s was refused and is there, up to index %d".formatted(name, at));
      }
    }
    for (Append append : appends.values()) {
      if (append.outcome() == Outcome.OK
          && append.size() > 0
          && !endOfBatch.containsKey(append.batch())) {
        found("batch %s of client %s is lost".formatted(append.batch(), append.client()));
      }
    }
  }

  /** Going back from the end, no batch may have been invoked after a later one was acknowledged. */
  private void checkOrder() {
    Map<String, Append> appends = history.appends();
    List<String> batches = new ArrayList<>(endOfBatch.keySet());
    Collections.reverse(batches);
    long earliestReturn = Long.MAX_VALUE;
    String earliest = "";
    for (String name : batches) {
      Append append = appends.get(name);
      if (append == null) {
        continue;
      }
      if (append.invoked() > earliestReturn) {
        found(
            "batch %s stands before %s, which was acknowledged before it"
                .formatted(name, earliest));
      }
      if (append.returned() < earliestReturn) {
        earliestReturn = append.returned();
        earliest = name;
      }
    }
  }

  private void checkReads() {
    Map<String, Integer> indexOfId = new HashMap<>();
    for (int i = 0; i < log.size(); i++) {
      indexOfId.put(log.get(i), i);
    }
    Set<Integer> batchEnds = new LinkedHashSet<>(endOfBatch.values());
    List<Seen> seen = new ArrayList<>();
    for (Read read : history.reads()) {
      int end = endOf(read, indexOfId);
      if (end >= 0) {
        if (end > 0 && !batchEnds.contains(end)) {
          found(
              "a read of client %s saw a part of a batch: %d items".formatted(read.client(), end));
        }
        seen.add(new Seen(read, end));
      }
    }
    checkNothingFromTheFuture(seen);
    checkNothingForgotten(seen);
  }

  /** A read and how many items of the log it covered, from the beginning. */
  private record Seen(Read read, int end) {}

  /** How many items of the log the read covered; -1 if it is no piece of the log. */
  private int endOf(Read read, Map<String, Integer> indexOfId) {
    List<String> ids = read.ids();
    if (ids.isEmpty()) {
      return 0;
    }
    int start = read.whole() ? 0 : indexOfId.getOrDefault(ids.get(0), log.size());
    int end = start + ids.size();
    if (end > log.size() || !log.subList(start, end).equals(ids)) {
      found(
          "a read of client %s saw %d items up to %s that are not in the log like that"
              .formatted(read.client(), ids.size(), ids.get(ids.size() - 1)));
      return -1;
    }
    return end;
  }

  /** What a read saw must have been invoked before it returned. */
  private void checkNothingFromTheFuture(List<Seen> seen) {
    List<Seen> byEnd = new ArrayList<>(seen);
    byEnd.sort(Comparator.comparingInt(Seen::end));
    List<Map.Entry<String, Integer>> batches = new ArrayList<>(endOfBatch.entrySet());
    Map<String, Append> appends = history.appends();
    int next = 0;
    long latestInvoked = Long.MIN_VALUE;
    String latest = "";
    for (Seen one : byEnd) {
      for (; next < batches.size() && batches.get(next).getValue() <= one.end(); next++) {
        Append append = appends.get(batches.get(next).getKey());
        if (append != null && append.invoked() > latestInvoked) {
          latestInvoked = append.invoked();
          latest = append.batch();
        }
      }
      if (latestInvoked > one.read().returned()) {
        found(
            "a read of client %s saw batch %s before it was invoked"
                .formatted(one.read().client(), latest));
      }
    }
  }

  /** What was acknowledged or read before a read was called, it must see as well. */
  private void checkNothingForgotten(List<Seen> seen) {
    List<Known> known = new ArrayList<>();
    for (Append append : history.appends().values()) {
      Integer end = endOfBatch.get(append.batch());
      if (append.outcome() == Outcome.OK && end != null) {
        known.add(new Known(append.returned(), end, "batch " + append.batch()));
      }
    }
    for (Seen one : seen) {
      String who = "what client " + one.read().client() + " had read";
      known.add(new Known(one.read().returned(), one.end(), who));
    }
    known.sort(Comparator.comparingLong(Known::since));
    List<Seen> byCall = new ArrayList<>(seen);
    byCall.sort(Comparator.comparingLong(one -> one.read().invoked()));
    int next = 0;
    Known most = new Known(Long.MIN_VALUE, 0, "nothing");
    for (Seen one : byCall) {
      for (; next < known.size() && known.get(next).since() < one.read().invoked(); next++) {
        if (known.get(next).end() > most.end()) {
          most = known.get(next);
        }
      }
      if (one.end() < most.end()) {
        found(
            "a read of client %s saw %d items and not %s, which ends at %d"
                .formatted(one.read().client(), one.end(), most.what(), most.end()));
      }
    }
  }

  /** From this time on, every read must see at least so many items. */
  private record Known(long since, int end, String what) {}
}
