package dev.clew.bench;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.bench.Figure.Target;
import dev.clew.server.ClewServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.ServerSettings;
import dev.clew.sqlite.SqliteStore;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Scrolls through a long list of conversations in a real browser. Stateless. */
final class ScrollRow implements Row {
  private static final String OWNER = "bench";
  private static final int PAGES = 20;

  /** Before anything of the page runs: how somebody scrolls to the end of the list. */
  private static final String SCROLLER =
      """
      window.last = () =>
        Number([...document.querySelectorAll('clew-conversation-list .row')].at(-1)?.ariaPosInSet);
      window.onward = async () => {
        const pane = document.querySelector('clew-conversation-list .list');
        const from = last();
        const begin = performance.now();
        while (last() === from) {
          pane.scrollTop = pane.scrollHeight;
          await new Promise(requestAnimationFrame);
        }
        return performance.now() - begin;
      };
      window.pages = async (count) => {
        let millis = 0;
        for (let i = 0; i < count; i++) {
          millis += await onward();
        }
        return millis / count;
      };
      window.until = async (row) => {
        while (last() < row) {
          await onward();
        }
      };
      window.jump = async () => {
        const pane = document.querySelector('clew-conversation-list .list');
        for (let i = 0; i < 40; i++) {
          pane.scrollTop = ((i * 7919) % 1000) / 1000 * pane.scrollHeight;
          await new Promise(requestAnimationFrame);
        }
      };
      """;

  @Override
  public void measure(Lab lab) throws Exception {
    if (!Chromium.isThere(lab)) {
      return;
    }
    int all = lab.size(100_000, 4_000);
    int deep = lab.size(20_000, 1_500);
    Path file = lab.file("scroll.db");
    try (Fixture fixture = new Fixture(file)) {
      fixture.conversations("clew:" + OWNER + ":", all);
      for (int i = 0; i < lab.rounds; i++) {
        fixture.conversations("clew:" + other(i) + ":", 2 * PAGES * 60);
      }
    }
    try (SessionStore store = SqliteStore.open(file);
        ClewServer server =
            ClewServer.start(
                ServerSettings.of(store).at("127.0.0.1", 0).limits(LimitSettings.NONE));
        Chromium chromium = new Chromium()) {
      try (BrowserContext context = chromium.signedIn(server, token(server, OWNER))) {
        context.addInitScript(SCROLLER);
        Page far = open(context, server);
        int elements = elements(far);
        far.evaluate("row => until(row)", deep);
        double[] there = new double[lab.rounds];
        double[] here = new double[lab.rounds];
        double[] ratios = new double[lab.rounds];
        for (int i = 0; i < lab.rounds; i++) {
          there[i] = number(far.evaluate("count => pages(count)", PAGES));
          here[i] = atTheTop(chromium, server, other(i));
          ratios[i] = there[i] / here[i];
        }
        lab.report(
            String.format(
                Locale.ROOT,
                "the page, next conversations when scrolling: behind %,d over at the top",
                deep),
            Samples.of(ratios),
            "",
            Target.atMost(1.3),
            Samples.of(there) + " ms there, " + Samples.of(here) + " at the beginning");
        Tasks.trace(chromium.browser(), far);
        far.evaluate("() => jump()");
        store.session(new SessionKey(OWNER, "new")).update(SessionUpdate.none().title("New"));
        far.evaluate("() => window.dispatchEvent(new Event('online'))");
        far.evaluate("() => jump()");
        Tasks tasks = Tasks.stop(chromium.browser());
        lab.report(
            "… jumping about there, and one arrives: tasks over 50 ms",
            Samples.of(tasks.longerThan(50)),
            "",
            Target.atMost(0),
            "longest "
                + Samples.number(tasks.longest())
                + " ms, of which it ran "
                + Samples.number(tasks.longestRunning()));
        lab.report(
            "… elements of the page there: over those at the beginning",
            Samples.of((double) elements(far) / elements),
            "",
            Target.atMost(1.3),
            elements + " at the beginning");
      }
    }
  }

  /** Somebody else, of whose conversations the server has read as little as of those far away. */
  private static String other(int round) {
    return "other" + round;
  }

  private static double atTheTop(Chromium chromium, ClewServer server, String owner) {
    try (BrowserContext context = chromium.signedIn(server, token(server, owner))) {
      context.addInitScript(SCROLLER);
      return number(open(context, server).evaluate("count => pages(count)", PAGES));
    }
  }

  private static String token(ClewServer server, String owner) {
    return server.tokens().create(owner, "bench", Scope.OWN, Optional.empty()).secret();
  }

  private static Page open(BrowserContext context, ClewServer server) {
    Page page = context.newPage();
    page.navigate(server.url());
    page.waitForSelector("clew-conversation-list .row");
    return page;
  }

  private static int elements(Page page) {
    return ((Number) page.evaluate("() => document.querySelectorAll('*').length")).intValue();
  }

  private static double number(Object value) {
    return ((Number) value).doubleValue();
  }
}
