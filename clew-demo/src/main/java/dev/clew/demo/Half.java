package dev.clew.demo;

/** A part of the day, which tells what an hour means. */
enum Half {
  /** After midnight: 凌晨. */
  EARLY,
  /** Before noon, also "am". */
  MORNING,
  /** Around noon. */
  NOON,
  /** After noon, also "pm". */
  AFTERNOON,
  /** From dusk on; an hour after midnight belongs to the night of the day before. */
  EVENING;

  /** The hour of the day from 0 on; 24 and more are on the next day. */
  int hour(int said) {
    if (said == 0 || said > 12) {
      return said;
    }
    return switch (this) {
      case EARLY -> said % 12;
      case MORNING -> said;
      case NOON -> said < 11 ? said + 12 : said;
      case AFTERNOON -> said == 12 ? 12 : said + 12;
      case EVENING -> said == 12 ? 24 : said < 4 ? said + 24 : said + 12;
    };
  }
}
