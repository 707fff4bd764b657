package dev.clew.server.internal.http;

import dev.clew.ClewException;
import dev.clew.kit.Daemons;
import dev.clew.server.operate.Scope;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
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

/** Routes requests, admits their callers and turns failures into answers. Thread-safe. */
public final class Dispatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
  private static final String REQUEST_ID = "x-request-id";
  private static final int MOST_LONG_CALLS = 600;

  /** The status in logs and metrics when the client left before the answer. */
  private static final int LEFT = 499;

  /** Headers that may be sent only once, so that nobody can choose which one counts. */
  private static final List<String> ONCE = List.of("Authorization", "Origin");

  /** Parsing a larger body would delay other connections. */
  private static final int SHORT_BODY = 64 << 10;

  private final RouteTable routes;
  private final Admission admission;
  private final Origins origins;
  private final List<CallListener> listeners;
  private final Streams streams;
  private final Upgrades upgrades;
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
    this.upgrades = new Upgrades(admission, this.listeners, incoming, outgoing, longCalls);
  }

  void refusedUnread(int status) {
    listeners.forEach(listener -> listener.refusedUnread(status));
  }

  /** The budgets for bodies and answers, which need a clock. */
  List<Budget> budgets() {
    return List.of(incoming, outgoing);
  }

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

  /** A head arrived. Caller, origin and route are checked before the body is read. */
  private void begin(Transfer transfer) {
    Call call = new Call(transfer, newRequestId(), find(transfer), admission, streams, upgrades);
    transfer.whenOver(
        failure -> {
          call.end(failure == null ? transfer.status() : LEFT);
          listeners.forEach(listener -> listener.answered(call));
        });
    if (call.scope() == Scope.OPEN || admission.knows(transfer.header("Authorization"))) {
      enter(call, false);
    } else {
      give(call, transfer.executor(), () -> enter(call, true));
    }
  }

  /**
   * Admits the caller and reads the body.
   *
   * @param mayWait whether this thread may block briefly
   */
  private void enter(Call call, boolean mayWait) {
    Transfer transfer = call.transfer();
    Principal principal;
    try {
      principal = admit(call);
    } catch (Throwable e) {
      if (mayWait) {
        refuse(call, e);
      } else { // refusing writes to the audit log
        give(call, transfer.executor(), () -> refuse(call, e));
      }
      return;
    }
    if (!transfer.hasBody() || call.mostBytes() == Route.STREAM) {
      proceed(call, principal, mayWait);
      return;
    }
    Optional<ContentCoding> coding = ContentCoding.of(transfer); // known: the call was admitted
    Budget.Share memory = incoming.share(caller(call));
    transfer.whenOver(failure -> memory.close());
    Thread here = Thread.currentThread();
    new Intake(transfer, call.mostBytes())
        .read(
            memory,
            failure -> {
              if (failure == null && coding.isPresent()) {
                give(
                    call, transfer.executor(), () -> decode(call, principal, coding.get(), memory));
              } else if (failure == null) {
                proceed(call, principal, mayWait && Thread.currentThread() == here);
              } else {
                transfer.answer().leaveUnread();
                give(call, transfer.executor(), () -> answer(call, failing(failure)));
              }
            });
  }

  private void decode(Call call, Principal principal, ContentCoding coding, Budget.Share memory) {
    Transfer transfer = call.transfer();
    Pace.of(transfer.request()).received(System.nanoTime());
    try {
      transfer.received(coding.decode(transfer.content(), call.mostBytes(), memory));
    } catch (Throwable e) {
      answer(call, failing(e));
      return;
    }
    proceed(call, principal, true);
  }

  static String caller(Call call) {
    return call.caller().map(who -> "owner " + who.owner()).orElse(call.address());
  }

  /** All checks that do not need the body. */
  private Principal admit(Call call) {
    Transfer transfer = call.transfer();
    for (String name : ONCE) {
      if (transfer.repeats(name)) {
        throw Problem.invalid("bad_request", name, "The header '" + name + "' was sent twice.");
      }
    }
    if (transfer.method().equals("OPTIONS")) {
      checkBody(call);
      return admission.identify(Scope.OPEN, null, null, call.address());
    }
    if (call.handledBy().isEmpty()) {
      throw Problem.notFound("Invalid URL (" + transfer.method() + " " + transfer.path() + ")");
    }
    Route route = call.handledBy().get();
    origins.check(transfer, route.scope() == Scope.OPEN);
    Principal principal =
        admission.identify(
            route.scope(),
            transfer.header("Authorization"),
            transfer.cookie(admission.cookieName()),
            call.address());
    if (route.scope() != Scope.OPEN) {
      call.signedIn(principal);
      principal.require(route.scope());
      for (CallListener listener : listeners) {
        listener.admitted(call, route, principal);
      }
    }
    checkBody(call);
    return principal;
  }

  private static void checkBody(Call call) {
    var unused = ContentCoding.of(call.transfer());
    if (call.mostBytes() != Route.STREAM && call.transfer().length() > call.mostBytes()) {
      throw Intake.tooLarge(call.mostBytes());
    }
  }

  /** Answers without the body; a short one is read, so that the connection can stay open. */
  private void refuse(Call call, Throwable reason) {
    Transfer transfer = call.transfer();
    if (!transfer.hasBody()) {
      answer(call, failing(reason));
    } else if (transfer.length() > 0
        && transfer.length() <= Budget.SMALL
        && transfer.header("Expect") == null) {
      new Intake(transfer, Budget.SMALL)
          .drop(() -> give(call, transfer.executor(), () -> answer(call, failing(reason))));
    } else {
      transfer.answer().leaveUnread();
      answer(call, failing(reason));
    }
  }

  private static Work failing(Throwable reason) {
    return () -> {
      throw reason;
    };
  }

  private void proceed(Call call, Principal principal, boolean mayWait) {
    Transfer transfer = call.transfer();
    Pace.of(transfer.request()).received(System.nanoTime());
    Runnable work = () -> answer(call, () -> handle(call, principal));
    Route.Waits waits = call.handledBy().map(Route::waits).orElse(Route.Waits.NEVER);
    if (waits == Route.Waits.LONG) {
      give(call, longCalls, work);
    } else if (mayWait || (waits == Route.Waits.NEVER && transfer.content().length <= SHORT_BODY)) {
      work.run();
    } else {
      give(call, transfer.executor(), work);
    }
  }

  private void handle(Call call, Principal principal) throws Exception {
    Transfer transfer = call.transfer();
    if (call.handledBy().isEmpty()) {
      origins.preflight(transfer);
    } else {
      Route route = call.handledBy().get();
      call.admitted(principal, outgoing.share(caller(call)));
      route.handler().handle(call);
    }
  }

  private void give(Call call, Executor threads, Runnable work) {
    if (!call.transfer().runBy(threads, work)) {
      answer(call, failing(Problem.tooMany("Too many responses are in progress; try again.", 1)));
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
    } catch (IllegalArgumentException e) { // no route can match
      return Optional.empty();
    }
  }

  private interface Work {
    void run() throws Throwable;
  }

  private void answer(Call call, Work work) {
    Transfer transfer = call.transfer();
    List<Runnable> leaving = new ArrayList<>(listeners.size());
    try {
      transfer.setHeader(REQUEST_ID, call.requestId());
      transfer.setHeader("X-Content-Type-Options", "nosniff");
      transfer.setHeader("Cache-Control", "no-store"); // files of the page override it
      listeners.forEach(listener -> leaving.add(0, listener.begun(call)));
      try {
        work.run();
      } catch (Throwable e) { // errors too: the caller gets an answer, the log a stack trace
        failed(call, e);
      }
      call.status(transfer.status());
      listeners.forEach(listener -> listener.handled(call));
    } catch (Throwable e) { // all that is left is to end the call
      transfer.finish(e);
      LOG.error("{} could not be answered", call.requestId(), e);
    } finally {
      leaving.forEach(Runnable::run);
    }
    transfer.answer().handled();
  }

  /** Not a secret, so a fast random will do. */
  static String newRequestId() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    HexFormat hex = HexFormat.of();
    return "req_" + hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
  }

  static void failed(Call call, Throwable failure) {
    Transfer transfer = call.transfer();
    String requestId = call.requestId();
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof Problem problem) {
      if (problem.status() == 401) {
        transfer.setHeader("WWW-Authenticate", call.challenge());
      }
      transfer.answer().set(problem, requestId);
    } else if (cause instanceof ClewException e) {
      Problem problem = Problem.of(e, requestId);
      if (problem.status() >= 500) { // other messages may quote the request
        LOG.warn("{} {} {}: {}", requestId, call.method(), call.route(), e.toString());
      }
      transfer.answer().set(problem, requestId);
    } else if (isOfRequest(cause)) {
      Problem problem =
          Problem.invalid("bad_request", null, "The request is incomplete or malformed.");
      transfer.answer().set(problem, requestId);
    } else {
      LOG.error("{} {} {} failed", requestId, call.method(), call.route(), cause);
      transfer.answer().set(Problem.internal(requestId), requestId);
    }
  }

  private static boolean isOfRequest(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof EofException
          || (cause instanceof HttpException http && http.getCode() < 500)) {
        return true;
      }
    }
    return false;
  }

  public int bodyBytes() {
    return (int) Math.min(Integer.MAX_VALUE, incoming.used());
  }

  public int answerBytes() {
    return (int) Math.min(Integer.MAX_VALUE, outgoing.used());
  }

  public int openStreams() {
    return streams.count();
  }

  @Override
  public void close() {
    streams.close();
    longCalls.shutdown();
  }
}
