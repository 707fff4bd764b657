package dev.clew.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import dev.clew.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** What the thread that draws the page did, task by task. Immutable. */
record Tasks(List<Task> all) {
  private record Task(double millis, double running) {}

  /** Begins to note what a page does; {@link #stop} ends that. */
  static void trace(Browser browser, Page page) {
    browser.startTracing(
        page,
        new Browser.StartTracingOptions()
            .setCategories(List.of("disabled-by-default-devtools.timeline")));
  }

  static Tasks stop(Browser browser) {
    return in(browser.stopTracing());
  }

  private static Tasks in(byte[] trace) {
    List<Map<String, Object>> events = new ArrayList<>();
    Object list = Json.readObject(new String(trace, UTF_8)).get("traceEvents");
    for (Object event : (List<?>) Objects.requireNonNull(list)) {
      @SuppressWarnings("unchecked")
      Map<String, Object> fields = (Map<String, Object>) event;
      events.add(fields);
    }
    Set<String> drawing =
        events.stream()
            .filter(event -> String.valueOf(event.get("args")).contains("CrRendererMain"))
            .map(Tasks::thread)
            .collect(Collectors.toSet());
    return new Tasks(
        events.stream()
            .filter(event -> "RunTask".equals(event.get("name")))
            .filter(event -> drawing.contains(thread(event)))
            .map(event -> new Task(millis(event, "dur"), millis(event, "tdur")))
            .toList());
  }

  private static String thread(Map<String, Object> event) {
    return event.get("pid") + "/" + event.get("tid");
  }

  private static double millis(Map<String, Object> event, String name) {
    return event.get(name) instanceof Number micros ? micros.doubleValue() / 1000 : 0;
  }

  int longerThan(double bound) {
    return (int) all.stream().filter(task -> task.millis() > bound).count();
  }

  double longest() {
    return all.stream().mapToDouble(Task::millis).max().orElse(0);
  }

  double longestRunning() {
    return all.stream().mapToDouble(Task::running).max().orElse(0);
  }
}
