package dev.clew.server.settings;

import dev.clew.SessionStore;
import dev.clew.agent.Model;
import dev.clew.demo.OfflineModel;
import dev.clew.server.operate.AuditLog;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a server. Immutable; each method with a value returns a changed copy.
 *
 * <pre>{@code
 * ServerSettings.of(store).at("0.0.0.0", 80).strict(true)
 * }</pre>
 */
public final class ServerSettings implements Cloneable {
  private static final Pattern ORIGIN =
      Pattern.compile("[a-z][a-z0-9+.-]*://([a-z0-9._-]+|\\[[0-9a-f:.]+])(:\\d{1,5})?");

  private SessionStore store;
  private String host = "127.0.0.1";
  private int port = 8787;
  private Auth auth = Auth.TOKEN;
  private boolean strict;
  private Set<String> allowedOrigins = Set.of();
  private @Nullable String secret;
  private Clock clock = Clock.systemUTC();
  private ServerModels models = ServerModels.of(new OfflineModel(), "offline");
  private boolean modelTitles;
  private boolean recognizesSessions = true;
  private TurnSettings turns = TurnSettings.DEFAULT;
  private ChatSettings chat = ChatSettings.DEFAULT;
  private McpSettings mcp = McpSettings.NONE;
  private PriceSettings prices = PriceSettings.NONE;
  private LimitSettings limits = LimitSettings.DEFAULT;
  private @Nullable OpenIdSettings openId;
  private Duration auditKept = AuditLog.KEPT;
  private boolean openMetrics;
  private boolean behindHttps;
  private boolean adminReads;
  private @Nullable OpenTelemetry openTelemetry;
  private @Nullable LogFormat logFormat;
  private Consumer<String> logLines = line -> {};
  private @Nullable BackupSettings backups;
  private @Nullable RetentionSettings retention;

  public enum Auth {
    /** With a token or the page's cookie. */
    TOKEN,
    /** None: everybody on this machine is the default owner. */
    NONE
  }

  public enum LogFormat {
    TEXT,
    JSON
  }

  private ServerSettings(SessionStore store) {
    this.store = store;
  }

  /**
   * The defaults: loopback only, with tokens, and the offline model.
   *
   * @param store the caller closes it
   */
  public static ServerSettings of(SessionStore store) {
    return new ServerSettings(store);
  }

  private ServerSettings with(Consumer<ServerSettings> change) {
    try {
      ServerSettings copy = (ServerSettings) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("settings can be copied", e);
    }
  }

  /** The address to listen on; port 0 picks a free one. */
  public ServerSettings at(String address, int number) {
    return with(
        copy -> {
          copy.host = address;
          copy.port = number;
        });
  }

  public ServerSettings auth(Auth value) {
    return with(copy -> copy.auth = value);
  }

  /** Refuses what OpenAI refuses, even where leniency would be harmless. */
  public ServerSettings strict(boolean value) {
    return with(copy -> copy.strict = value);
  }

  /**
   * Origins of other pages that may call the server.
   *
   * @throws IllegalArgumentException if one is not written as browsers send it
   */
  public ServerSettings allowedOrigins(Set<String> values) {
    Set<String> origins = Set.copyOf(values);
    origins.forEach(ServerSettings::requireOrigin);
    return with(copy -> copy.allowedOrigins = origins);
  }

  private static void requireOrigin(String origin) {
    if (!ORIGIN.matcher(origin).matches()) {
      throw new IllegalArgumentException(
          "'"
              + origin
              + "' is not an origin; use scheme and host in lower case and nothing else,"
              + " such as https://chat.example.org or http://localhost:3000");
    }
  }

  /** A secret that all servers of the store share; null to keep one in the store. */
  public ServerSettings secret(@Nullable String value) {
    return with(copy -> copy.secret = value);
  }

  public ServerSettings clock(Clock value) {
    return with(copy -> copy.clock = value);
  }

  /** Replaces all models by one with these names. */
  public ServerSettings model(Model value, String... names) {
    ServerModels one = ServerModels.of(value, names);
    return with(copy -> copy.models = one);
  }

  /** Adds a model with these names. */
  public ServerSettings andModel(Model value, String... names) {
    ServerModels more = models.and(value, names);
    return with(copy -> copy.models = more);
  }

  /**
   * Lets the default model write titles of new conversations. Otherwise, and until it has, a title
   * is the start of the first message.
   */
  public ServerSettings modelTitles(boolean value) {
    return with(copy -> copy.modelTitles = value);
  }

  /**
   * Whether chat completions that name no session are recorded too: the session is recognized by
   * the history that the client sends. It is by default.
   */
  public ServerSettings recognizesSessions(boolean value) {
    return with(copy -> copy.recognizesSessions = value);
  }

  public ServerSettings turns(TurnSettings value) {
    return with(copy -> copy.turns = value);
  }

  public ServerSettings chat(ChatSettings value) {
    return with(copy -> copy.chat = value);
  }

  /** The MCP servers that clients of the Responses API may use. */
  public ServerSettings mcp(McpSettings value) {
    return with(copy -> copy.mcp = value);
  }

  /** What the models cost; by default this is not known, and not shown. */
  public ServerSettings prices(PriceSettings value) {
    return with(copy -> copy.prices = value);
  }

  /** Applies the store's retention policies regularly; null for never. */
  public ServerSettings retention(@Nullable RetentionSettings value) {
    return with(copy -> copy.retention = value);
  }

  /** Backs up the store regularly; null for never. */
  public ServerSettings backups(@Nullable BackupSettings value) {
    return with(copy -> copy.backups = value);
  }

  public ServerSettings limits(LimitSettings value) {
    return with(copy -> copy.limits = value);
  }

  /** Accepts tokens of an OpenID provider too; null for none. */
  public ServerSettings openId(@Nullable OpenIdSettings value) {
    return with(copy -> copy.openId = value);
  }

  /** How long entries of the audit log are kept. */
  public ServerSettings auditKept(Duration value) {
    return with(copy -> copy.auditKept = value);
  }

  /** Shows the metrics to everybody, not only to administrators. */
  public ServerSettings openMetrics(boolean value) {
    return with(copy -> copy.openMetrics = value);
  }

  /** Whether a proxy in front speaks https, so that browsers send the cookie over https only. */
  public ServerSettings behindHttps(boolean value) {
    return with(copy -> copy.behindHttps = value);
  }

  /** Lets administrators read other owners' sessions; the audit log records each read. */
  public ServerSettings adminReads(boolean value) {
    return with(copy -> copy.adminReads = value);
  }

  /** Where spans go; by default to the global OpenTelemetry of this JVM. */
  public ServerSettings openTelemetry(OpenTelemetry value) {
    return with(copy -> copy.openTelemetry = value);
  }

  /** Writes a line for each call. */
  public ServerSettings requestLog(LogFormat format, Consumer<String> lines) {
    return with(
        copy -> {
          copy.logFormat = format;
          copy.logLines = lines;
        });
  }

  public ServerSettings store(SessionStore value) {
    return with(copy -> copy.store = value);
  }

  /** Replaces each model by what a function makes of it and its first name. */
  public ServerSettings mapModels(BiFunction<Model, String, Model> change) {
    return with(copy -> copy.models = models.map(change));
  }

  public String host() {
    return host;
  }

  public int port() {
    return port;
  }

  public SessionStore store() {
    return store;
  }

  public Auth auth() {
    return auth;
  }

  public boolean strict() {
    return strict;
  }

  public Set<String> allowedOrigins() {
    return allowedOrigins;
  }

  public @Nullable String secret() {
    return secret;
  }

  public Clock clock() {
    return clock;
  }

  public ServerModels models() {
    return models;
  }

  public boolean modelTitles() {
    return modelTitles;
  }

  public boolean recognizesSessions() {
    return recognizesSessions;
  }

  public TurnSettings turns() {
    return turns;
  }

  public ChatSettings chat() {
    return chat;
  }

  public McpSettings mcp() {
    return mcp;
  }

  public PriceSettings prices() {
    return prices;
  }

  public @Nullable OpenIdSettings openId() {
    return openId;
  }

  public @Nullable RetentionSettings retention() {
    return retention;
  }

  public @Nullable BackupSettings backups() {
    return backups;
  }

  public Duration auditKept() {
    return auditKept;
  }

  public boolean openMetrics() {
    return openMetrics;
  }

  public boolean behindHttps() {
    return behindHttps;
  }

  public boolean adminReads() {
    return adminReads;
  }

  public OpenTelemetry openTelemetry() {
    return openTelemetry == null ? GlobalOpenTelemetry.getOrNoop() : openTelemetry;
  }

  public Optional<LogFormat> logFormat() {
    return Optional.ofNullable(logFormat);
  }

  public Consumer<String> logLines() {
    return logLines;
  }

  public LimitSettings limits() {
    return limits;
  }
}
