package dev.clew.cli.demo;

import dev.clew.cli.command.Action;
import dev.clew.cli.command.StoreLocation;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Paint;
import dev.clew.cli.terminal.Snippets;
import dev.clew.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code clew demo}: a tour of what the library does. Used once, by one thread. */
@Command(name = "demo")
public final class DemoCommand extends Action {
  @Option(names = "--keep", negatable = true)
  @Nullable Boolean keep;

  private int steps;

  @Override
  protected int run() {
    boolean kept = keep == null ? clew.surroundings().terminal().isInteractive() : keep;
    Path folder = temporaryFolder();
    try {
      String url = StoreLocation.sqlite(folder.resolve("demo.db"));
      if (clew.json) {
        showJson(url, kept);
      } else {
        show(url, kept);
      }
      return ExitCode.OK;
    } finally {
      if (!kept) {
        remove(folder);
      }
    }
  }

  private void show(String url, boolean kept) {
    Paint paint = clew.paint();
    Output out = clew.out();
    out.line(paint.bold("Clew keeps the conversations of AI agents. A short tour."))
        .line("The answers below are part of the demo, no model is called. Times are measured here")
        .line("and now, in a JVM that has just started; a running program is faster.");
    new Tour(url, clew.surroundings().stores(), new Snippets(paint), this::show).run();
    out.line("");
    out.line(
        kept
            ? "All this is in a temporary file, " + url + "; delete it when you like."
            : "All this was in a temporary file, " + url + ", which is removed now.");
    out.line("").line(paint.bold("To go on"));
    if (kept) {
      suggest(" --store " + url + " sessions show trip");
      suggest(" --store " + url + " search bridge");
    }
    suggest(" add my-session \"Hello\"    # your own first session");
    suggest(" sessions list             # and what is in your store");
    suggest(" --help                    # everything else");
  }

  private void suggest(String arguments) {
    clew.out().line("  " + clew.program().name() + arguments);
  }

  private void show(Tour.Step step) {
    Paint paint = clew.paint();
    Output out = clew.out();
    out.line("").line(paint.bold(++steps + ". " + step.title()));
    step.java().forEach(line -> out.line("     " + paint.cyan(line)));
    for (int i = 0; i < step.result().size(); i++) {
      String time = i == 0 ? paint.dim("   (" + Humanize.millis(step.nanos()) + ")") : "";
      out.line((i == 0 ? "   → " : "     ") + step.result().get(i) + time);
    }
    out.flush();
    clew.surroundings().terminal().pause();
  }

  private void showJson(String url, boolean kept) {
    List<JsonObject> taken = new ArrayList<>();
    new Tour(
            url,
            clew.surroundings().stores(),
            new Snippets(new Paint(false)),
            step ->
                taken.add(
                    new JsonObject()
                        .put("title", step.title())
                        .put("java", step.java())
                        .put("result", step.result())
                        .put("millis", Humanize.roundMillis(step.nanos()))))
        .run();
    clew.answer(new JsonObject().put("store", url).put("kept", kept).putAll("steps", taken));
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("clew-demo-");
    } catch (IOException e) {
      throw Failure.failed(
          "cannot create a temporary folder ("
              + Humanize.reason(e)
              + "); set another one with CLEW_JAVA_OPTS=-Djava.io.tmpdir=FOLDER");
    }
  }

  /** The store leaves plain files only. */
  private static void remove(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw Failure.failed(
          "cannot remove the temporary folder " + folder + " (" + Humanize.reason(e) + ")");
    }
  }
}
