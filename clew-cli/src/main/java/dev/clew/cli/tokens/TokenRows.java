package dev.clew.cli.tokens;

import dev.clew.cli.terminal.Columns;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.SafeText;
import dev.clew.json.JsonObject;
import dev.clew.server.operate.Tokens.Token;
import java.time.Instant;
import java.util.stream.Collectors;

/**
 * How tokens are shown. Stateless. Apart from the command, whose signatures picocli looks at at
 * every start of every command.
 */
final class TokenRows {
  static final String HEADINGS = row("ID", "OWNER", "SCOPES", "MADE", "NAME");

  private TokenRows() {}

  static JsonObject json(Token token) {
    return new JsonObject()
        .put("id", token.id())
        .put("owner", token.owner())
        .put("name", token.name())
        .put("scopes", token.scopes().stream().map(Humanize::word).toList())
        .put("created_at", token.createdAt().toString())
        .put("expires_at", token.expiresAt().map(Instant::toString).orElse(null));
  }

  static String row(Token token, Instant now) {
    String scopes = token.scopes().stream().map(Humanize::word).collect(Collectors.joining(","));
    String end = token.expiresAt().map(at -> "  until " + at).orElse("");
    String owner = token.owner().isEmpty() ? "(default)" : SafeText.line(token.owner());
    return row(
            token.id(),
            owner,
            scopes,
            Humanize.ago(token.createdAt(), now),
            SafeText.line(token.name()) + end)
        .stripTrailing();
  }

  private static String row(String id, String owner, String scopes, String made, String name) {
    return String.format(
        "%s  %s  %s  %s  %s",
        Columns.pad(id, 12),
        Columns.pad(owner, 16),
        Columns.pad(scopes, 16),
        Columns.pad(made, 14),
        name);
  }
}
