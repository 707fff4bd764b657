package dev.clew.kit.text;

import java.lang.Character.UnicodeScript;
import java.util.EnumSet;
import java.util.Set;

/**
 * Properties of code points for the search: which make words, which are terms by themselves, and
 * how each is spelled in a term. Stateless, safe for use by any thread.
 */
final class CodePoints {

  /**
   * Begins the spelling of a code point that an index's tokenizer might not take for a letter or
   * digit: a medieval letter that every tokenizer takes for lower case and that is never typed.
   */
  static final char ESCAPE = '\uA73F';

  private static final int ZERO_WIDTH_SPACE = 0x200B;

  /** Scripts written without spaces, where one character is one term. */
  private static final Set<UnicodeScript> SOLITARY =
      EnumSet.of(
          UnicodeScript.HAN,
          UnicodeScript.HIRAGANA,
          UnicodeScript.KATAKANA,
          UnicodeScript.HANGUL,
          UnicodeScript.BOPOMOFO,
          UnicodeScript.YI,
          UnicodeScript.THAI,
          UnicodeScript.LAO,
          UnicodeScript.KHMER,
          UnicodeScript.MYANMAR,
          UnicodeScript.TAI_LE,
          UnicodeScript.NEW_TAI_LUE,
          UnicodeScript.TAI_THAM,
          UnicodeScript.TAI_VIET);

  /** Scripts whose marks are accents or points that people leave out when they search. */
  private static final Set<UnicodeScript> ACCENTED =
      EnumSet.of(
          UnicodeScript.LATIN,
          UnicodeScript.GREEK,
          UnicodeScript.CYRILLIC,
          UnicodeScript.ARABIC,
          UnicodeScript.HEBREW);

  /** Scripts that have no marks of their own left after composition; stray ones mean nothing. */
  private static final Set<UnicodeScript> UNMARKED =
      EnumSet.of(
          UnicodeScript.COMMON,
          UnicodeScript.INHERITED,
          UnicodeScript.UNKNOWN,
          UnicodeScript.HAN,
          UnicodeScript.HIRAGANA,
          UnicodeScript.KATAKANA,
          UnicodeScript.HANGUL,
          UnicodeScript.BOPOMOFO,
          UnicodeScript.YI);

  private CodePoints() {}

  /** Whether a code point is of a kind that words are made of. */
  static boolean isWordPart(int cp) {
    return Character.isLetter(cp) || isNumber(cp) || isIdeographPlane(cp);
  }

  static boolean isNumber(int cp) {
    return switch (Character.getType(cp)) {
      case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER -> true;
      default -> false;
    };
  }

  static boolean isMark(int cp) {
    return switch (Character.getType(cp)) {
      case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK ->
          true;
      default -> false;
    };
  }

  /** Whether a code point is a term of its own, whatever its neighbours. */
  static boolean isSolitary(int cp) {
    if (cp < 0x0E00 || Character.getType(cp) == Character.DECIMAL_DIGIT_NUMBER) {
      return false;
    }
    // The first range has letters shared by Hiragana and Katakana, such as the long vowel mark.
    return (cp >= 0x3000 && cp <= 0x30FF)
        || isIdeographPlane(cp)
        || isEmoji(cp)
        || SOLITARY.contains(UnicodeScript.of(cp));
  }

  /** Planes 2 and 3 hold ideographs only, including those that this JDK does not know yet. */
  private static boolean isIdeographPlane(int cp) {
    return cp >= 0x20000 && cp <= 0x3FFFD;
  }

  /** By range, so that an emoji newer than the JDK is found all the same. */
  static boolean isEmoji(int cp) {
    return (cp >= 0x1F000 && cp <= 0x1FAFF)
        || (cp >= 0x2600 && cp <= 0x27BF && Character.getType(cp) == Character.OTHER_SYMBOL)
        || cp == 0x2B50
        || cp == 0x2B55;
  }

  /** Whether a code point belongs to the character before it, whatever that is. */
  static boolean isExtender(int cp) {
    return cp >= 0xAD && (isMark(cp) || isIgnorable(cp));
  }

  /** Whether a code point belongs to a character before it that begins with {@code base}. */
  static boolean isExtender(int cp, int base) {
    if (isJamoTail(cp)) {
      return UnicodeScript.of(base) == UnicodeScript.HANGUL;
    }
    if (cp == 0xFF9E || cp == 0xFF9F) { // half-width voice marks, which are letters to Unicode
      return UnicodeScript.of(base) == UnicodeScript.KATAKANA;
    }
    return isExtender(cp);
  }

  /** Whether a code point changes how its neighbours look but not what they say. */
  static boolean isIgnorable(int cp) {
    return (Character.getType(cp) == Character.FORMAT && cp != ZERO_WIDTH_SPACE)
        || (cp >= 0x1F3FB && cp <= 0x1F3FF) // skin tones
        || (cp >= 0xFE00 && cp <= 0xFE0F) // variation selectors
        || (cp >= 0xE0100 && cp <= 0xE01EF)
        || cp == 0x0640; // the Arabic tatweel, which only makes a word longer
  }

  /** Vowels and finals that form a Hangul syllable with the consonant before them. */
  private static boolean isJamoTail(int cp) {
    return (cp >= 0x1160 && cp <= 0x11FF) || (cp >= 0xD7B0 && cp <= 0xD7FB);
  }

  static boolean hasAccents(int cp) {
    return ACCENTED.contains(UnicodeScript.of(cp));
  }

  /** Whether a mark on this letter makes it another letter, as Indic vowel signs do. */
  static boolean keepsMarks(int cp) {
    UnicodeScript script = UnicodeScript.of(cp);
    return !ACCENTED.contains(script) && !UNMARKED.contains(script);
  }

  /**
   * Whether compatibility forms are to be left alone: the Thai and Lao vowel AM would fall apart
   * into a mark, which belongs to the character before it, and a letter.
   */
  static boolean keepsCompatibilityForm(int cp) {
    UnicodeScript script = UnicodeScript.of(cp);
    return script == UnicodeScript.THAI || script == UnicodeScript.LAO;
  }

  /** Appends the spelling in a term of one letter, number, mark or emoji. */
  static void appendFolded(int cp, StringBuilder out) {
    int digit = Character.digit(cp, 10);
    if (digit >= 0) {
      out.append((char) ('0' + digit));
      return;
    }
    // By way of upper case, so that variants of one letter (the final sigma, the dotless i) meet.
    int folded = Character.toLowerCase(Character.toUpperCase(cp));
    switch (folded) {
      case 'ß' -> out.append("ss");
      case 'æ' -> out.append("ae");
      case 'œ' -> out.append("oe");
      case 'þ' -> out.append("th");
      case 'ø' -> out.append('o');
      case 'đ', 'ð' -> out.append('d');
      case 'ł' -> out.append('l');
      case 'ħ' -> out.append('h');
      case 'ŧ' -> out.append('t');
      default -> {
        if (isKnownLetter(folded)) {
          out.append((char) folded);
        } else {
          appendEscaped(folded, out);
        }
      }
    }
  }

  /**
   * Whether a letter is spelled as itself: every tokenizer knows it, and no mark can follow it
   * which would then follow, in its escaped spelling, a letter that is a term of its own.
   */
  private static boolean isKnownLetter(int cp) {
    return cp <= 0xFFFF
        && Character.isLetter(cp)
        && !(isSolitary(cp) && keepsMarks(cp))
        && !(cp >= 0x1CD0 && cp <= 0x1CFF); // Vedic signs, which SQLite takes for marks
  }

  /** Always five hexadecimal digits, so that no spelling is the beginning of another. */
  private static void appendEscaped(int cp, StringBuilder out) {
    out.append(ESCAPE);
    for (int shift = 16; shift >= 0; shift -= 4) {
      out.append(Character.forDigit((cp >> shift) & 0xF, 16));
    }
  }
}
