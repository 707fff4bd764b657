package dev.clew.server.http;

import dev.clew.ClewException;
import dev.clew.server.auth.Cookies;
import dev.clew.server.auth.Gate;
import dev.clew.server.auth.Principal;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import jakarta.servlet.Servlet;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
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

  private final RouteTable routes;
  private final Gate gate;
  private final Origins origins;
  private final List<Onlooker> onlookers;
  private final Streams streams = new Streams();

  public Dispatcher(List<Route> routes, Gate gate, Origins origins, List<Onlooker> onlookers) {
    this.routes = new RouteTable(routes);
    this.gate = gate;
    this.origins = origins;
    this.onlookers = List.copyOf(onlookers);
  }

  /** The routes as a servlet. */
  Servlet servlet() {
    return Javalin.create(this::configure).javalinServlet();
  }

  private void configure(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.startupWatcherEnabled = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.http.defaultContentType = "application/json";
    config.http.generateEtags = false;
    config.http.asyncTimeout = 0; // streams end when they end
    config.http.maxRequestSize = Long.MAX_VALUE; // the listener has measured it before
    // One pattern for all: Javalin would try the patterns of all routes one after the other.
    for (Route.Method method : Route.Method.values()) {
      config.routes.addHttpHandler(
          HandlerType.findOrCreate(method.name()), "/*", context -> route(method, context));
    }
    config.routes.addHttpHandler(
        HandlerType.HEAD,
        "/*",
        context -> {
          if (find(Route.Method.GET, context).isEmpty()) {
            unknown(context);
          }
        });
    config.routes.options(
        "/*",
        context -> answer(context, NO_ROUTE, Map.of(), exchange -> origins.preflight(context)));
    config.routes.error(404, this::unknown);
  }

  private void route(Route.Method method, Context context) {
    Optional<RouteTable.Match> match = find(method, context);
    if (match.isPresent()) {
      serve(match.get().route(), match.get().parameters(), context);
    } else {
      unknown(context);
    }
  }

  private Optional<RouteTable.Match> find(Route.Method method, Context context) {
    try {
      return routes.find(method, context.req().getRequestURI());
    } catch (IllegalArgumentException e) { // nothing can have this name
      return Optional.empty();
    }
  }

  private void serve(Route route, Map<String, String> parameters, Context context) {
    answer(
        context,
        route.path(),
        parameters,
        exchange -> {
          origins.check(context);
          Principal principal =
              gate.admit(
                  route.scope(),
                  context.header("Authorization"),
                  context.cookie(Cookies.NAME),
                  exchange.address());
          if (route.scope() != Scope.OPEN) {
            exchange.principal(principal);
            for (Onlooker onlooker : onlookers) {
              onlooker.admitted(exchange, route, principal);
            }
          }
          route.handler().handle(new Call(context, exchange, principal, streams));
        });
  }

  private interface Work {
    void run(Exchange exchange) throws Exception;
  }

  private void answer(Context context, String route, Map<String, String> parameters, Work work) {
    String requestId = newRequestId();
    context.header(REQUEST_ID, requestId);
    context.header("X-Content-Type-Options", "nosniff");
    Exchange exchange = new Exchange(context, requestId, route, parameters);
    followToItsEnd(context, exchange);
    List<Runnable> leaving = new ArrayList<>(onlookers.size());
    onlookers.forEach(onlooker -> leaving.add(0, onlooker.begun(exchange)));
    try {
      work.run(exchange);
    } catch (Exception e) {
      failed(context, e, exchange);
    } finally {
      exchange.status(context.statusCode());
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
  private void followToItsEnd(Context context, Exchange exchange) {
    ServletContextRequest request = ServletContextRequest.getServletContextRequest(context.req());
    Request.addCompletionListener(
        request,
        failure -> {
          exchange.end(request.getServletContextResponse().getStatus());
          onlookers.forEach(onlooker -> onlooker.answered(exchange));
        });
  }

  /** Answers a call that went wrong, now or later. */
  static void failed(Context context, Throwable failure, Exchange exchange) {
    String requestId = exchange.requestId();
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof Problem problem) {
      Problems.answer(context, problem, requestId);
    } else if (cause instanceof ClewException e) {
      Problem problem = Problems.of(e, requestId);
      if (problem.status() >= 500) { // the rest is the caller's, and may quote what was sent
        LOG.warn("{} {} {}: {}", requestId, exchange.method(), exchange.route(), e.toString());
      }
      Problems.answer(context, problem, requestId);
    } else if (isOfRequest(cause)) {
      Problem problem =
          Problem.invalid("bad_request", null, "The request breaks off, or cannot be read.");
      Problems.answer(context, problem, requestId);
    } else {
      LOG.error("{} {} {} failed", requestId, exchange.method(), exchange.route(), cause);
      Problems.answer(context, Problem.internal(requestId), requestId);
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

  /** A path that is no route; an answer of 404 by a route is there already. */
  private void unknown(Context context) {
    if (context.res().getHeader(REQUEST_ID) == null) {
      answer(
          context,
          NO_ROUTE,
          Map.of(),
          exchange -> {
            throw Problem.notFound("Invalid URL (" + context.method() + " " + context.path() + ")");
          });
    }
  }

  /** How many streams are open. */
  public int openStreams() {
    return streams.count();
  }

  /** Ends all streams. */
  @Override
  public void close() {
    streams.close();
  }
}
