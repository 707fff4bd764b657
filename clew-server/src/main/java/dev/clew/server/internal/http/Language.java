package dev.clew.server.internal.http;

import java.util.List;
import java.util.Locale;

/** The languages that people are answered in. */
public enum Language {
  EN,
  ZH,
  DE,
  ES;

  /** The first one that a browser prefers; English if it prefers none of them. */
  public static Language of(Call call) {
    try {
      for (Locale.LanguageRange range :
          Locale.LanguageRange.parse(call.header("Accept-Language").orElse("en"))) {
        for (Language each : List.of(values())) {
          if (range.getRange().split("-", 2)[0].equals(each.code())) {
            return each;
          }
        }
      }
    } catch (IllegalArgumentException e) {
      // No list of languages.
    }
    return EN;
  }

  /** As in {@code lang} attributes. */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
