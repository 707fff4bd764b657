package dev.clew.cli.serve;

import static dev.clew.cli.serve.ServeOptions.told;

import dev.clew.SessionStore;
import dev.clew.cli.command.PointInTime;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.transfer.BackupCommand;
import dev.clew.server.settings.BackupSettings;
import dev.clew.server.settings.ChatSettings;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.OpenIdSettings;
import dev.clew.server.settings.RetentionSettings;
import dev.clew.server.settings.ServerSettings;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The options of {@code clew serve} as settings of a server. Used by one thread. */
final class ServeSettings {
  private static final int MANY = 999_999_999;

  private final ServeOptions options;
  private final Map<String, String> env;
  private final boolean isReal;

  /**
   * The options and what may stand in their place.
   *
   * @param isReal whether a real model answers, not the demonstration
   */
  ServeSettings(ServeOptions options, Map<String, String> env, boolean isReal) {
    this.options = options;
    this.env = env;
    this.isReal = isReal;
  }

  /**
   * The settings with what the options say.
   *
   * @param plain the store, or the one behind it if it is encrypted
   * @param lines where the log of the calls goes
   */
  ServerSettings applyTo(ServerSettings settings, SessionStore plain, Consumer<String> lines) {
    ServerSettings all =
        settings
            .chat(chat(settings.chat()))
            .limits(limits())
            .modelTitles(titles().equals("model"))
            .auditKept(
                Duration.ofDays(
                    number("--audit-days", options.auditDays, "CLEW_AUDIT_DAYS", 90, 1, 36_500)))
            .openMetrics(options.openMetrics)
            .behindHttps(options.behindHttps)
            .adminReads(options.adminReads)
            .openId(openId())
            .backups(backups(plain))
            .retention(retention(plain));
    String format =
        ServeOptions.word(
            "--log-format",
            told(options.logFormat, env, "CLEW_LOG_FORMAT", "text"),
            List.of("text", "json", "none"));
    return format.equals("none")
        ? all
        : all.requestLog(ServerSettings.LogFormat.valueOf(format.toUpperCase(Locale.ROOT)), lines);
  }

  private String titles() {
    String usual = isReal ? "model" : "message";
    return ServeOptions.word(
        "--titles", told(options.titles, env, "CLEW_TITLES", usual), List.of("message", "model"));
  }

  private ChatSettings chat(ChatSettings usual) {
    String atLimit =
        ServeOptions.word(
            "--at-limit",
            told(options.atLimit, env, "CLEW_AT_LIMIT", "refuse"),
            List.of("refuse", "drop-oldest", "compact"));
    return usual
        .history(number("--history", options.history, "CLEW_HISTORY", usual.history(), 1, MANY))
        .limit(
            number(
                "--max-messages",
                options.maxMessages,
                "CLEW_MAX_MESSAGES",
                (int) usual.maxMessages(),
                0,
                MANY),
            ChatSettings.AtLimit.valueOf(atLimit.toUpperCase(Locale.ROOT).replace('-', '_')));
  }

  private LimitSettings limits() {
    LimitSettings usual = LimitSettings.DEFAULT;
    return new LimitSettings(
        number(
            "--requests-per-minute",
            options.requestsPerMinute,
            "CLEW_REQUESTS_PER_MINUTE",
            usual.requestsPerMinute(),
            0,
            MANY),
        number("--open-calls", options.openCalls, "CLEW_OPEN_CALLS", usual.openCalls(), 0, MANY),
        number(
            "--failed-sign-ins",
            options.failedSignIns,
            "CLEW_FAILED_SIGN_INS",
            usual.failedSignInsPerMinute(),
            0,
            MANY));
  }

  private @Nullable BackupSettings backups(SessionStore plain) {
    String folder = told(options.backupTo, env, "CLEW_BACKUP_TO", "");
    if (folder.isEmpty()) {
      return null;
    }
    String every = told(options.backupEvery, env, "CLEW_BACKUP_EVERY", "24h");
    return new BackupSettings(
        plain,
        BackupCommand.path(folder),
        PointInTime.duration("--backup-every", every),
        number("--backup-keep", options.backupKeep, "CLEW_BACKUP_KEEP", 7, 1, MANY));
  }

  private @Nullable RetentionSettings retention(SessionStore plain) {
    String every = told(options.retentionEvery, env, "CLEW_RETENTION_EVERY", "");
    String archive = told(options.retentionArchive, env, "CLEW_RETENTION_ARCHIVE", "");
    if (every.isEmpty()) {
      return null;
    }
    return new RetentionSettings(
        plain,
        PointInTime.duration("--retention-every", every),
        archive.isEmpty() ? Optional.empty() : Optional.of(BackupCommand.path(archive)));
  }

  private @Nullable OpenIdSettings openId() {
    String issuer = told(options.openIdIssuer, env, "CLEW_OPENID_ISSUER", "");
    String audience = told(options.openIdAudience, env, "CLEW_OPENID_AUDIENCE", "");
    String keys = told(options.openIdKeys, env, "CLEW_OPENID_KEYS", "");
    if (issuer.isEmpty() && audience.isEmpty() && keys.isEmpty()) {
      return null;
    }
    if (issuer.isEmpty() || audience.isEmpty() || keys.isEmpty()) {
      throw Failure.usage(
          "an OpenID provider needs all of --openid-issuer, --openid-audience and --openid-keys");
    }
    try {
      OpenIdSettings provider =
          OpenIdSettings.of(issuer, audience, URI.create(keys))
              .ownerClaim(told(options.openIdOwnerClaim, env, "CLEW_OPENID_OWNER_CLAIM", "sub"));
      String scopes = told(options.openIdScopesClaim, env, "CLEW_OPENID_SCOPES_CLAIM", "");
      return scopes.isEmpty() ? provider : provider.scopesClaim(scopes);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--openid-keys: " + e.getMessage());
    }
  }

  private int number(
      String name, @Nullable String option, String variable, int usual, int least, int most) {
    return ServeOptions.number(
        name, told(option, env, variable, String.valueOf(usual)), least, most);
  }
}
