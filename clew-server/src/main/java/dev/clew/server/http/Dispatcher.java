package dev.clew.server.http;

import dev.clew.ClewException;
import dev.clew.server.auth.Cookies;
import dev.clew.server.auth.Gate;
import dev.clew.server.auth.Principal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
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
  private static final String NO_ROUTE = "none";
  private static final int MOST_TURNS = 600;

  /** Reading more than this would keep other connections waiting. */
  private static final int SHORT_BODY = 64 << 10;

  private final RouteTable routes;
  private final Gate gate;
  private final Origins origins;
  private final List<Onlooker> onlookers;
  private final Streams streams = new Streams();
  private final ThreadPoolExecutor turns =
      new ThreadPoolExecutor(
          0, MOST_TURNS, 60, TimeUnit.SECONDS, new SynchronousQueue<>(), Dispatcher::thread);

  public Dispatcher(List<Route> routes, Gate gate, Origins origins, List<Onlooker> onlookers) {
    this.routes = new RouteTable(routes);
    this.gate = gate;
    this.origins = origins;
    this.onlookers = List.copyOf(onlookers);
  }

  /** Tells that something was refused before it came here. */
  void refusedUnread(int status) {
    onlookers.forEach(onlooker -> onlooker.refusedUnread(status));
  }

  /** The routes as a handler. */
  Handler handler() {
    return new Handler.Abstract.NonBlocking() {
      @Override
      public boolean handle(Request request, Response response, Callback callback) {
        Transfer transfer = new Transfer(request, response, callback);
        Optional<RouteTable.Match> match = find(transfer);
        try {
          threads(transfer, match).execute(() -> dispatch(transfer, match));
        } catch (RejectedExecutionException e) {
          busy(transfer);
        }
        return true;
      }
    };
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

  /** Whose threads handle a call. */
  private Executor threads(Transfer transfer, Optional<RouteTable.Match> match) {
    Route.Waits waits =
        match.map(RouteTable.Match::route).map(Route::waits).orElse(Route.Waits.BRIEFLY);
    if (waits == Route.Waits.LONG) {
      return turns;
    }
    boolean now =
        waits == Route.Waits.NEVER
            && transfer.content().length <= SHORT_BODY
            && gate.knows(transfer.header("Authorization"));
    return now ? Runnable::run : transfer.request().getComponents().getExecutor();
  }

  private void dispatch(Transfer transfer, Optional<RouteTable.Match> match) {
    if (transfer.method().equals("OPTIONS")) {
      answer(transfer, NO_ROUTE, Map.of(), exchange -> origins.preflight(transfer));
    } else if (match.isEmpty()) {
      unknown(transfer);
    } else if (!transfer.method().equals("HEAD")) {
      serve(match.get().route(), match.get().parameters(), transfer);
    }
    transfer.handled();
  }

  private void busy(Transfer transfer) {
    answer(
        transfer,
        NO_ROUTE,
        Map.of(),
        exchange -> {
          throw Problem.tooMany("Too many responses are being answered; try again.", 1);
        });
    transfer.handled();
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "clew-turn");
    thread.setDaemon(true);
    return thread;
  }

  private void serve(Route route, Map<String, String> parameters, Transfer transfer) {
    answer(
        transfer,
        route.path(),
        parameters,
        exchange -> {
          origins.check(transfer);
          Principal principal =
              gate.admit(
                  route.scope(),
                  transfer.header("Authorization"),
                  transfer.cookie(Cookies.NAME),
                  exchange.address());
          if (route.scope() != Scope.OPEN) {
            exchange.principal(principal);
            for (Onlooker onlooker : onlookers) {
              onlooker.admitted(exchange, route, principal);
            }
          }
          route.handler().handle(new Call(transfer, exchange, principal, streams));
        });
  }

  private interface Work {
    void run(Exchange exchange) throws Exception;
  }

  private void answer(Transfer transfer, String route, Map<String, String> parameters, Work work) {
    String requestId = newRequestId();
    transfer.setHeader(REQUEST_ID, requestId);
    transfer.setHeader("X-Content-Type-Options", "nosniff");
    Exchange exchange = new Exchange(transfer, requestId, route, parameters);
    followToItsEnd(transfer, exchange);
    List<Runnable> leaving = new ArrayList<>(onlookers.size());
    onlookers.forEach(onlooker -> leaving.add(0, onlooker.begun(exchange)));
    try {
      work.run(exchange);
    } catch (Throwable e) { // also an error: the caller gets an answer, the operator its trace
      failed(transfer, e, exchange);
    } finally {
      exchange.status(transfer.status());
      onlookers.forEach(onlooker -> onlooker.handled(exchange));
      leaving.forEach(Runnable::run);
    }
  }

  /** Names a call in logs; nobody gains anything by guessing it. */
  private static String newRequestId() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    HexFormat hex = HexFormat.of();
    return "req_" + hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
  }

  /** An answer may come long after its handler, and a stream end much later still. */
  private void followToItsEnd(Transfer transfer, Exchange exchange) {
    Request.addCompletionListener(
        transfer.request(),
        failure -> {
          exchange.end(transfer.status());
          onlookers.forEach(onlooker -> onlooker.answered(exchange));
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
      Problems.answer(transfer, problem, requestId);
    } else if (cause instanceof ClewException e) {
      Problem problem = Problems.of(e, requestId);
      if (problem.status() >= 500) { // the rest is the caller's, and may quote what was sent
        LOG.warn("{} {} {}: {}", requestId, exchange.method(), exchange.route(), e.toString());
      }
      Problems.answer(transfer, problem, requestId);
    } else if (isOfRequest(cause)) {
      Problem problem =
          Problem.invalid("bad_request", null, "The request breaks off, or cannot be read.");
      Problems.answer(transfer, problem, requestId);
    } else {
      LOG.error("{} {} {} failed", requestId, exchange.method(), exchange.route(), cause);
      Problems.answer(transfer, Problem.internal(requestId), requestId);
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

  private void unknown(Transfer transfer) {
    answer(
        transfer,
        NO_ROUTE,
        Map.of(),
        exchange -> {
          throw Problem.notFound("Invalid URL (" + transfer.method() + " " + transfer.path() + ")");
        });
  }

  /** How many streams are open. */
  public int openStreams() {
    return streams.count();
  }

  /** Ends all streams. */
  @Override
  public void close() {
    streams.close();
    turns.shutdown();
  }
}
