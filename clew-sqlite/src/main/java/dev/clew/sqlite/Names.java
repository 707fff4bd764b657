package dev.clew.sqlite;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The names of the tables, and the SQL with them filled in. Immutable.
 *
 * <p>SQL is written with {@code {sessions}} and {@code {messages}} for the two tables that are
 * shared with other programs and {@code {our}} as the prefix of the tables that are Clew's own.
 * {@code {ttl}} is the store's default time to live in milliseconds, or NULL. {@code {entry}} and
 * {@code {archived}} are the columns of an entry, {@code {bytes}} is its size; {@code {expires}} is
 * when a session expires, {@code {live}} whether it has not expired at the bound time.
 */
record Names(String sessions, String messages, String our, String ttl) {
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");
  private static final String DEFAULT_SESSIONS = "agent_sessions";
  private static final String DEFAULT_MESSAGES = "agent_messages";
  static final Names DEFAULT = of(DEFAULT_SESSIONS, DEFAULT_MESSAGES);

  static Names of(String sessions, String messages) {
    check("sessions table", sessions);
    check("messages table", messages);
    if (sessions.equalsIgnoreCase(messages)) {
      throw new IllegalArgumentException(
          "sessions table and messages table are both named '" + sessions + "'; they must differ");
    }
    boolean usual = sessions.equals(DEFAULT_SESSIONS) && messages.equals(DEFAULT_MESSAGES);
    return new Names(sessions, messages, usual ? "clew_" : "clew_" + messages + "_", "NULL");
  }

  private static void check(String what, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (!IDENTIFIER.matcher(name).matches()
        || lower.startsWith("sqlite_")
        || lower.startsWith("clew_")) {
      throw new IllegalArgumentException(
          String.format(
              "%s '%s' is not a usable name: use up to 63 letters, digits and underscores, "
                  + "starting with a letter, and neither sqlite_ nor clew_ in front",
              what, name));
    }
  }

  Names timeToLive(long millis) {
    return new Names(sessions, messages, our, Long.toString(millis));
  }

  String sql(String template) {
    return template
        .replace("{entry}", Rows.ENTRY_COLUMNS)
        .replace("{archived}", Rows.ARCHIVE_COLUMNS)
        .replace("{bytes}", Rows.BYTES)
        .replace("{live}", SessionRow.LIVE)
        .replace("{expires}", SessionRow.EXPIRES)
        .replace("{sessions}", sessions)
        .replace("{messages}", messages)
        .replace("{our}", our)
        .replace("{ttl}", ttl);
  }
}
