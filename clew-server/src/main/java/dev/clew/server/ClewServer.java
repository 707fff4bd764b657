package dev.clew.server;

import dev.clew.Documents;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.agent.Model;
import dev.clew.json.JsonObject;
import dev.clew.retention.HoldingStore;
import dev.clew.server.internal.admin.ReadingApi;
import dev.clew.server.internal.admin.ServerApi;
import dev.clew.server.internal.admin.TokensApi;
import dev.clew.server.internal.auth.Cookies;
import dev.clew.server.internal.auth.Gate;
import dev.clew.server.internal.auth.OpenIdTokens;
import dev.clew.server.internal.auth.ResourceMetadata;
import dev.clew.server.internal.auth.ServerSecret;
import dev.clew.server.internal.auth.SignIn;
import dev.clew.server.internal.chat.ChatApi;
import dev.clew.server.internal.chat.SessionTurns;
import dev.clew.server.internal.completions.CompletionsApi;
import dev.clew.server.internal.conversations.ConversationsApi;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.CallListener;
import dev.clew.server.internal.http.Dispatcher;
import dev.clew.server.internal.http.Listener;
import dev.clew.server.internal.http.Origins;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.library.Library;
import dev.clew.server.internal.library.LibraryApi;
import dev.clew.server.internal.limits.FailedSignIns;
import dev.clew.server.internal.limits.FewAtOnce;
import dev.clew.server.internal.limits.RequestLimits;
import dev.clew.server.internal.limits.SlowRefusals;
import dev.clew.server.internal.mcp.McpApi;
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
import dev.clew.server.internal.sessions.AllSessionsApi;
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
import dev.clew.server.internal.sockets.Sockets;
import dev.clew.server.internal.telemetry.AuditedCalls;
import dev.clew.server.internal.telemetry.Meters;
import dev.clew.server.internal.telemetry.RequestLog;
import dev.clew.server.internal.telemetry.Telemetry;
import dev.clew.server.internal.telemetry.Traces;
import dev.clew.server.internal.upkeep.Chores;
import dev.clew.server.internal.upkeep.Readiness;
import dev.clew.server.operate.AuditLog;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import dev.clew.server.settings.OpenIdSettings;
import dev.clew.server.settings.ServerSettings;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

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

  /** How long calls may take to report that their turn was stopped. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(3);

  private final ServerSettings settings;
  private final Meters meters = new Meters();
  private final List<Route> routes = new ArrayList<>();
  private final Tokens tokens;
  private final SignIn signIn;
  private final EventLogs logs;
  private final UsageBook usage;
  private final ResponsesApi responses;
  private final Titles titles;
  private final SessionSummaries summaries;
  private final TurnEngine engine;
  private final EventsApi events;
  private final FewAtOnce exports = new FewAtOnce("exports", 4, 1, 5, Duration.ofSeconds(10));
  private final Sockets sockets = new Sockets();
  private final Listener listener;
  private final Chores chores;
  private final Readiness readiness;

  private ClewServer(ServerSettings given) {
    Telemetry telemetry = new Telemetry(meters, new Traces(given.openTelemetry()));
    SessionStore store = new HoldingStore(telemetry.observe(given.store()));
    this.settings = given.store(store).mapModels(telemetry::observe);
    Documents documents = store.documents();
    Clock clock = settings.clock();
    boolean strict = settings.strict();
    boolean closed = settings.auth() == ServerSettings.Auth.TOKEN;
    requireSignInElsewhere(settings);
    this.readiness = new Readiness(store);
    String configured = settings.secret();
    ServerSecret secret =
        configured == null ? ServerSecret.keptIn(documents) : ServerSecret.of(configured);
    AuditLog audit = new AuditLog(documents, clock, settings.auditKept());
    this.tokens = new Tokens(documents, clock, audit);
    Cookies cookies = new Cookies(secret, documents, tokens, clock);
    this.signIn = new SignIn(clock);
    this.logs = new EventLogs(documents);
    this.usage = new UsageBook(documents, clock);
    CompactionSeal seal = new CompactionSeal(secret.key("compaction"));
    OwnersModel.Models models = new OwnersModel.Models(settings.models(), seal);
    Model writer = settings.modelTitles() ? settings.models().first() : null;
    this.titles = new Titles(store, writer, settings.models().choice(""), usage);
    this.summaries = new SessionSummaries(store);
    this.engine = new TurnEngine(store, settings.turns(), telemetry);
    Library library = Library.of(documents, settings.models());
    SessionTurns turns = new SessionTurns(engine, settings, models, logs, usage, titles, library);
    this.events = new EventsApi(store, turns, logs);
    this.responses = new ResponsesApi(engine, settings, seal, logs, usage, titles, audit, sockets);
    Shares shares = new Shares(store, clock, exports, strict);
    Consumer<SessionKey> forget =
        key -> {
          turns.forget(key);
          shares.forget(key);
        };
    List<Gate.Bearers> bearers = new ArrayList<>(List.of(Gate.Bearers.of(tokens)));
    OpenIdSettings provider = settings.openId();
    if (provider != null) {
      bearers.add(new OpenIdTokens(provider, clock));
    }
    ResourceMetadata metadata = new ResourceMetadata(settings);
    FailedSignIns failures = new FailedSignIns(settings.limits());
    Gate gate = new Gate(bearers, cookies, failures, closed, metadata);
    routes.add(metadata.route());
    routes.addAll(own());
    routes.addAll(new DocsApi(this::routes).routes());
    routes.addAll(new TokensApi(store, tokens, strict).routes());
    routes.addAll(new ServerApi(settings, audit).routes());
    routes.addAll(new ReadingApi(store, audit, settings.adminReads()).routes());
    routes.addAll(sessions(turns, models, shares));
    openAi(new ConversationsApi(store, titles, forget, strict).routes());
    openAi(responses.routes());
    openAi(new CompletionsApi(engine, settings, logs, usage, titles).routes());
    openAi(new ModelsApi(settings.models().names(), clock.instant().getEpochSecond()).routes());
    routes.addAll(new PageApi(gate, tokens, cookies, signIn, given, library).routes());
    this.chores = new Chores(settings, audit, meters);
    this.listener =
        new Listener(settings.host(), settings.port(), dispatcher(telemetry, gate, audit));
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
   * @throws IOException if it cannot listen on the address
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

  private List<Route> own() {
    return List.of(
        Route.get(
            "/metrics",
            settings.openMetrics() ? Scope.OPEN : Scope.METRICS,
            "Returns the metrics for Prometheus.",
            call -> call.reply(200, METRICS_TYPE, meters.scrape())),
        Route.get("/healthz", Scope.OPEN, "Returns whether the server runs.", this::healthy)
            .waiting(Route.Waits.NEVER),
        Route.get("/readyz", Scope.OPEN, "Returns whether the store can be used.", this::ready)
            .waiting(Route.Waits.NEVER));
  }

  private List<Route> sessions(SessionTurns turns, OwnersModel.Models models, Shares shares) {
    SessionStore store = settings.store();
    boolean strict = settings.strict();
    ChatApi chat = new ChatApi(store, turns, logs, settings.models(), strict);
    List<Route> all = new ArrayList<>(chat.routes());
    all.addAll(
        new SessionsApi(store, turns, titles, summaries, shares, settings.models(), strict)
            .routes());
    all.addAll(shares.routes());
    all.addAll(new BranchesApi(store, strict).routes());
    all.addAll(new HistoryApi(store, strict).routes());
    all.addAll(new TurnsApi(store, turns, chat, models, usage, strict).routes());
    all.addAll(events.routes());
    all.addAll(new ExportApi(store, settings.chat().maxMessages(), exports).routes());
    Library library = turns.library();
    all.addAll(new AllSessionsApi(store, settings.chat().maxMessages(), library).routes());
    all.addAll(new LibraryApi(store, library, strict).routes());
    SearchApi search = new SearchApi(store);
    all.addAll(search.routes());
    all.addAll(new McpApi(store, search).routes());
    all.addAll(new InsightApi(store, usage, settings.prices(), settings.clock()).routes());
    return all;
  }

  private Dispatcher dispatcher(Telemetry telemetry, Gate gate, AuditLog audit) {
    List<CallListener> listeners = new ArrayList<>(List.of(telemetry.traces(), meters));
    settings
        .logFormat()
        .map(format -> new RequestLog(settings.clock(), format, settings.logLines()))
        .ifPresent(listeners::add);
    listeners.add(new AuditedCalls(audit));
    listeners.add(new RequestLimits(settings.limits()));
    listeners.add(new SlowRefusals());
    Origins origins = new Origins(Origins.isLoopback(settings.host()), settings.allowedOrigins());
    Dispatcher dispatcher = new Dispatcher(routes, gate, origins, listeners);
    meters.gauge("clew.streams.open", "Open streams", dispatcher::openStreams);
    meters.gauge("clew.sockets.open", "Open WebSockets", sockets::count);
    meters.gauge("clew.bodies.bytes", "Bytes of bodies in memory", dispatcher::bodyBytes);
    meters.gauge("clew.answers.bytes", "Bytes of large answers in memory", dispatcher::answerBytes);
    return dispatcher;
  }

  /** Adds routes that clients may also call without the version in the path. */
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

  public int port() {
    return listener.port();
  }

  /** Its URL; a loopback one if it listens on all addresses. */
  public String url() {
    String host = isEverywhere(settings.host()) ? "127.0.0.1" : settings.host();
    return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port();
  }

  public static boolean isEverywhere(String host) {
    return host.equals("0.0.0.0") || host.equals("::");
  }

  /** A link that signs in the default owner once, with the administration. */
  public String signInLink() {
    return url() + "/sign-in?code=" + signIn.newCode();
  }

  public Tokens tokens() {
    return tokens;
  }

  List<Route> routes() {
    return List.copyOf(routes);
  }

  /** Lets running calls finish for a while, and stops. Idempotent. */
  @Override
  public void close() {
    CompletableFuture<Void> tidied =
        CompletableFuture.runAsync(chores::close, task -> new Thread(task, "clew-stop").start());
    try {
      // Before the listener, which ends the streams: readers must see how their turn ended.
      sockets.drain();
      engine.close(settings.turns().stopWait());
      sockets.close(LAST_WORDS);
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
