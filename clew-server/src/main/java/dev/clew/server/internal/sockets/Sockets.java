package dev.clew.server.internal.sockets;

import dev.clew.kit.Daemons;
import dev.clew.server.internal.http.Admission;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Upgrade;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.eclipse.jetty.websocket.api.StatusCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open sockets of a server: limits their number, looks after them every second, and ends them
 * when the server stops. Thread-safe.
 */
public final class Sockets {
  private static final Logger LOG = LoggerFactory.getLogger(Sockets.class);
  static final int MOST = 2_000;
  static final int MOST_OF_OWNER = 500;
  private static final Duration LAST_MOMENT = Duration.ofSeconds(1);
  private static final long LOOK_SECONDS = 1;

  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> ofOwners = new HashMap<>();
  private final ScheduledExecutorService looks = timer("clew-sockets");

  /** Asks the store, so it must not delay the pings. */
  private final ScheduledExecutorService passes = timer("clew-socket-passes");

  private int all;
  private boolean stopping;

  public Sockets() {
    every(looks, () -> each(socket -> socket.look(System.nanoTime())));
    every(passes, this::lookAtPasses);
  }

  private static ScheduledExecutorService timer(String name) {
    return Executors.newSingleThreadScheduledExecutor(Daemons.named(name));
  }

  private static void every(ScheduledExecutorService timer, Runnable work) {
    var unused = timer.scheduleWithFixedDelay(work, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  private void each(Consumer<Socket> action) {
    for (Socket socket : open) {
      try {
        action.accept(socket);
      } catch (RuntimeException e) { // the others must not wait for it
        LOG.warn("could not check a WebSocket: {}", e.toString());
      }
    }
  }

  /** Ends sockets whose token was revoked or expired; checks each token once. */
  private void lookAtPasses() {
    Map<Admission.Pass, Boolean> good = new HashMap<>();
    each(
        socket -> {
          Upgrade upgrade = socket.upgrade();
          try {
            if (!good.computeIfAbsent(upgrade.pass(), pass -> upgrade.isGood())) {
              socket.messages().refused();
            }
          } catch (RuntimeException e) { // unknown for now, so check again in a second
            LOG.debug("could not check the token of a WebSocket", e);
            good.put(upgrade.pass(), true);
          }
        });
  }

  /**
   * Makes the connection of a call a socket.
   *
   * @param route what to do with it
   * @throws Problem if the client did not ask for one, or there are too many
   */
  public void open(Call call, Function<Socket, Socket.Messages> route) {
    Upgrade upgrade = call.upgrade();
    enter(upgrade.owner());
    Socket socket = new Socket(upgrade, route, this::leave);
    open.add(socket);
    upgrade.accept(socket, () -> socket.cut("there was no handshake"));
  }

  private synchronized void enter(String owner) {
    if (stopping) {
      throw Problem.unavailable("server_stopping", "The server is stopping; try again.");
    }
    int own = ofOwners.getOrDefault(owner, 0);
    if (own >= MOST_OF_OWNER) {
      throw tooMany("You have " + own + " open WebSockets, which is the limit; close some first.");
    }
    if (all >= MOST) {
      throw tooMany("The server has " + all + " open WebSockets, which is the limit; try again.");
    }
    all++;
    ofOwners.put(owner, own + 1);
  }

  private static Problem tooMany(String message) {
    return Problem.tooMany("too_many_sockets", message, 1);
  }

  private synchronized void leave(Socket socket) {
    open.remove(socket);
    String owner = socket.upgrade().owner();
    all--;
    ofOwners.computeIfPresent(owner, (same, count) -> count == 1 ? null : count - 1);
    notifyAll();
  }

  public synchronized int count() {
    return all;
  }

  /** Opens no more, and closes each when what it runs is over. */
  public void drain() {
    synchronized (this) {
      stopping = true;
    }
    each(socket -> socket.messages().stop());
  }

  /** Waits for a while until all are closed, and closes those that are left. */
  public void close(Duration patience) {
    drain();
    await(patience);
    each(socket -> socket.close(StatusCode.SHUTDOWN, "The server is stopping; connect again."));
    await(LAST_MOMENT);
    each(socket -> socket.cut("the server stops"));
    looks.shutdownNow();
    passes.shutdownNow();
  }

  private synchronized void await(Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    try {
      for (long left = patience.toNanos(); all > 0 && left > 0; left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
