package dev.clew.cli.serve;

import dev.clew.cli.terminal.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of {@code clew serve} beyond where and what it serves; each has a variable of the
 * environment, named in its description. Used by one thread.
 */
final class ServeOptions {
  @Option(names = "--history", paramLabel = "N")
  @Nullable String history;

  @Option(names = "--context-tokens", paramLabel = "N")
  @Nullable String contextTokens;

  @Option(names = "--max-messages", paramLabel = "N")
  @Nullable String maxMessages;

  @Option(names = "--at-limit", paramLabel = "WHAT")
  @Nullable String atLimit;

  @Option(names = "--expire-after", paramLabel = "TIME")
  @Nullable String expireAfter;

  @Option(names = "--titles", paramLabel = "HOW")
  @Nullable String titles;

  @Option(names = "--price", paramLabel = "MODEL=PRICE", split = ",")
  List<String> prices = new ArrayList<>();

  @Option(names = "--currency", paramLabel = "CODE")
  @Nullable String currency;

  @Option(names = "--requests-per-minute", paramLabel = "N")
  @Nullable String requestsPerMinute;

  @Option(names = "--open-calls", paramLabel = "N")
  @Nullable String openCalls;

  @Option(names = "--failed-sign-ins", paramLabel = "N")
  @Nullable String failedSignIns;

  @Option(names = "--log-format", paramLabel = "HOW")
  @Nullable String logFormat;

  @Option(names = "--audit-days", paramLabel = "N")
  @Nullable String auditDays;

  @Option(names = "--open-metrics")
  boolean openMetrics;

  @Option(names = "--backup-to", paramLabel = "FOLDER")
  @Nullable String backupTo;

  @Option(names = "--backup-every", paramLabel = "TIME")
  @Nullable String backupEvery;

  @Option(names = "--backup-keep", paramLabel = "N")
  @Nullable String backupKeep;

  @Option(names = "--retention-every", paramLabel = "TIME")
  @Nullable String retentionEvery;

  @Option(names = "--retention-archive", paramLabel = "FOLDER")
  @Nullable String retentionArchive;

  @Option(names = "--chat-sessions", paramLabel = "HOW")
  @Nullable String chatSessions;

  @Option(names = "--behind-https")
  boolean behindHttps;

  @Option(names = "--admin-reads")
  boolean adminReads;

  @Option(names = "--openid-issuer", paramLabel = "URL")
  @Nullable String openIdIssuer;

  @Option(names = "--openid-audience", paramLabel = "NAME")
  @Nullable String openIdAudience;

  @Option(names = "--openid-keys", paramLabel = "URL")
  @Nullable String openIdKeys;

  @Option(names = "--openid-owner-claim", paramLabel = "CLAIM")
  @Nullable String openIdOwnerClaim;

  @Option(names = "--openid-scopes-claim", paramLabel = "CLAIM")
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
