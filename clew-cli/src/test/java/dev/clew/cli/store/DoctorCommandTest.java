package dev.clew.cli.store;

import static dev.clew.cli.Shell.objects;
import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException;
import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.kit.BackendStore;
import dev.clew.spi.Backend;
import dev.clew.spi.SelfCheck;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class DoctorCommandTest {
  private final Shell shell = new Shell();

  /** A store in which the check finds this. */
  private void finding(Finding.Kind kind) {
    Finding finding =
        new Finding(
            kind,
            Optional.of(SessionKey.of("s")),
            OptionalLong.of(7),
            "cannot be read; nothing to do");
    shell.opening(
        url ->
            BackendStore.decorate(shell.store, backend -> new FoundInKeptOpen(backend, finding)));
  }

  @Test
  void countsAllOwnersAndPrintsNoContent() {
    shell.store.session("s").addItems(List.of(Item.user("secret words"), Item.assistant("yes")));
    for (int i = 0; i < 130; i++) {
      shell.store.session(new SessionKey("owner" + i, "t")).addItems(List.of(Item.user("x")));
    }
    Result result = shell.run("doctor", "--store", "memory:");
    assertThat(result.code()).as(result.out()).isZero();
    assertThat(result.out())
        .contains("memory:", "131 owners, 131 sessions, 132 items", "everything is in order")
        .doesNotContain("secret");
  }

  @Test
  void damageIsToldAndMakesTheExitCodeOne() {
    finding(Finding.Kind.DAMAGED);
    Result result = shell.run("doctor");
    assertThat(result.code()).isEqualTo(ExitCode.FAILED);
    assertThat(result.out())
        .contains("damaged session 's' position 7: cannot be read; nothing to do")
        .contains("1 damaged thing found");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void whatIsNotDamageIsToldAndNoError() {
    finding(Finding.Kind.UNPAIRED);
    Result result = shell.run("doctor");
    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("unpaired session 's'", "nothing is damaged; 1 thing");
  }

  @Test
  void asJsonHasTheFindings() {
    finding(Finding.Kind.BACKEND);
    Result result = shell.run("doctor", "--json", "--store", "x://me:pw@host/?password=pw&a=1");
    assertThat(result.code()).isEqualTo(ExitCode.FAILED);
    assertThat(result.json())
        .containsOnlyKeys(
            "store",
            "reached_millis",
            "durability",
            "capabilities",
            "owners",
            "sessions",
            "items",
            "bytes",
            "findings",
            "damaged")
        .containsEntry("damaged", 1L)
        .containsEntry("store", "x://…@host/?password=…&a=1");
    assertThat(objects(result.json(), "findings").get(0))
        .containsOnlyKeys("kind", "id", "owner", "position", "message")
        .containsEntry("kind", "backend");
  }

  @Test
  void aStoreThatCannotBeReachedIsAnErrorOfOneLine() {
    shell.opening(
        url -> {
          throw new ClewException.StoreUnavailable("cannot open " + url + "; is it mounted?", null);
        });
    Result result = shell.run("doctor", "--store", "x://me:pw@host");
    assertThat(result.code()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err()).isEqualTo("clew: cannot open x://…@host; is it mounted?\n");
  }

  private static final class FoundInKeptOpen extends Shell.KeptOpen implements SelfCheck {
    private final Finding finding;

    FoundInKeptOpen(Backend delegate, Finding finding) {
      super(delegate);
      this.finding = finding;
    }

    @Override
    public void check(Consumer<Finding> findings) {
      findings.accept(finding);
    }
  }
}
