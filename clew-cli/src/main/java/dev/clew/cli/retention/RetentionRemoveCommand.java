package dev.clew.cli.retention;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.json.JsonObject;
import dev.clew.retention.Retention;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code clew retention remove}: ends a policy. Used once, by one thread. */
@Command(
    name = "remove",
    description = "Ends a policy.",
    footer = {"", "Examples:", "  clew retention remove old"})
final class RetentionRemoveCommand extends StoreAction {
  @Parameters(paramLabel = "NAME", description = "The policy.")
  String name = "";

  RetentionRemoveCommand(Clew clew) {
    super(clew, Opening.WRITE);
  }

  @Override
  protected int run(SessionStore store) {
    if (!Retention.of(store).remove(name)) {
      throw Failure.notFound("no policy '" + name + "'; 'clew retention show' lists them");
    }
    clew()
        .out()
        .line(
            clew().json
                ? new JsonObject().put("removed", name).toString()
                : "removed policy " + name);
    return ExitCode.OK;
  }
}
