package dev.clew.cli;

import dev.clew.SessionStore;
import dev.clew.internal.JsonObject;
import dev.clew.server.auth.Tokens;
import dev.clew.server.auth.Tokens.Token;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** {@code clew token list}: all tokens but their secrets. Used once, by one thread. */
@Command(
    name = "list",
    description = "Lists the tokens, of one owner if --owner is given.",
    footer = {"", "Examples:", "  clew token list", "  clew token list --owner ann --json"})
final class TokenListCommand extends StoreAction {
  TokenListCommand(Clew clew) {
    super(clew);
  }

  @Override
  int run(SessionStore store) {
    List<Token> tokens =
        new Tokens(store.records(), Clock.systemUTC())
            .list().stream()
                .filter(token -> clew().owner == null || token.owner().equals(clew().owner))
                .toList();
    if (clew().json) {
      clew()
          .out()
          .line(
              new JsonObject()
                  .putAll("tokens", tokens.stream().map(TokenListCommand::json).toList())
                  .toString());
    } else if (tokens.isEmpty()) {
      clew().note("there are no tokens; clew token create --owner NAME makes one");
    } else {
      Instant now = Instant.now();
      clew().out().line(clew().paint().dim(row("ID", "OWNER", "SCOPES", "MADE", "NAME")));
      tokens.forEach(token -> clew().out().line(row(token, now)));
    }
    return ExitCode.OK;
  }

  private static JsonObject json(Token token) {
    return new JsonObject()
        .put("id", token.id())
        .put("owner", token.owner())
        .put("name", token.name())
        .put("scopes", token.scopes().stream().map(TokenListCommand::word).toList())
        .put("created_at", token.createdAt().toString())
        .put("expires_at", token.expiresAt().map(Instant::toString).orElse(null));
  }

  private static String word(Enum<?> scope) {
    return scope.name().toLowerCase(Locale.ROOT);
  }

  private static String row(Token token, Instant now) {
    String scopes =
        token.scopes().stream().map(TokenListCommand::word).collect(Collectors.joining(","));
    String end = token.expiresAt().map(at -> "  until " + at).orElse("");
    String owner = token.owner().isEmpty() ? "(default)" : Plain.line(token.owner());
    return row(
            token.id(),
            owner,
            scopes,
            Words.ago(token.createdAt(), now),
            Plain.line(token.name()) + end)
        .stripTrailing();
  }

  private static String row(String id, String owner, String scopes, String made, String name) {
    return Columns.pad(id, 12)
        + "  "
        + Columns.pad(owner, 16)
        + "  "
        + Columns.pad(scopes, 16)
        + "  "
        + Columns.pad(made, 14)
        + "  "
        + name;
  }
}
