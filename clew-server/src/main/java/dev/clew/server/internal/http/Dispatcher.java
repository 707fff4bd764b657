package dev.clew.server.internal.http;

import dev.clew.ClewException;
import dev.clew.server.internal.base.Daemons;
import dev.clew.server.operate.Scope;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the route of a request, lets its caller in, and turns what goes wrong into an answer.
 * Thread-safe.
 */
public final class Dispatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
  private static final String REQUEST_ID = "x-request-id";
  static final String NO_ROUTE = "none";
  private static final int MOST_LONG_CALLS = 600;

  /** What stands in logs and metrics for an answer that did not get out. */
  private static final int LEFT = 499;

  /** Headers that say who calls and from where: nobody shall choose which one counts. */
  private static final List<String> ONCE = List.of("Authorization", "Origin");

  /** Reading more than this would keep other connections waiting. */
  private static final int SHORT_BODY = 64 << 10;

  private final RouteTable routes;
  private final Admission admission;
  private final Origins origins;
  private final List<CallListener> listeners;
  private final Streams streams;
  private final Budget incoming = Budget.ofHeap(Route.LARGE_BODY);
  private final Budget outgoing = Budget.ofHeap(Route.LARGE_BODY);
  private final ThreadPoolExecutor longCalls =
      new ThreadPoolExecutor(
          0,
          MOST_LONG_CALLS,
          60,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Daemons.named("clew-long-call"));

  public Dispatcher(
      List<Route> routes, Admission admission, Origins origins, List<CallListener> listeners) {
    this.routes = new RouteTable(routes);
    this.admission = admission;
    this.streams = new Streams(admission);
    this.origins = origins;
    this.listeners = List.copyOf(listeners);
  }

  /** Tells that something was refused before it came here. */
  void refusedUnread(int status) {
    listeners.forEach(listener -> listener.refusedUnread(status));
  }

  /** What bodies and answers may take together; those who wait for it have to be told the time. */
  List<Budget> budgets() {
    return List.of(incoming, outgoing);
  }

  /** The routes as a handler. */
  Handler handler() {
    return new Handler.Abstract.NonBlocking() {
      @Override
      public boolean handle(Request request, Response response, Callback callback) {
        Transfer transfer = new Transfer(request, response, callback);
        try {
          begin(transfer);
        } catch (Throwable e) {
          LOG.error("a call failed without an answer", e);
          transfer.finish(e);
        } finally {
          transfer.pause();
        }
        return true;
      }
    };
  }

  /** A head has come. Who calls, from where and for what is settled before its body is read. */
  private void begin(Transfer transfer) {
    Optional<RouteTable.Match> match = find(transfer);
    Exchange exchange =
        new Exchange(
            transfer,
            newRequestId(),
            match.map(found -> found.route().path()).orElse(NO_ROUTE),
            match.map(RouteTable.Match::parameters).orElse(Map.of()));
    followToItsEnd(transfer, exchange);
    Visit visit = new Visit(transfer, exchange, match.map(RouteTable.Match::route));
    boolean known =
        visit.route().map(Route::scope).orElse(Scope.OPEN) == Scope.OPEN
            || admission.knows(transfer.header("Authorization"));
    if (known) {
      enter(visit, false);
    } else {
      give(visit, transfer.executor(), () -> enter(visit, true));
    }
  }

  /** A call on its way to its handler. Immutable. */
  private record Visit(Transfer transfer, Exchange exchange, Optional<Route> route) {
    int mostBytes() {
      return route.map(Route::mostBytes).orElse(Route.OPEN_BODY);
    }
  }

  /**
   * Lets a caller in, or not, and reads what it sends.
   *
   * @param mayWait whether this thread may go on with what waits briefly
   */
  private void enter(Visit visit, boolean mayWait) {
    Transfer transfer = visit.transfer();
    Principal principal;
    try {
      principal = admit(visit);
    } catch (Throwable e) {
      if (mayWait) {
        refuse(visit, e);
      } else { // the audit log is told of it
        give(visit, transfer.executor(), () -> refuse(visit, e));
      }
      return;
    }
    if (!transfer.hasBody()) {
      proceed(visit, principal, mayWait);
      return;
    }
    Budget.Share memory = incoming.share(caller(visit));
    transfer.whenOver(failure -> memory.close());
    Thread here = Thread.currentThread();
    new Intake(transfer, visit.mostBytes())
        .read(
            memory,
            failure -> {
              if (failure == null) {
                proceed(visit, principal, mayWait && Thread.currentThread() == here);
              } else {
                transfer.leaveUnread();
                give(visit, transfer.executor(), () -> answer(visit, failing(failure)));
              }
            });
  }

  private static String caller(Visit visit) {
    return visit
        .exchange()
        .principal()
        .map(who -> "owner " + who.owner())
        .orElse(visit.exchange().address());
  }

  /** Everything that can be said without the body. */
  private Principal admit(Visit visit) {
    Transfer transfer = visit.transfer();
    for (String name : ONCE) {
      if (transfer.repeats(name)) {
        throw Problem.invalid("bad_request", name, "The header '" + name + "' was sent twice.");
      }
    }
    if (transfer.method().equals("OPTIONS")) {
      checkLength(visit);
      return admission.anybody();
    }
    if (visit.route().isEmpty()) {
      throw Problem.notFound("Invalid URL (" + transfer.method() + " " + transfer.path() + ")");
    }
    Route route = visit.route().get();
    Exchange exchange = visit.exchange();
    origins.check(transfer, route.scope() == Scope.OPEN);
    Principal principal =
        admission.identify(
            route.scope(),
            transfer.header("Authorization"),
            transfer.cookie(admission.cookieName()),
            exchange.address());
    if (route.scope() != Scope.OPEN) {
      exchange.principal(principal);
      principal.require(route.scope());
      for (CallListener listener : listeners) {
        listener.admitted(exchange, route, principal);
      }
    }
    checkLength(visit);
    return principal;
  }

  private static void checkLength(Visit visit) {
    if (visit.transfer().length() > visit.mostBytes()) {
      throw Intake.tooLarge(visit.mostBytes());
    }
  }

  /** Answers without having read the body; a short one is taken, so that the connection stays. */
  private void refuse(Visit visit, Throwable reason) {
    Transfer transfer = visit.transfer();
    if (!transfer.hasBody()) {
      answer(visit, failing(reason));
    } else if (transfer.length() > 0
        && transfer.length() <= Budget.SMALL
        && transfer.header("Expect") == null) {
      new Intake(transfer, Budget.SMALL)
          .drop(() -> give(visit, transfer.executor(), () -> answer(visit, failing(reason))));
    } else {
      transfer.leaveUnread();
      answer(visit, failing(reason));
    }
  }

  private static Work failing(Throwable reason) {
    return exchange -> {
      throw reason;
    };
  }

  /** The request is there as a whole. */
  private void proceed(Visit visit, Principal principal, boolean mayWait) {
    Transfer transfer = visit.transfer();
    Pace.of(transfer.request()).received(System.nanoTime());
    Runnable work = () -> answer(visit, exchange -> handle(visit, principal));
    Route.Waits waits = visit.route().map(Route::waits).orElse(Route.Waits.NEVER);
    if (waits == Route.Waits.LONG) {
      give(visit, longCalls, work);
    } else if (mayWait || (waits == Route.Waits.NEVER && transfer.content().length <= SHORT_BODY)) {
      work.run();
    } else {
      give(visit, transfer.executor(), work);
    }
  }

  private void handle(Visit visit, Principal principal) throws Exception {
    Transfer transfer = visit.transfer();
    if (visit.route().isEmpty()) {
      origins.preflight(transfer);
    } else {
      Route route = visit.route().get();
      Admission.Pass pass =
          admission.pass(
              route.scope(),
              transfer.header("Authorization"),
              transfer.cookie(admission.cookieName()));
      Budget.Share memory = outgoing.share(caller(visit));
      transfer.heldBy(memory);
      route
          .handler()
          .handle(new Call(transfer, visit.exchange(), principal, pass, streams, memory));
    }
  }

  /** Has other threads go on with a call. */
  private void give(Visit visit, Executor threads, Runnable work) {
    if (!visit.transfer().runBy(threads, work)) {
      answer(
          visit, failing(Problem.tooMany("Too many responses are being answered; try again.", 1)));
    }
  }

  private Optional<RouteTable.Match> find(Transfer transfer) {
    try {
      return switch (transfer.method()) {
        case "GET", "HEAD" -> routes.find(Route.Method.GET, transfer.path());
        case "POST" -> routes.find(Route.Method.POST, transfer.path());
        case "PATCH" -> routes.find(Route.Method.PATCH, transfer.path());
        case "DELETE" -> routes.find(Route.Method.DELETE, transfer.path());
        default -> Optional.empty();
      };
    } catch (IllegalArgumentException e) { // nothing can have this name
      return Optional.empty();
    }
  }

  private interface Work {
    void run(Exchange exchange) throws Throwable;
  }

  private void answer(Visit visit, Work work) {
    Transfer transfer = visit.transfer();
    Exchange exchange = visit.exchange();
    List<Runnable> leaving = new ArrayList<>(listeners.size());
    try {
      transfer.setHeader(REQUEST_ID, exchange.requestId());
      transfer.setHeader("X-Content-Type-Options", "nosniff");
      transfer.setHeader("Cache-Control", "no-store"); // files of the page say otherwise
      listeners.forEach(listener -> leaving.add(0, listener.begun(exchange)));
      try {
        work.run(exchange);
      } catch (Throwable e) { // also an error: the caller gets an answer, the operator its trace
        failed(transfer, e, exchange);
      }
      exchange.status(transfer.status());
      listeners.forEach(listener -> listener.handled(exchange));
    } catch (Throwable e) { // nothing more can be done than to end it
      transfer.finish(e);
      LOG.error("{} could not be answered", exchange.requestId(), e);
    } finally {
      leaving.forEach(Runnable::run);
    }
    transfer.handled();
  }

  /** Names a call in logs; nobody gains anything by guessing it. */
  private static String newRequestId() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    HexFormat hex = HexFormat.of();
    return "req_" + hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
  }

  /** An answer may come long after its handler, and a stream end much later still. */
  private void followToItsEnd(Transfer transfer, Exchange exchange) {
    transfer.whenOver(
        failure -> {
          exchange.end(failure == null ? transfer.status() : LEFT);
          listeners.forEach(listener -> listener.answered(exchange));
        });
  }

  /** Answers a call that went wrong, now or later. */
  static void failed(Transfer transfer, Throwable failure, Exchange exchange) {
    String requestId = exchange.requestId();
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof Problem problem) {
      transfer.answer(problem, requestId);
    } else if (cause instanceof ClewException e) {
      Problem problem = Problem.of(e, requestId);
      if (problem.status() >= 500) { // the rest is the caller's, and may quote what was sent
        LOG.warn("{} {} {}: {}", requestId, exchange.method(), exchange.route(), e.toString());
      }
      transfer.answer(problem, requestId);
    } else if (isOfRequest(cause)) {
      Problem problem =
          Problem.invalid("bad_request", null, "The request breaks off, or cannot be read.");
      transfer.answer(problem, requestId);
    } else {
      LOG.error("{} {} {} failed", requestId, exchange.method(), exchange.route(), cause);
      transfer.answer(Problem.internal(requestId), requestId);
    }
  }

  /** Whether reading the request failed. */
  private static boolean isOfRequest(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof EofException
          || (cause instanceof HttpException http && http.getCode() < 500)) {
        return true;
      }
    }
    return false;
  }

  /** How many bytes of bodies are in memory. */
  public int bodyBytes() {
    return (int) Math.min(Integer.MAX_VALUE, incoming.used());
  }

  /** How many bytes of large answers are in memory, made, unsent or unread. */
  public int answerBytes() {
    return (int) Math.min(Integer.MAX_VALUE, outgoing.used());
  }

  /** How many streams are open. */
  public int openStreams() {
    return streams.count();
  }

  /** Ends all streams. */
  @Override
  public void close() {
    streams.close();
    longCalls.shutdown();
  }
}
