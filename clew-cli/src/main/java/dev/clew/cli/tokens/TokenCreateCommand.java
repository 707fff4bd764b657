package dev.clew.cli.tokens;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.PointInTime;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.json.JsonObject;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code clew token create}: a token, shown once. Used once, by one thread. */
@Command(
    name = "create",
    description = {
      "Creates a token for an owner's sessions and prints only the token.",
      "It cannot be shown again: only a digest of it is kept."
    },
    footer = {
      "",
      "Examples:",
      "  clew token create --owner ann --name laptop",
      "  clew token create --owner ann --scope read --expires 90d"
    })
final class TokenCreateCommand extends StoreAction {
  @Option(names = "--name", paramLabel = "TEXT", description = "What it is for.")
  String name = "";

  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      split = ",",
      description = "What it allows: read, write, admin, metrics. Default: read,write.")
  Set<String> scopes = new TreeSet<>(Set.of("read", "write"));

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      description = "When it expires: 90d from now, or 2026-12-31. Default: never.")
  @Nullable String expires;

  TokenCreateCommand(Clew clew) {
    super(clew, Opening.CREATE);
  }

  @Override
  protected void beforeOpening() {
    for (String word : scopes) {
      if (!word.matches("(?i)read|write|admin|metrics")) {
        throw Failure.usage("there is no scope '" + word + "'; write read, write, admin or metrics")
            .in("--scope");
      }
    }
    life();
  }

  @Override
  protected int run(SessionStore store) {
    Set<Scope> allowed = new TreeSet<>();
    scopes.forEach(word -> allowed.add(Scope.valueOf(word.toUpperCase(Locale.ROOT))));
    Tokens.Created made =
        new Tokens(store.documents(), Clock.systemUTC())
            .create(clew().owner(), name, allowed, life());
    if (clew().json) {
      clew()
          .out()
          .line(
              new JsonObject()
                  .put("token", made.secret())
                  .put("id", made.token().id())
                  .put("owner", made.token().owner())
                  .toString());
    } else {
      clew().out().line(made.secret());
      clew().note("token " + made.token().id() + "; it is not shown again");
    }
    return ExitCode.OK;
  }

  /** An age such as 90d means as long from now. */
  private Optional<Duration> life() {
    if (expires == null) {
      return Optional.empty();
    }
    Instant now = Instant.now();
    Duration life = Duration.between(now, PointInTime.parse("--expires", expires, now));
    boolean age = expires.matches("[0-9]+[dhms]");
    Duration ahead = age ? life.negated() : life;
    if (ahead.isNegative() || ahead.isZero()) {
      throw Failure.usage("--expires is '" + expires + "', which is in the past").in("--expires");
    }
    return Optional.of(ahead);
  }
}
