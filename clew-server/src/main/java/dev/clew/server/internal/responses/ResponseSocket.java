package dev.clew.server.internal.responses;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.json.UncheckedJson;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.runs.EventLog.Event;
import dev.clew.server.internal.runs.EventLogs;
import dev.clew.server.internal.runs.EventLogs.Following;
import dev.clew.server.internal.runs.Stop;
import dev.clew.server.internal.sockets.MessageLanes;
import dev.clew.server.internal.sockets.Socket;
import dev.clew.server.internal.wire.ConversationIds;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.websocket.api.StatusCode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Responses over a WebSocket. Thread-safe.
 *
 * <p>Each message is a request, and its turn the same as over HTTP; only the events go out as
 * messages, and the newest unstored response of each lane can be followed.
 */
final class ResponseSocket implements Socket.Messages {
  private static final Logger LOG = LoggerFactory.getLogger(ResponseSocket.class);
  private static final Duration LONGEST = Duration.ofMinutes(60);
  private static final String NOT_VALID = "The API key is not valid any more.";
  private static final String OLD = "It has been open for too long; connect again.";
  private static final int AT_ONCE = 16;
  private static final int MOST_LANES = 32;

  /** How many messages beyond the limit of requests are answered. */
  private static final int MOST_TOO_MANY = 100;

  /** How far a client may be behind before the model waits for it. */
  private static final long MOST_BEHIND = 4 << 20;

  private static final Set<String> LAST =
      Set.of("response.completed", "response.incomplete", "response.failed");

  private final Socket socket;
  private final ResponseStarts starts;
  private final ResponseServices services;
  private final boolean strict;
  private final Instant end;
  private final MessageLanes lanes = new MessageLanes(AT_ONCE);
  private final Set<String> names = new HashSet<>(); // used by one thread at a time
  private final UnstoredResponses unstored = new UnstoredResponses();
  private final AtomicInteger tooMany = new AtomicInteger();
  private final Set<Exchange> running = ConcurrentHashMap.newKeySet();
  private volatile boolean over;
  private volatile boolean stopping;
  private volatile boolean toldOld;

  ResponseSocket(Socket socket, ResponseStarts starts, ResponseServices services, boolean strict) {
    this.socket = socket;
    this.starts = starts;
    this.services = services;
    this.strict = strict;
    this.end = services.clock().instant().plus(LONGEST);
  }

  @Override
  public void text(String message, Runnable done) {
    SocketRequest request = counted(SocketRequest.read(message));
    if (request.kind() == SocketRequest.Kind.STEER) {
      String lane = laneOf(request.previous().orElse("")).orElse(request.lane());
      socket.send(request.steerFailed(ConversationIds.random("steer_", 32), lane));
      done.run();
    } else if (!request.lane().isEmpty() && isTooManyLanes(request.lane())) {
      // At once: nothing else is under way in this lane.
      new Exchange(request, done).refuse(tooManyLanes());
    } else {
      add(request, done);
    }
  }

  @Override
  public void binary(Runnable done) {
    Problem problem =
        Problem.invalid("invalid_message", null, "Send each message as text, not as binary data.");
    add(counted(SocketRequest.refused(problem)), done);
  }

  /**
   * Counts a message, also one that cannot be read, against the limits of the caller. A client that
   * goes on all the same has to connect again, which is limited too.
   */
  private SocketRequest counted(SocketRequest request) {
    try {
      socket.upgrade().received();
      return request;
    } catch (Problem e) {
      if (tooMany.incrementAndGet() == MOST_TOO_MANY) {
        socket.close(StatusCode.TRY_AGAIN_LATER, String.valueOf(e.getMessage()));
      }
      return request.with(e);
    }
  }

  private void add(SocketRequest request, Runnable done) {
    lanes.add(
        request.lane(),
        next -> {
          Exchange exchange =
              new Exchange(
                  request,
                  () -> {
                    done.run();
                    next.run();
                  });
          if (!socket.upgrade().execute(exchange::begin)) {
            exchange.refuse(Problem.tooMany("Too many responses are in progress; try again.", 1));
          }
        });
  }

  /** The lane in which a response is under way. */
  private Optional<String> laneOf(String response) {
    return running.stream()
        .filter(each -> each.isOf(response))
        .map(each -> each.request.lane())
        .findFirst();
  }

  private boolean isTooManyLanes(String lane) {
    return !names.contains(lane) && (names.size() >= MOST_LANES || !names.add(lane));
  }

  private static Problem tooManyLanes() {
    return Problem.invalid(
        "websocket_stream_limit_reached",
        "stream_id",
        "This WebSocket has used " + MOST_LANES + " streams, which is the limit; open another.");
  }

  private boolean isOld() {
    return services.clock().instant().isAfter(end);
  }

  private static Problem old() {
    return Problem.invalid(
        "websocket_connection_limit_reached",
        null,
        "This WebSocket has been open for "
            + LONGEST.toMinutes()
            + " minutes, which is the limit;"
            + " open another.");
  }

  /** Ends the socket when it is old or the server stops, and nothing is under way. */
  @Override
  public void look() {
    if (!lanes.isIdle()) {
      return;
    }
    if (stopping) {
      socket.close(StatusCode.SHUTDOWN, "The server is stopping; connect again.");
    } else if (toldOld) {
      socket.close(StatusCode.SHUTDOWN, OLD);
    } else if (isOld()) {
      endWith(old(), StatusCode.SHUTDOWN, OLD);
    }
  }

  @Override
  public void refused() {
    endWith(noLongerValid(), StatusCode.POLICY_VIOLATION, NOT_VALID);
  }

  private static Problem noLongerValid() {
    return Problem.unauthorized("The API key of this WebSocket is not valid any more.");
  }

  private void endWith(Problem problem, int code, String reason) {
    String requestId = socket.upgrade().newRequestId();
    socket.send(SocketRequest.refused(problem).refusal(problem, requestId));
    socket.close(code, reason);
    running.forEach(Exchange::leave);
  }

  @Override
  public void stop() {
    stopping = true;
    look();
  }

  @Override
  public void over() {
    over = true;
    unstored.close();
    running.forEach(Exchange::leave);
  }

  /** One request and its response. */
  private final class Exchange implements Reader, EventLogs.Outlet, Runnable {
    private final SocketRequest request;
    private final Runnable done;
    private final String requestId = socket.upgrade().newRequestId();
    private final long begunAt = System.nanoTime();
    private final CompletableFuture<Following> following = new CompletableFuture<>();
    private volatile @Nullable ResponseTurn turn;
    private volatile boolean answered;

    // Guarded by this.
    private long sent;
    private boolean left;
    private boolean ended;

    Exchange(SocketRequest request, Runnable done) {
      this.request = request;
      this.done = done;
    }

    boolean isOf(String response) {
      ResponseTurn run = turn;
      return run != null && run.id().equals(response);
    }

    /** On a thread of its own. */
    void begin() {
      running.add(this);
      try {
        if (over) {
          finish(499);
          return;
        }
        if (!socket.upgrade().isGood()) {
          refuse(noLongerValid());
          socket.close(StatusCode.POLICY_VIOLATION, NOT_VALID);
          return;
        }
        check();
        start();
      } catch (Throwable e) { // errors too: the client waits for an answer
        refuse(problem(e));
      }
    }

    private void check() {
      Problem wrong = request.problem();
      if (wrong != null) {
        throw wrong;
      }
      if (isOld()) {
        toldOld = true;
        throw old();
      }
    }

    private void start() {
      String id = ResponseJson.newId();
      ResponseTurn started =
          starts.start(
              socket.upgrade().owner(),
              requestId,
              id,
              request.request(strict),
              Optional.empty(),
              this);
      turn = started;
      following.complete(services.logs().follow(started.log().orElseThrow(), this));
      if (over) {
        leave();
      }
    }

    private Problem problem(Throwable failure) {
      if (failure instanceof Problem known) {
        return known;
      }
      if (failure instanceof ClewException known) {
        Problem problem = Problem.of(known, requestId);
        if (problem.status() >= 500) {
          LOG.warn("{} a message: {}", requestId, failure.toString());
        }
        return problem;
      }
      LOG.error("{} a message failed", requestId, failure);
      return Problem.internal(requestId);
    }

    void refuse(Problem problem) {
      request.previous().ifPresent(id -> unstored.evict(request.lane(), id));
      socket.send(request.refusal(problem, requestId));
      finish(problem.status());
    }

    private void finish(int status) {
      synchronized (this) {
        if (ended) {
          return;
        }
        ended = true;
        notifyAll();
      }
      running.remove(this);
      socket.upgrade().answered(requestId, status, System.nanoTime() - begunAt);
      done.run();
      if (stopping) {
        look();
      }
    }

    /** The client is gone: what is stored goes on, as over HTTP. */
    void leave() {
      synchronized (this) {
        left = true;
        notifyAll();
      }
      ResponseTurn run = turn;
      if (run == null) {
        return; // not begun yet
      }
      var unused = following.thenAccept(Following::close);
      if (!run.asked().request().store()) {
        run.stop(Stop.Reason.CANCELLED);
      }
      finish(499);
    }

    @Override
    public Optional<List<Item>> remembered(String response) {
      return unstored.find(response);
    }

    @Override
    public synchronized boolean awaitRoom(long added, Duration patience) {
      if (!left && added - sent > MOST_BEHIND) {
        try {
          TimeUnit.MILLISECONDS.timedWait(this, patience.toMillis());
        } catch (InterruptedException e) { // the turn must stop
          Thread.currentThread().interrupt();
          return true;
        }
      }
      return left || added - sent <= MOST_BEHIND;
    }

    // The events of the turn, by one thread at a time.

    @Override
    public boolean hasRoom() {
      return socket.hasRoom(this);
    }

    /** There is room again. */
    @Override
    public void run() {
      var unused = following.thenAccept(Following::run);
    }

    @Override
    public void send(Event event) {
      if (LAST.contains(event.name())) {
        answered = true;
        remember(event);
      }
      if (!event.name().equals("error")) { // the failed response, which comes next, says it
        socket.enqueue(SocketRequest.inLane(request.lane(), event.data()));
      }
      synchronized (this) {
        sent += event.data().length();
        notifyAll();
      }
    }

    @Override
    public void flush() {
      socket.flush();
    }

    /** Before the client can know that the response is over, and follow it. */
    private void remember(Event last) {
      ResponseTurn run = turn;
      if (last.name().equals("response.failed")) {
        request.previous().ifPresent(id -> unstored.evict(request.lane(), id));
      } else if (run == null || run.asked().request().store()) {
        unstored.forget(request.lane());
      } else {
        String response = UncheckedJson.fields(last.data()).getOrDefault("response", "{}");
        unstored.put(request.lane(), run.id(), run.contextWith(response));
      }
    }

    @Override
    public void end() {
      if (answered) {
        finish(200);
      } else {
        refuse(Problem.internal(requestId));
      }
    }
  }
}
