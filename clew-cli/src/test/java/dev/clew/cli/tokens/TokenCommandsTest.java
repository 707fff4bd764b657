package dev.clew.cli.tokens;

import static dev.clew.cli.Shell.objects;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.server.operate.Scope;
import dev.clew.server.operate.Tokens;
import java.time.Clock;
import org.junit.jupiter.api.Test;

class TokenCommandsTest {
  private final Shell shell = new Shell();
  private final Tokens tokens = new Tokens(shell.store.documents(), Clock.systemUTC());

  @Test
  void create_printsTheTokenAlone_andTheServerKnowsIt() {
    Result result = shell.run("token", "create", "--owner", "ann", "--name", "laptop");
    assertThat(result.code()).isZero();
    assertThat(result.out()).matches("clew_[A-Za-z0-9_-]{43}\n");
    assertThat(tokens.verify(result.out().strip()).orElseThrow())
        .satisfies(
            principal -> {
              assertThat(principal.owner()).isEqualTo("ann");
              assertThat(principal.scopes()).containsExactlyInAnyOrder(Scope.READ, Scope.WRITE);
            });
  }

  @Test
  void create_takesScopesAndAnEnd() {
    Result result = shell.run("token", "create", "--scope", "read", "--expires", "90d", "--json");
    assertThat(result.json()).containsOnlyKeys("token", "id", "owner");
    Tokens.Token token = tokens.list().get(0);
    assertThat(token.scopes()).containsExactly(Scope.READ);
    assertThat(token.expiresAt()).isPresent();
  }

  @Test
  void create_refusesWhatIsNoScopeAndWhatIsOver() {
    assertThat(shell.run("token", "create", "--scope", "all").err()).contains("no scope 'all'");
    assertThat(shell.run("token", "create", "--expires", "2020-01-01").code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(tokens.list()).isEmpty();
  }

  @Test
  void list_showsWhatIsKnownButNoSecret() {
    String secret = shell.run("token", "create", "--owner", "ann", "--name", "lap").out().strip();
    shell.run("token", "create", "--owner", "bob");
    Result all = shell.run("token", "list");
    assertThat(all.out()).contains("ann", "bob", "read,write", "lap").doesNotContain(secret);
    Result anns = shell.run("token", "list", "--owner", "ann", "--json");
    assertThat(objects(anns.json(), "tokens")).hasSize(1);
  }

  @Test
  void revoke_endsATokenAtOnce() {
    String secret = shell.run("token", "create").out().strip();
    String id = tokens.list().get(0).id();
    assertThat(shell.run("token", "revoke", id).code()).isZero();
    assertThat(tokens.verify(secret)).isEmpty();
    Result again = shell.run("token", "revoke", id);
    assertThat(again.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(again.err()).contains("clew token list");
  }
}
