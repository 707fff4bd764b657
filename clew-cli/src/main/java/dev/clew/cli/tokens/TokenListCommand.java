package dev.clew.cli.tokens;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.json.JsonObject;
import dev.clew.server.operate.Tokens;
import dev.clew.server.operate.Tokens.Token;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code clew token list}: all tokens but their secrets. Used once, by one thread. */
@Command(
    name = "list",
    description = "Lists the tokens, of one owner if --owner is given.",
    footer = {"", "Examples:", "  clew token list", "  clew token list --owner ann --json"})
final class TokenListCommand extends StoreAction {
  TokenListCommand(Clew clew) {
    super(clew, Opening.READ);
  }

  @Override
  protected int run(SessionStore store) {
    List<Token> tokens =
        new Tokens(store.documents(), Clock.systemUTC())
            .list().stream()
                .filter(token -> clew().owner == null || token.owner().equals(clew().owner))
                .toList();
    if (clew().json) {
      clew()
          .out()
          .line(
              new JsonObject()
                  .putAll("tokens", tokens.stream().map(TokenRows::json).toList())
                  .toString());
    } else if (tokens.isEmpty()) {
      clew().note("there are no tokens; 'clew token create --owner NAME' creates one");
    } else {
      Instant now = Instant.now();
      clew().out().line(clew().paint().dim(TokenRows.HEADINGS));
      tokens.forEach(token -> clew().out().line(TokenRows.row(token, now)));
    }
    return ExitCode.OK;
  }
}
