package dev.clew.sqlite;

import java.util.List;
import java.util.Random;

/** Texts in which words of many scripts meet, and queries that often match them. Stateless. */
final class RandomText {
  private static final String[] WORDS = {
    "quick",
    "Brown",
    "fox",
    "getItems",
    "MAX_VALUE",
    "a1b2",
    "C++",
    "café",
    "Straße",
    "isn't",
    "天气",
    "今天",
    "很好",
    "東京",
    "タワー",
    "ｶﾞﾗｽ",
    "안녕",
    "세계",
    "ㅋㅋ",
    "हिन्दी",
    "ไทย",
    "Ёлка",
    "İstanbul",
    "🚀",
    "x²",
    "foo.bar",
    "2024-05",
    "مُحَمَّد",
    "ﬁle",
    "葛\uDB40\uDD00",
    "\uD800",
    "e\u0301"
  };
  private static final String[] BETWEEN = {" ", " ", " ", "", ", ", "-", "\n", "。", "_", "\u0000"};

  private RandomText() {}

  static String text(Random random, int maxWords) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(maxWords); i >= 0; i--) {
      text.append(WORDS[random.nextInt(WORDS.length)])
          .append(BETWEEN[random.nextInt(BETWEEN.length)]);
    }
    return text.toString();
  }

  /** Now and then random words, mostly a piece of one of the texts, quoted or not. */
  static String query(Random random, List<String> texts) {
    if (random.nextInt(4) == 0) {
      return text(random, 3);
    }
    String text = texts.get(random.nextInt(texts.size()));
    int from = random.nextInt(text.length());
    int to = Math.min(text.length(), from + 1 + random.nextInt(12));
    String piece = text.substring(from, to);
    return switch (random.nextInt(3)) {
      case 0 -> "\"" + piece + "\"";
      case 1 -> piece + " " + WORDS[random.nextInt(WORDS.length)];
      default -> piece;
    };
  }
}
