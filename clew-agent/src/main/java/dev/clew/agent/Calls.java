package dev.clew.agent;

import dev.clew.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls tools, several at once, and makes an output of whatever happens. Stateless. */
final class Calls {
  private static final Logger LOG = LoggerFactory.getLogger(Calls.class);

  private Calls() {}

  /** A call that has ended, what came of it, and how long it took. */
  record Done(View.FunctionCall call, ToolOutput output, Duration took) {
    ToolUse.Done use() {
      return new ToolUse.Done(call, output.text());
    }
  }

  /** A call and the tool for it. */
  record Planned(View.FunctionCall call, Tool tool) {}

  private record Running(
      Planned planned, Future<Object> future, long begun, AtomicLong ended, long deadline) {
    /** Until it ended, or until now if it goes on although nobody waits for it. */
    Duration took() {
      long until = ended.get() == 0 ? System.nanoTime() : ended.get();
      return Duration.ofNanos(until - begun);
    }
  }

  /** The outputs in the order of the calls; those that finished, if it is cancelled. */
  static List<Done> run(
      List<Planned> calls,
      RunContext context,
      Consumer<RunEvent> events,
      Cancellation cancellation) {
    List<Running> running = new ArrayList<>();
    for (Planned planned : calls) {
      View.FunctionCall call = planned.call();
      events.accept(new RunEvent.ToolStarted(call.callId(), call.name(), call.arguments()));
      ToolCall toolCall = new ToolCall(call.callId(), call.arguments(), context);
      Duration limit = planned.tool().timeout();
      long now = System.nanoTime();
      AtomicLong ended = new AtomicLong();
      running.add(
          new Running(
              planned,
              Workers.SHARED.submit(() -> timed(() -> planned.tool().call(toolCall), ended)),
              now,
              ended,
              now + limit.toNanos()));
    }
    Map<String, Done> done = new LinkedHashMap<>();
    for (Running each : running) {
      View.FunctionCall call = each.planned().call();
      ToolOutput outcome = await(each, cancellation);
      if (outcome == null) {
        break;
      }
      events.accept(
          new RunEvent.ToolFinished(call.callId(), call.name(), outcome.text(), outcome.failed()));
      done.put(call.callId(), new Done(call, outcome, each.took()));
    }
    running.forEach(each -> each.future().cancel(true));
    return List.copyOf(done.values());
  }

  private static Object timed(Callable<Object> call, AtomicLong ended) throws Exception {
    try {
      return call.call();
    } finally {
      ended.set(System.nanoTime());
    }
  }

  private static @org.jspecify.annotations.Nullable ToolOutput await(
      Running running, Cancellation cancellation) {
    String name = running.planned().call().name();
    boolean cancelled = false;
    try {
      cancellation.enter();
      Object value =
          running.future().get(running.deadline() - System.nanoTime(), TimeUnit.NANOSECONDS);
      return value instanceof ToolOutput output
          ? output
          : ToolOutput.of(Schemas.text(value), false);
    } catch (TimeoutException e) {
      running.future().cancel(true);
      LOG.debug("tool '{}' took longer than {}", name, running.planned().tool().timeout());
      return ToolOutput.of(
          failure(name, "it took longer than " + running.planned().tool().timeout()), true);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      LOG.debug("tool '{}' failed", name, cause);
      return ToolOutput.of(failure(name, cause), true);
    } catch (InterruptedException | Cancellation.Cancelled e) {
      cancelled = true;
      return null;
    } catch (IllegalArgumentException e) {
      return ToolOutput.of(failure(name, e), true); // an answer that is not JSON
    } finally {
      if (!cancellation.leave() && cancelled) {
        Thread.currentThread().interrupt(); // not ours: the caller's thread was meant
      }
    }
  }

  /** The output for the model when a tool throws. */
  static String failure(String tool, Throwable cause) {
    String message = cause.getMessage();
    return failure(tool, message == null ? cause.getClass().getSimpleName() : message);
  }

  private static String failure(String tool, String reason) {
    return "Error: tool '" + tool + "' failed: " + reason;
  }
}
