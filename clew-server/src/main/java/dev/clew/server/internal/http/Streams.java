package dev.clew.server.internal.http;

import dev.clew.kit.Daemons;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open streams of a server: keeps them alive, and ends them when the server stops or the
 * reader's token is no longer valid. Thread-safe.
 */
final class Streams implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Streams.class);
  private static final long PING_SECONDS = 15;
  private static final long LOOK_SECONDS = 1;

  private final Admission admission;
  private final Map<EventStream, Admission.Pass> open = new ConcurrentHashMap<>();
  private final ScheduledExecutorService pings = timer("clew-stream-pings");

  /** Asks the store, so it must not delay the pings. */
  private final ScheduledExecutorService looks = timer("clew-stream-passes");

  Streams(Admission admission) {
    this.admission = admission;
    var unused =
        pings.scheduleAtFixedRate(
            () -> open.keySet().forEach(EventStream::ping),
            PING_SECONDS,
            PING_SECONDS,
            TimeUnit.SECONDS);
    var unusedToo =
        looks.scheduleWithFixedDelay(
            this::lookAtPasses, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  private static ScheduledExecutorService timer(String name) {
    return Executors.newSingleThreadScheduledExecutor(Daemons.named(name));
  }

  EventStream open(
      Transfer transfer,
      Admission.Pass pass,
      Budget.Share memory,
      Function<Problem, String> lastWords) {
    EventStream stream = EventStream.open(transfer, memory, lastWords);
    open.put(stream, pass);
    stream.onEnd(() -> open.remove(stream));
    return stream;
  }

  /** Breaks off streams whose token was revoked or expired; checks each token once. */
  private void lookAtPasses() {
    Map<Admission.Pass, Boolean> good = new HashMap<>();
    open.forEach(
        (stream, pass) -> {
          try {
            if (!good.computeIfAbsent(pass, admission::isGood)) {
              stream.breakOff(PassWatch.refusal());
            }
          } catch (Throwable e) { // unknown for now, so check again in a second
            LOG.debug("could not check the token of a stream", e);
            good.put(pass, true);
          }
        });
  }

  int count() {
    return open.size();
  }

  @Override
  public void close() {
    pings.shutdownNow();
    looks.shutdownNow();
    open.keySet().forEach(EventStream::end);
  }
}
