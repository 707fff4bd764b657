package dev.clew.cli.serve;

import static dev.clew.cli.serve.ServeOptions.or;

import dev.clew.SessionStore;
import dev.clew.cli.command.AtomicFile;
import dev.clew.cli.command.PointInTime;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.server.settings.BackupSettings;
import dev.clew.server.settings.ChatSettings;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.OpenIdSettings;
import dev.clew.server.settings.PriceSettings;
import dev.clew.server.settings.RetentionSettings;
import dev.clew.server.settings.ServerModels;
import dev.clew.server.settings.ServerSettings;
import dev.clew.server.settings.TurnSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@code clew serve} as settings of a server. Used by one thread.
 *
 * @param isReal whether a real model answers, not the demonstration
 */
record ServeSettings(ServeOptions options, boolean isReal) {
  private static final int MANY = 999_999_999;

  /**
   * The settings with what the options say.
   *
   * @param lines where the log of the calls goes
   */
  ServerSettings applyTo(ServerSettings settings, Consumer<String> lines) {
    String format =
        ServeOptions.word(
            "--log-format", or(options.logFormat, "text"), List.of("text", "json", "none"));
    ServerSettings all =
        settings
            .chat(chat(settings.chat()))
            .turns(settings.turns().contextTokens(contextTokens(settings.models())))
            .limits(limits())
            .prices(prices())
            .modelTitles(titles().equals("model"))
            .recognizesSessions(chatSessions().equals("auto"))
            .auditKept(Duration.ofDays(number("--audit-days", options.auditDays, 90, 1, 36_500)))
            .openMetrics(options.openMetrics)
            .behindHttps(options.behindHttps)
            .adminReads(options.adminReads)
            .openId(openId())
            .backups(backups(settings.store()))
            .retention(retention(settings.store()));
    return format.equals("none")
        ? all
        : all.requestLog(ServerSettings.LogFormat.valueOf(format.toUpperCase(Locale.ROOT)), lines);
  }

  private String titles() {
    String usual = isReal ? "model" : "message";
    return ServeOptions.word("--titles", or(options.titles, usual), List.of("message", "model"));
  }

  private String chatSessions() {
    return ServeOptions.word(
        "--chat-sessions", or(options.chatSessions, "auto"), List.of("auto", "named"));
  }

  private ChatSettings chat(ChatSettings usual) {
    String atLimit =
        ServeOptions.word(
            "--at-limit",
            or(options.atLimit, "refuse"),
            List.of("refuse", "drop-oldest", "compact"));
    int history =
        isReal && options.history == null
            ? ChatSettings.FITTING
            : number("--history", options.history, usual.history(), 1, MANY);
    return usual
        .history(history)
        .limit(
            number("--max-messages", options.maxMessages, (int) usual.maxMessages(), 0, MANY),
            ChatSettings.AtLimit.valueOf(atLimit.toUpperCase(Locale.ROOT).replace('-', '_')));
  }

  /** What was said, else the least that one of the models is known to take. */
  private long contextTokens(ServerModels models) {
    if (options.contextTokens != null) {
      return ServeOptions.number("--context-tokens", options.contextTokens, 1_000, MANY);
    }
    return models.contextTokens().orElse(TurnSettings.DEFAULT.contextTokens());
  }

  private LimitSettings limits() {
    LimitSettings usual = LimitSettings.DEFAULT;
    return new LimitSettings(
        number(
            "--requests-per-minute", options.requestsPerMinute, usual.requestsPerMinute(), 0, MANY),
        number("--open-calls", options.openCalls, usual.openCalls(), 0, MANY),
        number(
            "--failed-sign-ins", options.failedSignIns, usual.failedSignInsPerMinute(), 0, MANY));
  }

  private PriceSettings prices() {
    PriceSettings prices =
        judged(
            "--currency",
            () -> PriceSettings.NONE.currency(or(options.currency, PriceSettings.NONE.currency())));
    for (String line : options.prices) {
      PriceSettings before = prices;
      prices = judged("--price", () -> before.price(line));
    }
    if (prices.isEmpty()) {
      refuseWithout("--price MODEL=PRICE", "--currency", options.currency);
    }
    return prices;
  }

  private static PriceSettings judged(String option, Supplier<PriceSettings> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw Failure.usage(option + ": " + e.getMessage()).in(option);
    }
  }

  /** The same settings over the store that was opened. */
  static ServerSettings over(ServerSettings judged, SessionStore store, SessionStore plain) {
    BackupSettings backups = judged.backups();
    RetentionSettings retention = judged.retention();
    return judged
        .store(store)
        .backups(
            backups == null
                ? null
                : new BackupSettings(plain, backups.folder(), backups.every(), backups.keep()))
        .retention(
            retention == null
                ? null
                : new RetentionSettings(plain, retention.every(), retention.archive()));
  }

  private @Nullable BackupSettings backups(SessionStore store) {
    String folder = or(options.backupTo, "");
    Duration every = PointInTime.duration("--backup-every", or(options.backupEvery, "24h"));
    int keep = number("--backup-keep", options.backupKeep, 7, 1, MANY);
    if (folder.isEmpty()) {
      refuseWithout("--backup-to FOLDER", "--backup-every", options.backupEvery);
      refuseWithout("--backup-to FOLDER", "--backup-keep", options.backupKeep);
      return null;
    }
    return new BackupSettings(store, usable("--backup-to", folder), every, keep);
  }

  private static void refuseWithout(String other, String option, @Nullable String value) {
    if (value != null) {
      throw Failure.usage(option + " has no effect without " + other + "; add that, or remove it")
          .in(option);
    }
  }

  /** A folder that can be written to: whoever starts a server learns at once that it cannot. */
  private static Path usable(String option, String name) {
    Path folder = AtomicFile.path(name);
    try {
      Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, ".clew", ".tmp"));
      return folder;
    } catch (IOException e) {
      throw Failure.failed(
              option + ": cannot write to the folder " + folder + " (" + Humanize.reason(e) + ")")
          .in(option);
    }
  }

  private @Nullable RetentionSettings retention(SessionStore store) {
    String every = or(options.retentionEvery, "");
    String archive = or(options.retentionArchive, "");
    if (every.isEmpty()) {
      refuseWithout("--retention-every TIME", "--retention-archive", options.retentionArchive);
      return null;
    }
    return new RetentionSettings(
        store,
        PointInTime.duration("--retention-every", every),
        archive.isEmpty() ? Optional.empty() : Optional.of(usable("--retention-archive", archive)));
  }

  private @Nullable OpenIdSettings openId() {
    String issuer = or(options.openIdIssuer, "");
    String audience = or(options.openIdAudience, "");
    String keys = or(options.openIdKeys, "");
    Map<String, String> given = new LinkedHashMap<>();
    given.put("--openid-issuer", issuer);
    given.put("--openid-audience", audience);
    given.put("--openid-keys", keys);
    given.put("--openid-owner-claim", or(options.openIdOwnerClaim, ""));
    given.put("--openid-scopes-claim", or(options.openIdScopesClaim, ""));
    given.values().removeIf(String::isEmpty);
    if (given.isEmpty()) {
      return null;
    }
    if (issuer.isEmpty() || audience.isEmpty() || keys.isEmpty()) {
      throw Failure.usage(
              "an OpenID provider needs all of --openid-issuer, --openid-audience and "
                  + "--openid-keys")
          .in(given.keySet().iterator().next());
    }
    try {
      OpenIdSettings provider =
          OpenIdSettings.of(issuer, audience, URI.create(keys))
              .ownerClaim(or(options.openIdOwnerClaim, "sub"));
      String scopes = or(options.openIdScopesClaim, "");
      return scopes.isEmpty() ? provider : provider.scopesClaim(scopes);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--openid-keys: " + e.getMessage()).in("--openid-keys");
    }
  }

  private int number(String name, @Nullable String option, int usual, int least, int most) {
    return ServeOptions.number(name, or(option, String.valueOf(usual)), least, most);
  }
}
