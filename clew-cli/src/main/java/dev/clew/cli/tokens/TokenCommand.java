package dev.clew.cli.tokens;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.cli.command.PointInTime;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.json.JsonObject;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import dev.clew.server.operate.Tokens.Token;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew token}: the name before the commands about tokens. Stateless. */
@Command(
    name = "token",
    subcommands = {
      TokenCommand.Create.class,
      TokenCommand.ListTokens.class,
      TokenCommand.Revoke.class
    })
public final class TokenCommand {

  /** {@code clew token create}: a token, shown once. Used once, by one thread. */
  @Command(name = "create")
  static final class Create extends StoreAction {
    @Option(names = "--name", paramLabel = "TEXT")
    String name = "";

    @Option(names = "--scope", paramLabel = "SCOPE", split = ",")
    Set<String> scopes = new TreeSet<>(Set.of("read", "write"));

    @Option(names = "--expires", paramLabel = "TIME")
    @Nullable String expires;

    Create() {
      super(Opening.CREATE);
    }

    @Override
    protected void beforeOpening() {
      for (String word : scopes) {
        if (!word.matches("(?i)read|write|admin|metrics")) {
          throw Failure.usage(
                  "there is no scope '" + word + "'; write read, write, admin or metrics")
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
              .create(clew.owner(), name, allowed, life());
      return clew.answer(
          new JsonObject()
              .put("token", made.secret())
              .put("id", made.token().id())
              .put("owner", made.token().owner()),
          made.secret(),
          "token " + made.token().id() + "; it is not shown again");
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

  /** {@code clew token list}: all tokens but their secrets. Used once, by one thread. */
  @Command(name = "list")
  static final class ListTokens extends StoreAction {

    @Override
    protected int run(SessionStore store) {
      List<Token> tokens =
          new Tokens(store.documents(), Clock.systemUTC())
              .list().stream()
                  .filter(token -> clew.owner == null || token.owner().equals(clew.owner))
                  .toList();
      if (clew.json) {
        clew.answer(
            new JsonObject().putAll("tokens", tokens.stream().map(TokenRows::json).toList()));
      } else if (tokens.isEmpty()) {
        clew.note("there are no tokens; 'clew token create --owner NAME' creates one");
      } else {
        Instant now = Instant.now();
        clew.out().line(clew.paint().dim(TokenRows.HEADINGS));
        tokens.forEach(token -> clew.out().line(TokenRows.row(token, now)));
      }
      return ExitCode.OK;
    }
  }

  /** {@code clew token revoke}: ends a token. Used once, by one thread. */
  @Command(name = "revoke")
  static final class Revoke extends StoreAction {
    @Parameters(index = "0", paramLabel = "ID")
    String id = "";

    Revoke() {
      super(Opening.WRITE);
    }

    @Override
    protected int run(SessionStore store) {
      if (!new Tokens(store.documents(), Clock.systemUTC()).revoke(id)) {
        throw Failure.notFound("no token '" + id + "'; 'clew token list' lists the ids");
      }
      return clew.answer(new JsonObject().put("revoked", id), "revoked " + id);
    }
  }
}
