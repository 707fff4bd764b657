package dev.clew.cli.retention;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.json.JsonObject;
import dev.clew.retention.LegalHolds.Hold;
import dev.clew.retention.Retention;
import dev.clew.retention.RetentionPolicy;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code clew retention show}: policies and holds. Used once, by one thread. */
@Command(
    name = "show",
    description = "Shows the policies and the legal holds of the store.",
    footer = {"", "Examples:", "  clew retention show"})
final class RetentionShowCommand extends StoreAction {
  RetentionShowCommand(Clew clew) {
    super(clew, Opening.READ);
  }

  @Override
  protected int run(SessionStore store) {
    Retention retention = Retention.of(store);
    List<RetentionPolicy> policies = retention.policies();
    List<Hold> holds = retention.holds().all();
    if (clew().json) {
      clew()
          .out()
          .line(
              new JsonObject()
                  .putAll("policies", policies.stream().map(RetentionRows::json).toList())
                  .putAll("holds", holds.stream().map(RetentionRows::json).toList())
                  .toString());
      return ExitCode.OK;
    }
    if (policies.isEmpty()) {
      clew().note("no policies: sessions are kept forever; 'clew retention set' adds one");
    }
    policies.forEach(policy -> clew().out().line(RetentionRows.text(policy)));
    holds.forEach(hold -> clew().out().line(RetentionRows.text(hold)));
    return ExitCode.OK;
  }
}
