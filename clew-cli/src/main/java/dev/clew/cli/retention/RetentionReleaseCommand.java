package dev.clew.cli.retention;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.json.JsonObject;
import dev.clew.retention.LegalHolds;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code clew retention release}: ends a hold. Used once, by one thread. */
@Command(
    name = "release",
    description = "Releases the legal hold on a session, or on all data of an owner.",
    footer = {
      "",
      "Examples:",
      "  clew retention release trip --owner ann",
      "  clew retention release --owner ann"
    })
final class RetentionReleaseCommand extends StoreAction {
  @Parameters(
      paramLabel = "ID",
      arity = "0..1",
      description = "The session. Default: the hold on everything of --owner.")
  @Nullable String id;

  RetentionReleaseCommand(Clew clew) {
    super(clew, Opening.WRITE);
  }

  @Override
  protected void beforeOpening() {
    RetentionHoldCommand.requireOwner(clew(), id);
  }

  @Override
  protected int run(SessionStore store) {
    Optional<String> session = Optional.ofNullable(id);
    String owner = clew().owner();
    if (!new LegalHolds(store).release(owner, session)) {
      throw Failure.notFound("there is no such hold; 'clew retention show' lists them");
    }
    RetentionHoldCommand.note(store, owner, session, "retention release");
    clew()
        .out()
        .line(
            clew().json
                ? new JsonObject().put("owner", owner).put("released", id).toString()
                : "released "
                    + session
                        .map(text -> clew().key(text).toString())
                        .orElse("owner '" + owner + "'"));
    return ExitCode.OK;
  }
}
