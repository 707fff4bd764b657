package dev.clew.bench;

import dev.clew.Item;
import dev.clew.Session;
import dev.clew.SessionStore;
import dev.clew.Window;
import dev.clew.agent.Agent;
import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.RunConfig;
import dev.clew.agent.RunEvent;
import dev.clew.agent.RunInput;
import dev.clew.agent.RunStream;
import dev.clew.agent.Runner;
import dev.clew.agent.TokenWindow;
import dev.clew.bench.Figure.Target;
import dev.clew.bench.Race.Times;
import dev.clew.sqlite.SqliteStore;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a run costs beside its model: turns with a model that answers at once, so that all of the
 * time is the runner's and the store's. Stateless.
 */
final class RunnerRow implements Row {
  private static final int HISTORY = 1000;
  private static final int SHORT = 500;
  private static final int LONG = 50_000;
  private static final int WINDOW = 50;
  private static final int TOKENS = 8000;
  private static final int BLOCK = 20;
  private static final int COPIES = 60;

  /* As long as the items of the histories, so that a window holds as many of them. */
  private static final String QUESTION =
      "What state is the Golden Gate Bridge in, how long is it, when was it opened, and what should"
          + " we know before we walk across it with two small children on a Sunday in November?";
  private static final Item ANSWER =
      Item.assistant(
          "California. It is 2,737 metres long and was opened in 1937. The eastern footpath is open"
              + " from five in the morning; it is windy and cold, so bring jackets, and hold hands.");
  private static final Agent AGENT =
      Agent.builder().name("Guide").instructions("Answer with compact travel facts.").build();
  private static final Runner RUNNER = Runner.with(new Instant());

  /** Answers before it is asked. */
  private static final class Instant implements Model {
    private static final ModelResponse RESPONSE = ModelResponse.of(ANSWER);

    @Override
    public ModelResponse respond(ModelRequest request) {
      return RESPONSE;
    }

    @Override
    public ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
      listener.accept(new ModelEvent.TextDelta("The "));
      return RESPONSE;
    }
  }

  @Override
  public void measure(Lab lab) throws Exception {
    Path file = lab.file("runner.db");
    try (Fixture fixture = new Fixture(file)) {
      fixture.session("history", HISTORY);
      fixture.session("stream", HISTORY);
      fixture.session("appends", HISTORY);
      fixture.session("long", LONG);
      for (int i = 0; i < COPIES; i++) {
        fixture.session("short" + i, SHORT);
      }
    }
    try (SessionStore store = SqliteStore.open(file)) {
      turns(lab, store);
      tokens(lab, store);
    }
  }

  private static void turns(Lab lab, SessionStore store) throws Exception {
    RunConfig config =
        RunConfig.DEFAULT.session(store.session("history")).window(Window.lastItems(WINDOW));
    RunConfig streamed = config.session(store.session("stream"));
    Times times =
        new Race()
            .add("run", () -> time(() -> run(config)))
            .add("streamed", () -> firstTokens(streamed))
            .add("appends", () -> time(() -> appends(store.session("appends"))))
            .run(lab.rounds, lab.size(20, 3), lab.warmUpMillis());
    String appends = "the two appends of a turn alone: " + times.micros("appends", BLOCK) + " µs";
    lab.report(
        "a turn with an instant model, SQLite, 1,000 items, window 50",
        times.micros("run", BLOCK).times(1e-3),
        " ms",
        Target.atMost(1),
        appends);
    lab.report(
        "… delay of the first streamed token",
        times.micros("streamed", BLOCK).times(1e-3),
        " ms",
        Target.atMost(2),
        "");
    lab.report("… allocated", allocated(config), " KiB", Target.NONE, "by the thread of the run");
  }

  private static void tokens(Lab lab, SessionStore store) throws Exception {
    RunConfig config = RunConfig.DEFAULT.window(TokenWindow.of(TOKENS));
    int[] blocks = new int[1];
    Times times =
        new Race()
            .add("long", () -> time(() -> run(config.session(store.session("long")))))
            .add(
                "short",
                () -> {
                  Session next = store.session("short" + blocks[0]++ % COPIES);
                  run(config.session(next)); // in use, as the long one is
                  return time(() -> run(config.session(next)));
                })
            .run(lab.rounds, lab.size(10, 3), lab.warmUpMillis());
    lab.report(
        "a turn with tokens(8000): 50,000 items over 500",
        times.ratio("long", "short"),
        "",
        Target.atMost(1.5),
        "µs at 50,000: "
            + times.micros("long", BLOCK)
            + ", at 500: "
            + times.micros("short", BLOCK));
    lab.report(
        "… allocated",
        allocated(config.session(store.session("long"))),
        " KiB",
        Target.NONE,
        "by the thread of the run, at 50,000 items");
  }

  private static void run(RunConfig config) {
    RUNNER.run(AGENT, RunInput.text(QUESTION), config);
  }

  private static void appends(Session session) {
    session.addItems(List.of(Item.user(QUESTION)));
    session.addItems(List.of(ANSWER));
  }

  private static long time(Runnable work) {
    long start = System.nanoTime();
    for (int i = 0; i < BLOCK; i++) {
      work.run();
    }
    return System.nanoTime() - start;
  }

  private static long firstTokens(RunConfig config) {
    long sum = 0;
    for (int i = 0; i < BLOCK; i++) {
      long start = System.nanoTime();
      try (RunStream stream = RUNNER.runStreamed(AGENT, RunInput.text(QUESTION), config)) {
        for (RunEvent event : stream) {
          if (event instanceof RunEvent.TextDelta) {
            sum += System.nanoTime() - start;
          }
        }
      }
    }
    return sum;
  }

  private static Samples allocated(RunConfig config) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    double[] kib = new double[BLOCK];
    for (int i = 0; i < BLOCK; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      run(config);
      kib[i] = (threads.getCurrentThreadAllocatedBytes() - before) / 1024.0;
    }
    return Samples.of(kib);
  }
}
