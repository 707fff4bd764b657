package dev.clew.tck;

import dev.clew.Item;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * What concurrent clients of one session did and were told: every append and read with the times of
 * its call and its return. Thread-safe.
 *
 * <p>Clients in other processes write lines instead, and the parent feeds them to {@link #accept}:
 *
 * <pre>
 * invoke CLIENT BATCH SIZE TIME          an append is about to be called
 * ok BATCH TIME                          it returned
 * failed BATCH TIME                      it was refused: nothing was written
 * unknown BATCH TIME                     it may or may not have taken effect
 * read CLIENT FROM TO whole ID ID …      getItems() was called at FROM, returned at TO, and saw that
 * read CLIENT FROM TO tail ID ID …       the same for getItems(limit)
 * </pre>
 *
 * An append that was invoked and never answered, as by a killed process, counts as unknown. Times
 * are numbers of one clock, such as {@link System#nanoTime()}, which the processes of one Linux
 * machine share. {@link HistoryChecker} says whether it all fits together.
 */
public final class History {

  /** How an append ended. */
  public enum Outcome {
    /** It was acknowledged. */
    OK,
    /** It was refused; nothing of it may be there. */
    FAILED,
    /** Nobody knows; all of it or nothing may be there. */
    UNKNOWN
  }

  /** One append of a batch; {@code returned} is the end of time if it never did. */
  record Append(
      String client, String batch, int size, long invoked, long returned, Outcome outcome) {
    Append ended(Outcome how, long when) {
      return new Append(client, batch, size, invoked, when, how);
    }
  }

  /** One read and the ids of the items it saw; a tail may have cut off the beginning. */
  record Read(String client, long invoked, long returned, boolean whole, List<String> ids) {}

  private static final long NEVER = Long.MAX_VALUE;
  private static final String SAMPLE = Item.user("#").json();
  private static final String BEFORE_ID = SAMPLE.substring(0, SAMPLE.indexOf('#'));
  private static final String AFTER_ID = SAMPLE.substring(SAMPLE.indexOf('#') + 1);

  private final Map<String, Append> appends = new LinkedHashMap<>();
  private final List<Read> reads = new ArrayList<>();

  /** The items to append as the batch of this name, which must be unique and without spaces. */
  public static List<Item> batch(String name, int size) {
    List<Item> items = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      items.add(Item.user(id(name, i)));
    }
    return List.copyOf(items);
  }

  /** The ids of items that {@link #batch} made. */
  public static List<String> ids(List<Item> items) {
    return items.stream().map(History::idOf).toList();
  }

  static String id(String batch, int index) {
    return batch + "#" + index;
  }

  /** Cut out of the text, because parsing a hundred thousand reads would take the time. */
  private static String idOf(Item item) {
    String json = item.json();
    return json.startsWith(BEFORE_ID) && json.endsWith(AFTER_ID)
        ? json.substring(BEFORE_ID.length(), json.length() - AFTER_ID.length())
        : json;
  }

  /** An append of a batch is about to be called. */
  public synchronized void invoke(String client, String batch, int size, long time) {
    Append append = new Append(client, batch, size, time, NEVER, Outcome.UNKNOWN);
    if (appends.putIfAbsent(batch, append) != null) {
      throw new IllegalArgumentException("batch " + batch + " was invoked twice");
    }
  }

  /** The append of a batch returned or failed. */
  public synchronized void end(String batch, Outcome outcome, long time) {
    Append append = Objects.requireNonNull(appends.get(batch), "batch " + batch + " is unknown");
    appends.put(batch, append.ended(outcome, outcome == Outcome.UNKNOWN ? NEVER : time));
  }

  /** A read returned; {@code whole} if it was not limited. */
  public synchronized void read(
      String client, long invoked, long returned, boolean whole, List<String> ids) {
    reads.add(new Read(client, invoked, returned, whole, List.copyOf(ids)));
  }

  /**
   * Takes in a line that another process wrote.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public void accept(String line) {
    String[] words = line.trim().split(" ");
    try {
      switch (words[0]) {
        case "invoke" ->
            invoke(words[1], words[2], Integer.parseInt(words[3]), Long.parseLong(words[4]));
        case "ok" -> end(words[1], Outcome.OK, Long.parseLong(words[2]));
        case "failed" -> end(words[1], Outcome.FAILED, Long.parseLong(words[2]));
        case "unknown" -> end(words[1], Outcome.UNKNOWN, Long.parseLong(words[2]));
        case "read" ->
            read(
                words[1],
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                words[4].equals("whole"),
                List.of(words).subList(5, words.length));
        default -> throw new IllegalArgumentException("not a line of a history: " + line);
      }
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new IllegalArgumentException("not a line of a history: " + line, e);
    }
  }

  /** Everything as lines that {@link #accept} takes. */
  public synchronized List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Append append : appends.values()) {
      lines.add(
          "invoke %s %s %d %d"
              .formatted(append.client(), append.batch(), append.size(), append.invoked()));
      if (append.returned() != NEVER) {
        String word = append.outcome() == Outcome.OK ? "ok" : "failed";
        lines.add("%s %s %d".formatted(word, append.batch(), append.returned()));
      }
    }
    for (Read read : reads) {
      lines.add(
          "read %s %d %d %s %s"
              .formatted(
                  read.client(),
                  read.invoked(),
                  read.returned(),
                  read.whole() ? "whole" : "tail",
                  String.join(" ", read.ids()))
              .trim());
    }
    return lines;
  }

  synchronized Map<String, Append> appends() {
    return new LinkedHashMap<>(appends);
  }

  synchronized List<Read> reads() {
    return List.copyOf(reads);
  }

  @Override
  public synchronized String toString() {
    Map<Outcome, Long> count =
        appends.values().stream()
            .collect(Collectors.groupingBy(Append::outcome, Collectors.counting()));
    return "appends " + count + ", reads " + reads.size();
  }
}
