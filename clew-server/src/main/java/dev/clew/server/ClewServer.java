package dev.clew.server;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.demo.OfflineModel;
import dev.clew.json.JsonObject;
import dev.clew.retention.HoldingStore;
import dev.clew.server.internal.admin.AuditApi;
import dev.clew.server.internal.admin.OwnersApi;
import dev.clew.server.internal.admin.ReadingApi;
import dev.clew.server.internal.admin.TokensApi;
import dev.clew.server.internal.auth.Bearers;
import dev.clew.server.internal.auth.Cookies;
import dev.clew.server.internal.auth.Gate;
import dev.clew.server.internal.auth.OpenIdTokens;
import dev.clew.server.internal.auth.ServerSecret;
import dev.clew.server.internal.auth.SignIn;
import dev.clew.server.internal.auth.TokenBearers;
import dev.clew.server.internal.chat.ChatApi;
import dev.clew.server.internal.chat.SessionTurns;
import dev.clew.server.internal.conversations.ConversationsApi;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.CallListener;
import dev.clew.server.internal.http.Dispatcher;
import dev.clew.server.internal.http.Listener;
import dev.clew.server.internal.http.Origins;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.limits.FailedSignIns;
import dev.clew.server.internal.limits.RequestLimits;
import dev.clew.server.internal.page.DocsApi;
import dev.clew.server.internal.page.PageApi;
import dev.clew.server.internal.responses.ModelsApi;
import dev.clew.server.internal.responses.ResponsesApi;
import dev.clew.server.internal.runs.CompactionSeal;
import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.OwnersModel;
import dev.clew.server.internal.runs.Titles;
import dev.clew.server.internal.runs.TurnEngine;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.internal.sessions.BranchesApi;
import dev.clew.server.internal.sessions.EventsApi;
import dev.clew.server.internal.sessions.ExportApi;
import dev.clew.server.internal.sessions.HistoryApi;
import dev.clew.server.internal.sessions.InsightApi;
import dev.clew.server.internal.sessions.SearchApi;
import dev.clew.server.internal.sessions.SessionSummaries;
import dev.clew.server.internal.sessions.SessionsApi;
import dev.clew.server.internal.sessions.Shares;
import dev.clew.server.internal.sessions.TurnsApi;
import dev.clew.server.internal.sessions.UsageApi;
import dev.clew.server.internal.telemetry.AuditedCalls;
import dev.clew.server.internal.telemetry.Meters;
import dev.clew.server.internal.telemetry.RequestLog;
import dev.clew.server.internal.telemetry.Telemetry;
import dev.clew.server.internal.telemetry.Traces;
import dev.clew.server.internal.upkeep.BackupChore;
import dev.clew.server.internal.upkeep.Chores;
import dev.clew.server.internal.upkeep.Readiness;
import dev.clew.server.internal.upkeep.RetentionChore;
import dev.clew.server.operate.AuditLog;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import dev.clew.server.settings.BackupSettings;
import dev.clew.server.settings.OpenIdSettings;
import dev.clew.server.settings.RetentionSettings;
import dev.clew.server.settings.ServerSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A server over one store. Thread-safe. Several may serve the same store, in one process or many.
 *
 * <pre>{@code
 * try (ClewServer server = ClewServer.start(ServerSettings.of(store))) {
 *   System.out.println(server.url());
 * }
 * }</pre>
 */
public final class ClewServer implements AutoCloseable {
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** How long calls may take to say that their turn was ended. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(3);

  private final ServerSettings settings;
  private final Meters meters = new Meters();
  private final Tokens tokens;
  private final Cookies cookies;
  private final SignIn signIn;
  private final FailedSignIns failures;
  private final List<Route> routes = new ArrayList<>();
  private final EventLogs logs;
  private final UsageBook usage;
  private final ResponsesApi responses;
  private final Titles titles;
  private final SessionSummaries summaries;
  private final TurnEngine engine;
  private final SessionTurns turns;
  private final EventsApi events;
  private final Shares shares;
  private final Listener listener;
  private final Chores chores;
  private final Readiness readiness;

  private ClewServer(ServerSettings given) {
    Telemetry telemetry = new Telemetry(meters, new Traces(given.openTelemetry()));
    this.settings =
        given
            .store(new HoldingStore(telemetry.observe(given.store())))
            .mapModels(telemetry::observe);
    requireSignInElsewhere(settings);
    boolean loopback = Origins.isLoopback(settings.host());
    this.readiness = new Readiness(settings.store());
    String told = settings.secret();
    ServerSecret secret =
        told == null ? ServerSecret.keptIn(settings.store().documents()) : ServerSecret.of(told);
    AuditLog audit =
        new AuditLog(settings.store().documents(), settings.clock(), settings.auditKept());
    this.tokens = new Tokens(settings.store().documents(), settings.clock(), audit);
    this.cookies = new Cookies(secret, settings.store().documents(), tokens, settings.clock());
    this.signIn = new SignIn(settings.clock());
    this.failures = new FailedSignIns(settings.limits());
    this.logs = new EventLogs(settings.store().documents());
    this.usage = new UsageBook(settings.store().documents(), settings.clock());
    CompactionSeal seal = new CompactionSeal(secret.key("compaction"));
    OwnersModel.Models models = new OwnersModel.Models(settings.models(), seal);
    this.titles =
        new Titles(
            settings.store(), settings.modelTitles() ? settings.models().first() : null, usage);
    this.summaries = new SessionSummaries(settings.store());
    this.engine = new TurnEngine(settings.store(), settings.turns(), telemetry);
    this.turns = new SessionTurns(engine, settings, models, logs, usage, titles);
    this.events = new EventsApi(settings.store(), turns, logs);
    routes.addAll(own());
    routes.addAll(new DocsApi(this::routes).routes());
    routes.addAll(new AuditApi(audit).routes());
    routes.addAll(new TokensApi(settings.store(), tokens, settings.strict()).routes());
    routes.addAll(new OwnersApi(settings).routes());
    routes.addAll(new ReadingApi(settings.store(), audit, settings.adminReads()).routes());
    this.responses = new ResponsesApi(engine, settings, seal, logs, usage, titles);
    this.shares = new Shares(settings.store(), settings.clock());
    routes.addAll(chat(models, usage));
    openAi(
        new ConversationsApi(settings.store(), titles, this::forget, settings.strict()).routes());
    openAi(responses.routes());
    openAi(
        new ModelsApi(settings.models().names(), settings.clock().instant().getEpochSecond())
            .routes());
    Gate gate =
        new Gate(bearers(), cookies, failures, settings.auth() == ServerSettings.Auth.TOKEN);
    routes.addAll(
        new PageApi(gate, tokens, cookies, signIn, about(given), settings.behindHttps()).routes());
    Origins origins = new Origins(loopback, settings.allowedOrigins());
    List<CallListener> listeners = new ArrayList<>();
    listeners.add(telemetry.traces());
    listeners.add(meters);
    settings
        .logFormat()
        .map(format -> new RequestLog(settings.clock(), format, settings.logLines()))
        .ifPresent(listeners::add);
    listeners.add(new AuditedCalls(audit));
    listeners.add(new RequestLimits(settings.limits()));
    Dispatcher dispatcher = new Dispatcher(routes, gate, origins, listeners);
    meters.gauge("clew.streams.open", "Streams that are open", dispatcher::openStreams);
    meters.gauge("clew.bodies.bytes", "Bytes of bodies in memory", dispatcher::bodyBytes);
    meters.gauge("clew.answers.bytes", "Bytes of large answers in memory", dispatcher::answerBytes);
    this.chores = new Chores(chores(), settings.clock(), audit, meters);
    this.listener = new Listener(settings.host(), settings.port(), dispatcher);
  }

  /**
   * Refuses settings with which no server starts, whatever the store. Does not use the store.
   *
   * @throws IllegalArgumentException if the settings contradict each other
   * @throws IOException if it cannot listen there
   */
  public static void check(ServerSettings settings) throws IOException {
    requireSignInElsewhere(settings);
    if (settings.secret() != null) {
      var unused = ServerSecret.of(settings.secret());
    }
    Listener.check(settings.host(), settings.port());
  }

  private static void requireSignInElsewhere(ServerSettings settings) {
    if (settings.auth() == ServerSettings.Auth.NONE && !Origins.isLoopback(settings.host())) {
      throw new IllegalArgumentException(
          "without signing in the server listens on this machine only, not on "
              + settings.host()
              + "; use tokens, or host 127.0.0.1");
    }
  }

  /**
   * Starts a server.
   *
   * @throws IOException if it cannot listen there
   */
  public static ClewServer start(ServerSettings settings) throws IOException {
    ClewServer server = new ClewServer(settings);
    try {
      server.listener.start();
      return server;
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  private List<Chores.Chore> chores() {
    List<Chores.Chore> all = new ArrayList<>();
    BackupSettings backups = settings.backups();
    if (backups != null) {
      BackupChore chore = new BackupChore(backups, settings.clock());
      meters.gauge(
          "clew.backup.age.seconds",
          "How old the newest backup is; -1 if there is none",
          () -> age(chore));
      all.add(chore);
    }
    RetentionSettings retention = settings.retention();
    if (retention != null) {
      all.add(new RetentionChore(settings.store(), retention, settings.clock()));
    }
    return all;
  }

  private int age(Chores.Chore chore) {
    return chore
        .last()
        .map(done -> (int) Duration.between(done, settings.clock().instant()).toSeconds())
        .orElse(-1);
  }

  private List<Bearers> bearers() {
    OpenIdSettings provider = settings.openId();
    return provider == null
        ? List.of(new TokenBearers(tokens))
        : List.of(new TokenBearers(tokens), new OpenIdTokens(provider, settings.clock()));
  }

  private List<Route> own() {
    return List.of(
        Route.get(
            "/metrics",
            settings.openMetrics() ? Scope.OPEN : Scope.METRICS,
            "What the server counts and measures, for Prometheus.",
            call -> call.reply(200, METRICS_TYPE, meters.scrape())),
        Route.get("/healthz", Scope.OPEN, "Whether the server runs.", this::healthy)
            .waiting(Route.Waits.NEVER),
        Route.get("/readyz", Scope.OPEN, "Whether it can use its store.", this::ready)
            .waiting(Route.Waits.NEVER));
  }

  private List<Route> chat(OwnersModel.Models models, UsageBook usage) {
    SessionStore store = settings.store();
    ChatApi chat = new ChatApi(store, turns, logs, settings.models(), settings.strict());
    List<Route> chatting = new ArrayList<>(chat.routes());
    chatting.addAll(
        new SessionsApi(
                store, turns, titles, summaries, shares, settings.models(), settings.strict())
            .routes());
    chatting.addAll(shares.routes());
    chatting.addAll(new BranchesApi(store, settings.strict()).routes());
    chatting.addAll(new HistoryApi(store, settings.strict()).routes());
    chatting.addAll(new TurnsApi(store, turns, chat, models, usage, settings.strict()).routes());
    chatting.addAll(events.routes());
    chatting.addAll(new ExportApi(store, settings.chat().maxMessages()).routes());
    chatting.addAll(new SearchApi(store).routes());
    chatting.addAll(new UsageApi(store, usage).routes());
    chatting.addAll(new InsightApi(store, settings.clock()).routes());
    return chatting;
  }

  /** Removes what is kept of a session beside it. */
  private void forget(SessionKey key) {
    turns.forget(key);
    shares.forget(key);
  }

  private static PageApi.About about(ServerSettings given) {
    return new PageApi.About(
        given.models().choices(),
        given.models().first() instanceof OfflineModel,
        given.turns().contextTokens(),
        given.adminReads());
  }

  /** Clients may leave out the version in their base URL. */
  private void openAi(List<Route> more) {
    for (Route route : more) {
      routes.add(route);
      routes.add(route.at(route.path().substring("/v1".length())));
    }
  }

  private void healthy(Call call) {
    call.reply(new JsonObject().put("status", "ok"));
  }

  private void ready(Call call) {
    call.replyLater(
        readiness.check().thenApply(now -> new JsonObject().put("status", "ready").toString()));
  }

  /** The port it listens on. */
  public int port() {
    return listener.port();
  }

  /** Where it is reached; from this machine if it listens at all addresses. */
  public String url() {
    String host = isEverywhere(settings.host()) ? "127.0.0.1" : settings.host();
    return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port();
  }

  /** Whether who listens there listens at all addresses of the machine. */
  public static boolean isEverywhere(String host) {
    return host.equals("0.0.0.0") || host.equals("::");
  }

  /** A link that signs in the default owner, once. */
  public String signInLink() {
    return url() + "/sign-in?code=" + signIn.newCode();
  }

  /** The tokens it knows. */
  public Tokens tokens() {
    return tokens;
  }

  /** Everything it answers. */
  List<Route> routes() {
    return List.copyOf(routes);
  }

  /** Lets calls in flight finish for a while, and stops. Idempotent. */
  @Override
  public void close() {
    CompletableFuture<Void> tidied =
        CompletableFuture.runAsync(chores::close, task -> new Thread(task, "clew-stop").start());
    try {
      // Before the listener, which ends the streams: their readers are to see how it ends.
      engine.close(settings.turns().stopWait());
      responses.close();
      tidied.join();
      listener.stop(LAST_WORDS);
    } finally {
      readiness.close();
      titles.close();
      summaries.close();
      usage.close();
      events.close();
      logs.close();
      meters.close();
    }
  }
}
