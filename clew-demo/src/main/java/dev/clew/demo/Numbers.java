package dev.clew.demo;

/** Numerals in digits and, up to 99, in Chinese characters. Stateless. */
final class Numbers {
  private static final String DIGITS = "零一二三四五六七八九";

  private Numbers() {}

  /** The number, or -1 if it is none. */
  static double parse(String text) {
    if (text.matches("\\d{1,6}(?:\\.\\d{1,2})?")) {
      return Double.parseDouble(text);
    }
    int ten = text.indexOf('十');
    if (ten < 0) {
      // 零五 is 5; 三五 is no number.
      int skip = text.length() == 2 && digit(text.charAt(0)) == 0 ? 1 : 0;
      return text.length() == skip + 1 ? digit(text.charAt(skip)) : -1;
    }
    int tens = ten == 0 ? 1 : ten == 1 ? digit(text.charAt(0)) : -1;
    int ones = ten == text.length() - 1 ? 0 : digit(text.charAt(text.length() - 1));
    return tens < 0 || ones < 0 || text.length() > ten + 2 ? -1 : tens * 10 + ones;
  }

  private static int digit(char c) {
    return switch (c) {
      case '两' -> 2;
      case '〇' -> 0;
      default -> DIGITS.indexOf(c);
    };
  }
}
