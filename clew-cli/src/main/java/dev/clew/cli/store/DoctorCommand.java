package dev.clew.cli.store;

import dev.clew.Durability;
import dev.clew.Finding;
import dev.clew.SessionStore;
import dev.clew.cli.command.JsonFields;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.command.StoreLocation;
import dev.clew.cli.terminal.Columns;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.Paint;
import dev.clew.cli.terminal.SafeText;
import dev.clew.copy.OwnerWalk;
import dev.clew.insight.Storage;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code clew doctor}: examines a whole store. Used once, by one thread. */
@Command(name = "doctor")
public final class DoctorCommand extends StoreAction {
  private long owners;
  private long sessions;
  private long items;
  private long bytes;
  private long found;
  private long damaged;

  @Override
  protected int run(SessionStore store) {
    long start = System.nanoTime();
    store.ping();
    long reached = System.nanoTime() - start;
    if (!clew.json) {
      describe(store, reached);
    }
    for (String owner : OwnerWalk.of(store)) {
      Storage kept = Storage.of(store, owner, Integer.MAX_VALUE);
      owners++;
      sessions += kept.sessions();
      items += kept.items();
      bytes += kept.bytes();
    }
    List<JsonObject> findings = new ArrayList<>();
    store.check(
        finding -> {
          found++;
          damaged += isDamage(finding) ? 1 : 0;
          if (clew.json) {
            findings.add(JsonFields.finding(finding));
          } else {
            print(finding);
          }
        });
    if (clew.json) {
      printJson(store, reached, findings);
    } else {
      printSummary();
    }
    return damaged == 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private static boolean isDamage(Finding finding) {
    return switch (finding.kind()) {
      case DAMAGED, BACKEND -> true;
      case QUARANTINED, UNPAIRED -> false;
    };
  }

  private void describe(SessionStore store, long reached) {
    row("store", StoreLocation.forDisplay(clew.storeUrl()));
    row("reached in", Humanize.millis(reached));
    row("keeps", keeps(store.traits().durability()));
    String abilities =
        store.traits().capabilities().stream()
            .map(Humanize::word)
            .sorted()
            .collect(Collectors.joining(", "));
    row("can also", abilities.isEmpty() ? "nothing beyond what every store can" : abilities);
  }

  private void row(String name, String value) {
    clew.out().line(clew.paint().dim(Columns.pad(name, 12)) + value);
  }

  private static String keeps(Durability durability) {
    return switch (durability) {
      case VOLATILE -> "nothing beyond the process";
      case PROCESS_CRASH -> "acknowledged writes through a crash, not through a power loss";
      case POWER_LOSS -> "acknowledged writes through a power loss";
      case AS_THE_SERVER -> "acknowledged writes, as its server is configured";
    };
  }

  private void print(Finding finding) {
    boolean damage = isDamage(finding);
    String kind = Humanize.word(finding.kind());
    StringBuilder line = new StringBuilder();
    line.append(damage ? clew.paint().red(kind) : clew.paint().yellow(kind));
    finding.key().ifPresent(key -> line.append(" session ").append(key));
    finding.position().ifPresent(position -> line.append(" position ").append(position));
    clew.out().line(line + ": " + SafeText.line(finding.message()));
  }

  private void printSummary() {
    row("holds", String.join(", ", holdings()));
    Paint paint = clew.paint();
    clew.out()
        .line(
            damaged > 0
                ? paint.red(Humanize.count(damaged, "damaged thing") + " found")
                : paint.green(
                    found == 0
                        ? "everything is in order"
                        : "nothing is damaged; " + Humanize.count(found, "thing") + " to know"));
  }

  private List<String> holdings() {
    return List.of(
        Humanize.count(owners, "owner"),
        Humanize.count(sessions, "session"),
        Humanize.count(items, "item"),
        "about " + Humanize.size(bytes));
  }

  private void printJson(SessionStore store, long reached, List<JsonObject> findings) {
    clew.answer(
        new JsonObject()
            .put("store", StoreLocation.forDisplay(clew.storeUrl()))
            .put("reached_millis", Humanize.roundMillis(reached))
            .put("durability", Humanize.word(store.traits().durability()))
            .put(
                "capabilities",
                store.traits().capabilities().stream().map(Humanize::word).sorted().toList())
            .put("owners", owners)
            .put("sessions", sessions)
            .put("items", items)
            .put("bytes", bytes)
            .putAll("findings", findings)
            .put("damaged", damaged));
  }
}
