package dev.clew.bench;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import dev.clew.Item;
import dev.clew.SearchQuery;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.agent.Agent;
import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.bench.Figure.Target;
import dev.clew.server.ClewServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.ChatSettings;
import dev.clew.server.settings.LimitSettings;
import dev.clew.server.settings.ServerSettings;
import dev.clew.sqlite.SqliteStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The page in a real browser, on the machine of its server. Stateless. */
final class PageRow implements Row {
  private static final String OWNER = "bench";
  private static final int HUGE = 50_000;
  private static final int LONG = 200_000;

  /** Before anything of the page runs: remembers when one could begin to work with it. */
  private static final String WHEN_USABLE =
      "const look = () => document.querySelector('#message') "
          + "&& document.querySelector('clew-conversation-list .row') "
          + "? window.usable = performance.now() : requestAnimationFrame(look); look();";

  private static final String BYTES =
      "() => [...performance.getEntriesByType('navigation'),"
          + " ...performance.getEntriesByType('resource')]"
          + ".reduce((sum, one) => sum + one.transferSize, 0) / 1024";

  private static final String OPEN =
      "async ([title, last]) => { const begin = performance.now();"
          + " [...document.querySelectorAll('clew-conversation-list .row a')]"
          + ".find(a => a.title === title).click();"
          + " while (![...document.querySelectorAll('.markdown')]"
          + ".some(one => one.textContent.includes(last)))"
          + " await new Promise(requestAnimationFrame);"
          + " return performance.now() - begin; }";

  private static final String SEARCH =
      "async (words) => { const field = document.querySelector('#search');"
          + " field.focus(); field.value = words; const begin = performance.now();"
          + " field.dispatchEvent(new Event('input'));"
          + " do { await new Promise(requestAnimationFrame); }"
          + " while (document.querySelector('#found').getAttribute('aria-busy') === 'true');"
          + " return performance.now() - begin; }";

  private static final String SCROLL =
      "() => { const pane = document.querySelector('clew-thread .scroll');"
          + " pane.scrollTop = pane.scrollTop > 200 ? 0 : pane.scrollHeight; }";

  /** At once, as a paste does it. */
  private static final String FILL =
      "(text) => { const field = document.querySelector('#message'); field.value = text;"
          + " field.dispatchEvent(new Event('input', { bubbles: true })); }";

  private static final String FIRST_WORD =
      "async (what) => { const begin = performance.now();"
          + " const place = document.querySelector(what);"
          + " place.requestSubmit ? place.requestSubmit() : place.click();"
          + " while (!document.querySelector('.live .markdown')?.textContent)"
          + " await new Promise(requestAnimationFrame);"
          + " return performance.now() - begin; }";

  /** Writes Markdown, a word each few milliseconds, for a while. */
  private record Talker(int millis) implements Model {
    private static final int WORD_MILLIS = 10;

    @Override
    public ModelResponse respond(ModelRequest request) {
      return ModelResponse.of(Item.assistant("Yes."));
    }

    @Override
    public ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
      StringBuilder all = new StringBuilder();
      for (int i = 0; i < millis / WORD_MILLIS; i++) {
        String word = i % 40 == 39 ? "\n\n- **point** `" + i + "` " : "word" + i + " ";
        all.append(word);
        listener.accept(new ModelEvent.TextDelta(word));
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(WORD_MILLIS));
      }
      return ModelResponse.of(Item.assistant(all.toString()));
    }
  }

  @Override
  public void measure(Lab lab) throws Exception {
    if (!Chromium.isThere(lab)) {
      return;
    }
    int talking = lab.size(10_000, 3_000);
    try (SessionStore store = SqliteStore.open(lab.file("page.db"));
        ClewServer server =
            ClewServer.start(
                ServerSettings.of(store)
                    .at("127.0.0.1", 0)
                    .limits(LimitSettings.NONE)
                    .chat(
                        ChatSettings.DEFAULT
                            .agent(Agent.builder().name("Talker").build())
                            .limit(0, ChatSettings.AtLimit.REFUSE))
                    .model(new Talker(talking), "talker"));
        Chromium chromium = new Chromium()) {
      String token = server.tokens().create(OWNER, "bench", Scope.OWN, Optional.empty()).secret();
      SearchRow.Corpus corpus = new SearchRow.Corpus();
      int items = lab.size(200_000, 4_000);
      SearchRow.fill(store, OWNER, corpus, items);
      while (store.search(SearchQuery.of(OWNER, corpus.word(100))).partial()) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
      huge(store);
      firstLoad(lab, chromium, server, token);
      try (BrowserContext context = chromium.signedIn(server, token)) {
        Page page = context.newPage();
        page.navigate(server.url());
        page.waitForSelector("clew-conversation-list .row");
        opening(lab, page);
        searching(lab, page, corpus, items);
        streaming(lab, chromium.browser(), page, talking);
        longText(lab, chromium.browser(), page);
        firstWord(lab, page);
      }
    }
  }

  private static void huge(SessionStore store) {
    List<Item> items = new ArrayList<>(HUGE);
    for (int i = 0; i < HUGE / 2; i++) {
      items.add(Item.user("question " + i));
      items.add(Item.assistant("the answer is **" + i + "**"));
    }
    titled(store, "huge", "Huge", items);
    titled(store, "small", "Small", List.of(Item.user("hello"), Item.assistant("good evening")));
  }

  private static void titled(SessionStore store, String id, String title, List<Item> items) {
    store.session(new SessionKey(OWNER, id)).addItems(items);
    store.session(new SessionKey(OWNER, id)).update(SessionUpdate.none().title(title));
  }

  private static void firstLoad(Lab lab, Chromium chromium, ClewServer server, String token) {
    double[] millis = new double[lab.rounds];
    double kib = 0;
    for (int i = 0; i < lab.rounds; i++) {
      try (BrowserContext context = chromium.signedIn(server, token)) {
        context.newCDPSession(context.newPage()).send("Network.clearBrowserCache");
        Page page = context.newPage();
        page.addInitScript(WHEN_USABLE);
        page.navigate(server.url());
        page.waitForFunction("() => window.usable");
        millis[i] = number(page.evaluate("() => window.usable"));
        kib = number(page.evaluate(BYTES));
      }
    }
    lab.report(
        "the page, first load, nothing cached: usable",
        Samples.of(millis),
        " ms",
        Target.atMost(700),
        "the list and the message box are there");
    lab.report("… over the wire", Samples.of(kib), " KiB", Target.atMost(160), "");
  }

  private static void opening(Lab lab, Page page) {
    double[] millis = new double[lab.rounds];
    for (int i = 0; i < lab.rounds; i++) {
      page.evaluate(OPEN, List.of("Small", "good evening"));
      millis[i] = number(page.evaluate(OPEN, List.of("Huge", "answer is " + (HUGE / 2 - 1))));
    }
    lab.report(
        "… opening a conversation of 50,000 items: last messages shown",
        Samples.of(millis),
        " ms",
        Target.atMost(500),
        "");
  }

  private static void searching(Lab lab, Page page, SearchRow.Corpus corpus, int items) {
    List<String> queries = corpus.queries(lab.size(10, 2));
    double[] millis = new double[queries.size()];
    for (int pass = 0; pass < 2; pass++) { // the first warms up
      for (int i = 0; i < millis.length; i++) {
        millis[i] = number(page.evaluate(SEARCH, queries.get(i)));
      }
    }
    Samples times = Samples.of(millis);
    lab.report(
        String.format(Locale.ROOT, "… search as one types over %,d items, p95", items),
        Samples.of(times.percentile(95)),
        " ms",
        Target.atMost(150),
        "median "
            + Samples.number(times.median())
            + " ms, worst "
            + Samples.number(times.max())
            + "; with the 50 ms that it waits for another key");
    page.evaluate(SEARCH, "");
  }

  /** Somebody types and scrolls while an answer comes in. */
  private static void streaming(Lab lab, Browser browser, Page page, int talking) {
    page.evaluate(OPEN, List.of("Huge", "answer is " + (HUGE / 2 - 1)));
    page.locator("#message").fill("go on");
    page.locator("#message").press("Enter");
    page.waitForSelector(".live .markdown p");
    Tasks.trace(browser, page);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(talking * 9L / 10);
    int keys = 0;
    while (System.nanoTime() < end) {
      page.locator("#message").pressSequentially("typing ");
      page.evaluate(SCROLL);
      keys += 7;
    }
    Tasks tasks = Tasks.stop(browser);
    lab.report(
        "… typing and scrolling while an answer streams: tasks over 50 ms",
        Samples.of(tasks.longerThan(50)),
        "",
        Target.atMost(0),
        "in "
            + talking / 1000
            + " s, "
            + keys
            + " keys, 100 words a second; longest "
            + Samples.number(tasks.longest())
            + " ms, of which it ran "
            + Samples.number(tasks.longestRunning()));
  }

  /** Somebody types behind a long text. */
  private static void longText(Lab lab, Browser browser, Page page) {
    stop(page);
    page.evaluate(FILL, "a line of a log, as they are pasted\n".repeat(LONG / 36));
    page.locator("#message").focus();
    Tasks.trace(browser, page);
    for (int i = 0; i < 5; i++) {
      page.locator("#message").pressSequentially("typing ");
    }
    Tasks tasks = Tasks.stop(browser);
    lab.report(
        "… typing with 200 KB in the message box: tasks over 50 ms",
        Samples.of(tasks.longerThan(50)),
        "",
        Target.atMost(0),
        "longest "
            + Samples.number(tasks.longest())
            + " ms, of which it ran "
            + Samples.number(tasks.longestRunning()));
    page.evaluate(FILL, "");
  }

  private static void firstWord(Lab lab, Page page) {
    page.evaluate(OPEN, List.of("Small", "good evening"));
    double[] said = new double[lab.rounds];
    double[] again = new double[lab.rounds];
    double[] ratios = new double[lab.rounds];
    for (int i = 0; i < lab.rounds; i++) {
      page.locator("#message").fill("go on");
      said[i] = number(page.evaluate(FIRST_WORD, ".composer"));
      stop(page);
      again[i] = number(page.evaluate(FIRST_WORD, ".entry.last [aria-label=Regenerate]"));
      stop(page);
      ratios[i] = again[i] / said[i];
    }
    lab.report(
        "… first word when an answer is regenerated, over that of a message",
        Samples.of(ratios),
        "",
        Target.atMost(1.5),
        Samples.of(again) + " ms and " + Samples.of(said) + " ms");
  }

  private static void stop(Page page) {
    page.waitForFunction(
        "() => { document.querySelector('button.stop')?.click();"
            + " return !document.querySelector('button.stop'); }");
  }

  private static double number(Object value) {
    return ((Number) value).doubleValue();
  }
}
