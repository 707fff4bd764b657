package dev.clew.cli.tokens;

import dev.clew.cli.terminal.Columns;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.SafeText;
import dev.clew.json.JsonObject;
import dev.clew.server.operate.Tokens.Token;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How tokens are shown. Stateless. Apart from the command, whose signatures picocli looks at at
 * every start of every command.
 */
final class TokenRows {
  private static final List<Integer> WIDTHS = List.of(12, 16, 16, 14);
  static final String HEADINGS = Columns.row(WIDTHS, "ID", "OWNER", "SCOPES", "CREATED", "NAME");

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
    return Columns.row(
        WIDTHS,
        token.id(),
        owner,
        scopes,
        Humanize.ago(token.createdAt(), now),
        SafeText.line(token.name()) + end);
  }
}
