package dev.clew.cli.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.cli.Shell;
import dev.clew.cli.Shell.Result;
import dev.clew.cli.TestStores;
import dev.clew.cli.command.StoreKeys;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.json.Json;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ForwardingBackend;
import dev.clew.tck.SampleSessions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** {@code clew erase} on stores of every kind. */
class EraseCommandTest {
  private static final String CANARY = "the canary of Ann sings no more in the coal mine";

  @TempDir Path folder;

  private Shell shell() {
    return new Shell().onRealStores();
  }

  private static void fill(SessionStore store) {
    fillSessions(store);
    store.documents().put("ann", "token/1", "{\"canary\":\"" + CANARY + "\"}");
  }

  private static void fillSessions(SessionStore store) {
    store.session(new SessionKey("ann", "a")).addItems(List.of(Item.user(CANARY)));
    SampleSessions.compacted(store.session(new SessionKey("ann", "b")), 1);
    store.session(new SessionKey("bob", "a")).addItems(SampleSessions.items("of Bob", 3));
  }

  /** A store of each kind that is the same one each time it is opened. */
  private Stream<Map.Entry<String, Supplier<String>>> kinds() {
    return TestStores.kinds(folder).entrySet().stream()
        .filter(kind -> !kind.getKey().equals("memory"));
  }

  private interface OnStore {
    void run(String url) throws Exception;
  }

  private Stream<DynamicTest> onEachKind(OnStore test) {
    return kinds()
        .map(kind -> DynamicTest.dynamicTest(kind.getKey(), () -> test.run(kind.getValue().get())));
  }

  @TestFactory
  Stream<DynamicTest> anOwnerWhoHasNothingIsNotFound() {
    return onEachKind(
        url -> {
          try (SessionStore store = Stores.open(url)) {
            fill(store);
          }
          Result result = shell().run("erase", "--owner", "nobody", "--yes", "--store", url);
          assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.NOT_FOUND);
          assertThat(result.err()).contains("nothing to erase", "owner 'nobody'");
          assertThat(result.out()).contains("\"sessions\":0");
        });
  }

  @TestFactory
  Stream<DynamicTest> anOwnerIsErased_othersStay_andTheCertificateSaysSo() {
    return kinds()
        .flatMap(
            kind ->
                Stream.of(false, true)
                    .map(
                        safe ->
                            DynamicTest.dynamicTest(
                                kind.getKey() + (safe ? " encrypted" : ""),
                                () -> erase(kind.getValue().get(), safe))));
  }

  private void erase(String url, boolean safe) throws Exception {
    Shell shell = shell();
    shell.env.put("CLEW_STORE", url);
    if (safe) {
      Path key = Files.createTempDirectory(folder, "key").resolve("clew.key");
      shell.run("key", "create", "--key", "file:" + key);
      shell.env.put("CLEW_KEY", "file:" + key);
    }
    try (SessionStore plain = Stores.open(url);
        SessionStore store =
            StoreKeys.open(() -> plain, Optional.ofNullable(shell.env.get("CLEW_KEY")), "")) {
      fill(store);
    }
    Result result = shell.run("erase", "--owner", "ann", "--yes");

    assertThat(result.code()).as(result.out() + result.err()).isZero();
    Map<String, Object> certificate = Json.readObject(result.out());
    assertThat(Shell.object(certificate, "erased"))
        .containsEntry("sessions", 2L)
        .containsEntry("records", 1L);
    assertThat((List<?>) certificate.get("leftovers")).isEmpty();
    assertThat(result.out()).doesNotContain("canary");
    boolean hasFiles = !StoreFiles.of(url).isEmpty();
    assertThat(Shell.object(certificate, "searched").get("bytes").equals(0L)).isEqualTo(!hasFiles);
    assertThat(Shell.object(certificate, "searched").get("places").equals(0L)).isEqualTo(hasFiles);
    assertThat(result.err())
        .contains("searched ", hasFiles ? " file" : " place", ": nothing is left");
    for (Path file : StoreFiles.of(url)) {
      assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
          .doesNotContain(CANARY);
    }
    assertThat(shell.run("sessions", "list", "--owner", "bob").out()).contains("a");
    assertThat(shell.run("sessions", "show", "a", "--owner", "bob").out()).contains("of Bob 2");
  }

  @TestFactory
  Stream<DynamicTest> aSessionIsErasedAlone_alsoFromTheFiles() {
    return onEachKind(this::eraseSession);
  }

  private void eraseSession(String url) throws Exception {
    Shell shell = shell();
    shell.env.put("CLEW_STORE", url);
    try (SessionStore store = Stores.open(url)) {
      fillSessions(store);
    }
    Path file = folder.resolve("certificate.json");
    Result result =
        shell.run("erase", "a", "--owner", "ann", "--yes", "--certificate", file.toString());

    assertThat(result.code()).as(result.out() + result.err()).isZero();
    assertThat(Files.readString(file)).contains("\"session\":\"a\"", "\"leftovers\":[]");
    for (Path each : StoreFiles.of(url)) {
      assertThat(new String(Files.readAllBytes(each), StandardCharsets.ISO_8859_1))
          .doesNotContain("sings no more");
    }
    assertThat(shell.run("sessions", "show", "a", "--owner", "ann").code())
        .isEqualTo(ExitCode.NOT_FOUND);
    assertThat(shell.run("sessions", "show", "b", "--owner", "ann").code()).isZero();
  }

  /** A store that says it erased and did not. */
  @Test
  void whatIsLeftIsFound_andInterruptedItGoesOn() {
    String url = "sqlite:" + folder.resolve("x.db");
    try (SessionStore store = Stores.open(url)) {
      fill(store);
    }
    Shell lazy =
        new Shell()
            .opening(
                it ->
                    BackendStore.decorate(
                        Stores.open(it),
                        backend ->
                            new ForwardingBackend(backend) {
                              @Override
                              public void erase(String owner) {}
                            }));
    lazy.env.put("CLEW_STORE", url);
    Result left = lazy.run("erase", "--owner", "ann", "--yes");
    assertThat(left.code()).isEqualTo(ExitCode.FAILED);
    assertThat(left.out()).contains("the store has session 'a' of owner 'ann'", "x.db");
    Shell shell = shell();
    shell.env.put("CLEW_STORE", url);
    Result done = shell.run("erase", "--owner", "ann", "--yes");
    assertThat(done.code()).as(done.out() + done.err()).isZero();
    assertThat(done.err()).contains("continuing", "erased 2 sessions");
  }

  @TestFactory
  Stream<DynamicTest> itAsks_andALegalHoldRefusesIt() {
    return onEachKind(this::refuse);
  }

  private void refuse(String url) {
    Shell shell = shell();
    shell.env.put("CLEW_STORE", url);
    try (SessionStore store = Stores.open(url)) {
      fill(store);
    }
    assertThat(shell.run("erase").code()).isEqualTo(ExitCode.USAGE);
    assertThat(shell.run("erase", "--owner", "ann").code()).isEqualTo(ExitCode.REFUSED);
    assertThat(shell.run("erase", "none", "--owner", "ann", "--yes").code())
        .isEqualTo(ExitCode.NOT_FOUND);
    shell.run("retention", "hold", "a", "--owner", "ann", "--reason", "case 17");
    for (String[] args :
        List.of(
            new String[] {"erase", "--owner", "ann", "--yes"},
            new String[] {"erase", "a", "--owner", "ann", "--yes"},
            new String[] {"sessions", "delete", "a", "--owner", "ann", "--yes"},
            new String[] {"pop", "a", "--owner", "ann", "--yes"})) {
      Result refused = shell.run(args);
      assertThat(refused.code()).as(String.join(" ", args)).isEqualTo(ExitCode.REFUSED);
      assertThat(refused.err()).contains("legal hold", "case 17");
    }
    assertThat(shell.run("sessions", "show", "a", "--owner", "ann").out())
        .contains("on legal hold since", "case 17");
    assertThat(shell.run("retention", "release", "a", "--owner", "ann").code()).isZero();
    assertThat(shell.run("erase", "--owner", "ann", "--yes").code()).isZero();
  }
}
