package dev.clew.cli.tokens;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.json.JsonObject;
import dev.clew.server.operate.Tokens;
import java.time.Clock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code clew token revoke}: ends a token. Used once, by one thread. */
@Command(
    name = "revoke",
    description = "Revokes a token, within a second on all servers of the store.",
    footer = {"", "Examples:", "  clew token revoke 3f9a0c21b7de"})
final class TokenRevokeCommand extends StoreAction {
  @Parameters(index = "0", paramLabel = "ID", description = "Its id, as 'clew token list' shows.")
  String id = "";

  TokenRevokeCommand(Clew clew) {
    super(clew, Opening.WRITE);
  }

  @Override
  protected int run(SessionStore store) {
    if (!new Tokens(store.documents(), Clock.systemUTC()).revoke(id)) {
      throw Failure.notFound("no token '" + id + "'; 'clew token list' lists the ids");
    }
    if (clew().json) {
      clew().out().line(new JsonObject().put("revoked", id).toString());
    } else {
      clew().out().line("revoked " + id);
    }
    return ExitCode.OK;
  }
}
