package dev.clew.bench;

import dev.clew.Item;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.bench.Figure.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Searches many items of English-like and Chinese-like text for words common and rare, beginnings
 * of words, phrases and what is not there. Stateless.
 *
 * <p>Words are as unevenly frequent as in real text: the second half as often as the first, the
 * third a third as often.
 */
final class SearchRow implements Row {
  private static final int WORDS = 20_000;
  private static final int CHARACTERS = 3_000;

  @Override
  public void measure(Lab lab) throws Exception {
    int items = lab.size(200_000, 4_000);
    Corpus corpus = new Corpus();
    try (ClewStore clew = new ClewStore(lab.file("search.db"))) {
      fill(clew.store, "", corpus, items);
      long start = System.nanoTime();
      SearchResult result;
      do {
        result = clew.store.search(SearchQuery.of("", corpus.word(100)));
      } while (result.partial());
      double indexed = items / ((System.nanoTime() - start) / 1e9);
      List<String> queries = corpus.queries(lab.size(50, 10));
      double[] millis = new double[queries.size()];
      int found = 0;
      for (int pass = 0; pass < 2; pass++) { // the first warms up
        found = 0;
        for (int i = 0; i < millis.length; i++) {
          start = System.nanoTime();
          result = clew.store.search(SearchQuery.of("", queries.get(i)));
          millis[i] = (System.nanoTime() - start) / 1e6;
          found += result.hits().isEmpty() ? 0 : 1;
        }
      }
      Samples times = Samples.of(millis);
      lab.report(
          "search over 200,000 items, p95 of " + millis.length + " queries",
          Samples.of(times.percentile(95)),
          " ms",
          Target.atMost(50),
          "median "
              + Samples.number(times.median())
              + " ms, worst "
              + Samples.number(times.max())
              + "; "
              + found
              + " with hits; indexed "
              + Samples.number(indexed)
              + " items/s");
    }
  }

  static void fill(SessionStore store, String owner, Corpus corpus, int items) {
    int batch = 500;
    for (int i = 0; i < items; i += batch) {
      List<Item> added = new ArrayList<>(batch);
      for (int k = 0; k < batch; k++) {
        String text = k % 4 == 3 ? corpus.chinese(60) : corpus.english(30);
        added.add(k % 2 == 0 ? Item.user(text) : Item.assistant(text));
      }
      store.session(new SessionKey(owner, "s" + i / batch % 200)).addItems(added);
    }
  }

  /** Text made of a fixed set of words, by a fixed seed. Not thread-safe. */
  static final class Corpus {
    private final Random random = new Random(7);
    private final String[] words = new String[WORDS];

    Corpus() {
      for (int i = 0; i < WORDS; i++) {
        StringBuilder word = new StringBuilder();
        for (int k = 3 + random.nextInt(7); k > 0; k--) {
          word.append((char) ('a' + random.nextInt(26)));
        }
        words[i] = word.toString();
      }
    }

    String word(int rank) {
      return words[rank];
    }

    /** A rank that is drawn the more often the smaller it is. */
    private int rank(int count) {
      return (int) Math.pow(count, random.nextDouble()) - 1;
    }

    private char character(int rank) {
      return (char) (0x4E00 + rank);
    }

    String english(int length) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < length; i++) {
        text.append(i == 0 ? "" : " ").append(words[rank(WORDS)]);
      }
      return text.toString();
    }

    String chinese(int length) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < length; i++) {
        text.append(i % 15 == 14 ? '，' : character(rank(CHARACTERS)));
      }
      return text.toString();
    }

    List<String> queries(int each) {
      List<String> queries = new ArrayList<>();
      for (int i = 0; i < each; i++) {
        queries.add(words[rank(WORDS)]);
        queries.add(words[rank(WORDS)] + " " + words[rank(WORDS)]);
        queries.add("\"" + words[rank(100)] + " " + words[rank(100)] + "\"");
        queries.add(words[random.nextInt(WORDS)].substring(0, 3));
        queries.add(String.valueOf(character(rank(CHARACTERS))));
        queries.add("" + character(rank(CHARACTERS)) + character(rank(CHARACTERS)));
        queries.add(words[rank(WORDS)] + " " + character(rank(CHARACTERS)));
        queries.add("nowhere" + i);
      }
      return queries;
    }
  }
}
