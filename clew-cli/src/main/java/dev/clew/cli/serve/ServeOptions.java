package dev.clew.cli.serve;

import dev.clew.cli.terminal.Failure;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of {@code clew serve} beyond where and what it serves; each has a variable of the
 * environment, named in its description. Used by one thread.
 */
final class ServeOptions {
  @Option(
      names = "--history",
      paramLabel = "N",
      description =
          "How many recent messages the model sees in /api/chat, with the tool calls "
              + "between them. $CLEW_HISTORY, else 10.")
  @Nullable String history;

  @Option(
      names = "--max-messages",
      paramLabel = "N",
      description =
          "How many items a session of /api/chat may hold; 0 for no limit. "
              + "$CLEW_MAX_MESSAGES, else 10000.")
  @Nullable String maxMessages;

  @Option(
      names = "--at-limit",
      paramLabel = "WHAT",
      description =
          "What to do at that limit: refuse new messages, drop-oldest (delete the "
              + "oldest turns) or compact. $CLEW_AT_LIMIT, else refuse.")
  @Nullable String atLimit;

  @Option(
      names = "--expire-after",
      paramLabel = "TIME",
      description =
          "Delete a conversation this long after its last message, unless it has its "
              + "own time to live: 90d. $CLEW_EXPIRE_AFTER, else never.")
  @Nullable String expireAfter;

  @Option(
      names = "--titles",
      paramLabel = "HOW",
      description =
          "The title of a new conversation: message (the start of the first message) "
              + "or model (the model writes one). $CLEW_TITLES, else model unless the model "
              + "is offline.")
  @Nullable String titles;

  @Option(
      names = "--requests-per-minute",
      paramLabel = "N",
      description =
          "Requests per token and minute; 0 for no limit. $CLEW_REQUESTS_PER_MINUTE, "
              + "else 6000.")
  @Nullable String requestsPerMinute;

  @Option(
      names = "--open-calls",
      paramLabel = "N",
      description =
          "Concurrent calls per token, including streams; 0 for no limit. "
              + "$CLEW_OPEN_CALLS, else 1000.")
  @Nullable String openCalls;

  @Option(
      names = "--failed-sign-ins",
      paramLabel = "N",
      description =
          "Failed sign-ins per address and minute; 0 for no limit. "
              + "$CLEW_FAILED_SIGN_INS, else 600.")
  @Nullable String failedSignIns;

  @Option(
      names = "--log-format",
      paramLabel = "HOW",
      description =
          "The format of the request log on standard error: text, json or none. It "
              + "never contains messages. $CLEW_LOG_FORMAT, else text.")
  @Nullable String logFormat;

  @Option(
      names = "--audit-days",
      paramLabel = "N",
      description = "How many days the audit log is kept. $CLEW_AUDIT_DAYS, else 90.")
  @Nullable String auditDays;

  @Option(names = "--open-metrics", description = "Serve /metrics to everyone, without a token.")
  boolean openMetrics;

  @Option(
      names = "--backup-to",
      paramLabel = "FOLDER",
      description =
          "Write backups of the store to this folder, see 'clew backup'. " + "$CLEW_BACKUP_TO.")
  @Nullable String backupTo;

  @Option(
      names = "--backup-every",
      paramLabel = "TIME",
      description = "How often to write a backup: 24h, 30m. $CLEW_BACKUP_EVERY, else 24h.")
  @Nullable String backupEvery;

  @Option(
      names = "--backup-keep",
      paramLabel = "N",
      description =
          "How many backups to keep, in addition to those they build on. "
              + "$CLEW_BACKUP_KEEP, else 7.")
  @Nullable String backupKeep;

  @Option(
      names = "--retention-every",
      paramLabel = "TIME",
      description =
          "How often to apply the policies of 'clew retention': 24h. "
              + "$CLEW_RETENTION_EVERY, else never.")
  @Nullable String retentionEvery;

  @Option(
      names = "--retention-archive",
      paramLabel = "FOLDER",
      description = "Write what is removed to files in this folder first. $CLEW_RETENTION_ARCHIVE.")
  @Nullable String retentionArchive;

  @Option(
      names = "--chat-sessions",
      paramLabel = "HOW",
      description =
          "Which chat completions to record: auto recognizes the session by the history that the "
              + "client sends; named records only those that name a session or set store. "
              + "$CLEW_CHAT_SESSIONS, else auto.")
  @Nullable String chatSessions;

  @Option(
      names = "--behind-https",
      description =
          "Set this if a proxy in front terminates https; browsers then send the "
              + "page's cookie over https only.")
  boolean behindHttps;

  @Option(
      names = "--admin-reads",
      description =
          "Let tokens of scope admin read other people's conversations. Every such read is "
              + "in the audit log.")
  boolean adminReads;

  @Option(
      names = "--openid-issuer",
      paramLabel = "URL",
      description =
          "Also accept tokens of this OpenID provider; requires the next two. "
              + "$CLEW_OPENID_ISSUER.")
  @Nullable String openIdIssuer;

  @Option(
      names = "--openid-audience",
      paramLabel = "NAME",
      description = "The audience its tokens must name. $CLEW_OPENID_AUDIENCE.")
  @Nullable String openIdAudience;

  @Option(
      names = "--openid-keys",
      paramLabel = "URL",
      description = "Where its public keys are (JWKS). $CLEW_OPENID_KEYS.")
  @Nullable String openIdKeys;

  @Option(
      names = "--openid-owner-claim",
      paramLabel = "CLAIM",
      description = "The claim that names the owner. $CLEW_OPENID_OWNER_CLAIM, else sub.")
  @Nullable String openIdOwnerClaim;

  @Option(
      names = "--openid-scopes-claim",
      paramLabel = "CLAIM",
      description =
          "The claim that lists read, write and admin; without it everyone may read "
              + "and write. $CLEW_OPENID_SCOPES_CLAIM.")
  @Nullable String openIdScopesClaim;

  /** The option, else what is usual. */
  static String or(@Nullable String option, String usual) {
    return option == null ? usual : option;
  }

  /** The number that an option is. */
  static int number(String name, String text, int least, int most) {
    if (text.matches("[0-9]{1,9}")) {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw Failure.usage(name + " is '" + text + "'; write a number from " + least + " to " + most)
        .in(name);
  }

  /** The word that an option is, one of these. */
  static String word(String name, String text, List<String> words) {
    String word = text.toLowerCase(Locale.ROOT);
    if (!words.contains(word)) {
      throw Failure.usage(name + " is '" + text + "'; write " + String.join(" or ", words))
          .in(name);
    }
    return word;
  }
}
