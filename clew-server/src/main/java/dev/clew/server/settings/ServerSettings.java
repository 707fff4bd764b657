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
 * How a server is set up. Immutable; each method with a value returns another one.
 *
 * <pre>{@code
 * ServerSettings.of(store).at("0.0.0.0", 80).strict(true)
 * }</pre>
 */
public final class ServerSettings implements Cloneable {
  /** Scheme, host and perhaps a port. */
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
  private TurnSettings turns = TurnSettings.DEFAULT;
  private ChatSettings chat = ChatSettings.DEFAULT;
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

  /** Whether callers must say who they are. */
  public enum Auth {
    /** By a token or by the page's cookie. */
    TOKEN,
    /** No: everybody on this machine is the default owner. */
    NONE
  }

  /** How a line for each call is written. */
  public enum LogFormat {
    /** For people. */
    TEXT,
    /** A JSON object. */
    JSON
  }

  private ServerSettings(SessionStore store) {
    this.store = store;
  }

  /**
   * The defaults over a store: this machine only, with tokens, and the offline model.
   *
   * @param store what is served; it stays the caller's to close
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

  /** At another address; port 0 is any free one. */
  public ServerSettings at(String address, int number) {
    return with(
        copy -> {
          copy.host = address;
          copy.port = number;
        });
  }

  /** With or without signing in. */
  public ServerSettings auth(Auth value) {
    return with(copy -> copy.auth = value);
  }

  /** Refusing what OpenAI refuses, also where being lenient is kinder. */
  public ServerSettings strict(boolean value) {
    return with(copy -> copy.strict = value);
  }

  /**
   * With pages of other origins that may call.
   *
   * @throws IllegalArgumentException if one is not as browsers write it
   */
  public ServerSettings allowedOrigins(Set<String> values) {
    Set<String> origins = Set.copyOf(values);
    origins.forEach(ServerSettings::requireOrigin);
    return with(copy -> copy.allowedOrigins = origins);
  }

  /** Origins are compared letter by letter with what browsers send. */
  private static void requireOrigin(String origin) {
    if (!ORIGIN.matcher(origin).matches()) {
      throw new IllegalArgumentException(
          "'"
              + origin
              + "' is not an origin; write scheme and host in lower case and nothing after them,"
              + " such as https://chat.example.org or http://localhost:3000");
    }
  }

  /** With a secret that the servers of this store are told; null to keep one in the store. */
  public ServerSettings secret(@Nullable String value) {
    return with(copy -> copy.secret = value);
  }

  /** With another clock. */
  public ServerSettings clock(Clock value) {
    return with(copy -> copy.clock = value);
  }

  /** With another model in place of all, its name first and then others it goes by. */
  public ServerSettings model(Model value, String... names) {
    ServerModels one = ServerModels.of(value, names);
    return with(copy -> copy.models = one);
  }

  /** With one more model, for those who ask for it by one of its names. */
  public ServerSettings andModel(Model value, String... names) {
    ServerModels more = models.and(value, names);
    return with(copy -> copy.models = more);
  }

  /**
   * Letting the first model write the titles of new conversations, one short request each.
   * Otherwise, and until it has, a title is the beginning of what was said first.
   */
  public ServerSettings modelTitles(boolean value) {
    return with(copy -> copy.modelTitles = value);
  }

  /** With turns taken otherwise. */
  public ServerSettings turns(TurnSettings value) {
    return with(copy -> copy.turns = value);
  }

  /** With a chat API that answers otherwise. */
  public ServerSettings chat(ChatSettings value) {
    return with(copy -> copy.chat = value);
  }

  /** With the store's policies run now and then; null for never. */
  public ServerSettings retention(@Nullable RetentionSettings value) {
    return with(copy -> copy.retention = value);
  }

  /** With backups made now and then; null for none. */
  public ServerSettings backups(@Nullable BackupSettings value) {
    return with(copy -> copy.backups = value);
  }

  /** With other limits for each caller. */
  public ServerSettings limits(LimitSettings value) {
    return with(copy -> copy.limits = value);
  }

  /** Taking the tokens of an OpenID provider beside our own; null for none. */
  public ServerSettings openId(@Nullable OpenIdSettings value) {
    return with(copy -> copy.openId = value);
  }

  /** Keeping entries of the audit log for another time. */
  public ServerSettings auditKept(Duration value) {
    return with(copy -> copy.auditKept = value);
  }

  /** Showing the metrics to everybody, not only to administrators. */
  public ServerSettings openMetrics(boolean value) {
    return with(copy -> copy.openMetrics = value);
  }

  /**
   * Whether a proxy before it speaks https, so that browsers send the page's cookie by that only.
   */
  public ServerSettings behindHttps(boolean value) {
    return with(copy -> copy.behindHttps = value);
  }

  /** Letting administrators read what is not theirs; each look is in the audit log. */
  public ServerSettings adminReads(boolean value) {
    return with(copy -> copy.adminReads = value);
  }

  /** With spans that go elsewhere than where this JVM's OpenTelemetry sends them. */
  public ServerSettings openTelemetry(OpenTelemetry value) {
    return with(copy -> copy.openTelemetry = value);
  }

  /** Writing a line for each call. */
  public ServerSettings requestLog(LogFormat format, Consumer<String> lines) {
    return with(
        copy -> {
          copy.logFormat = format;
          copy.logLines = lines;
        });
  }

  /** Over another store. */
  public ServerSettings store(SessionStore value) {
    return with(copy -> copy.store = value);
  }

  /** With what is made of each model and its first name. */
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

  public TurnSettings turns() {
    return turns;
  }

  public ChatSettings chat() {
    return chat;
  }

  public @Nullable OpenIdSettings openId() {
    return openId;
  }

  /** When the policies of the store are run, if they are. */
  public @Nullable RetentionSettings retention() {
    return retention;
  }

  /** Backups made now and then, if any are. */
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

  /** What was told, else that of this JVM, which does nothing if there is none. */
  public OpenTelemetry openTelemetry() {
    return openTelemetry == null ? GlobalOpenTelemetry.getOrNoop() : openTelemetry;
  }

  /** How a line for each call is written, if that is wanted. */
  public Optional<LogFormat> logFormat() {
    return Optional.ofNullable(logFormat);
  }

  /** Where these lines go. */
  public Consumer<String> logLines() {
    return logLines;
  }

  public LimitSettings limits() {
    return limits;
  }
}
