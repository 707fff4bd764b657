package dev.clew.demo;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long things are, in English. Stateless. */
final class EnglishAmounts {
  private static final List<String> NUMBERS =
      List.of(
          "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
          "eleven", "twelve");

  /** What a number in words looks like. */
  static final String WORD_NUMBER = String.join("|", NUMBERS.subList(1, 13));

  /** What an amount of time looks like, without groups. */
  static final String AMOUNT =
      "(?:half an hour|an hour and a half|(?:\\d{1,4}(?:\\.\\d{1,2})?|an?|"
          + WORD_NUMBER
          + ")(?: and a half)?[ -]?(?:minutes?|mins?|hours?|hrs?|days?|weeks?)"
          + "(?: and (?:a half|\\d{1,4} ?min(?:ute)?s?))?)\\b";

  private static final Pattern AMOUNT_PARTS =
      Pattern.compile(
          "(\\d{1,4}(?:\\.\\d{1,2})?|[a-z]+)( and a half)?[ -]?(min|hour|hr|day|week)[a-z]*(?: and (.*))?");

  private EnglishAmounts() {}

  /** How long "90 minutes", "an hour and a half" or "2 days" is. */
  static Optional<Duration> amount(String words) {
    String said = words.toLowerCase(Locale.ROOT);
    if (said.equals("half an hour")) {
      return Optional.of(Duration.ofMinutes(30));
    }
    Matcher parts = AMOUNT_PARTS.matcher(said);
    if (!parts.matches()) {
      return Optional.empty();
    }
    double number = number(parts.group(1));
    String and = parts.group(4) == null ? "" : parts.group(4);
    if (parts.group(2) != null || and.equals("a half")) {
      number += 0.5;
    }
    double unit =
        switch (parts.group(3)) {
          case "min" -> 1;
          case "hour", "hr" -> 60;
          case "day" -> 1440;
          default -> 7 * 1440;
        };
    long minutes = Math.round(number * unit);
    if (!and.isEmpty() && Character.isDigit(and.charAt(0))) {
      minutes += Long.parseLong(and.replaceAll("\\D", ""));
    }
    boolean sensible = minutes > 0 && minutes <= 366L * 1440;
    return sensible ? Optional.of(Duration.ofMinutes(minutes)) : Optional.empty();
  }

  /** A number in digits or in words; "a" and "an" are one. */
  static double number(String word) {
    if (Character.isDigit(word.charAt(0))) {
      return Double.parseDouble(word);
    }
    int known = NUMBERS.indexOf(word);
    return known < 0 ? 1 : known;
  }
}
