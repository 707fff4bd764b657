package dev.clew.cli.retention;

import dev.clew.Opening;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.cli.command.Action;
import dev.clew.cli.command.AtomicFile;
import dev.clew.cli.command.Consent;
import dev.clew.cli.command.StoreLocation;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.PhasedProgress;
import dev.clew.copy.SessionWalk;
import dev.clew.erasure.ErasureCertificate;
import dev.clew.erasure.ProvenErasure;
import dev.clew.retention.HoldingStore;
import dev.clew.server.operate.ServerRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew erase}: erases an owner or a session and shows it. Used once, by one thread. */
@Command(name = "erase")
public final class EraseCommand extends Action {

  @Parameters(paramLabel = "ID", arity = "0..1")
  @Nullable String id;

  @Option(names = "--certificate", paramLabel = "FILE")
  @Nullable String certificate;

  @Mixin Consent consent = new Consent();

  @Override
  protected int run() {
    if (id == null && clew.owner == null) {
      throw Failure.usage("name an owner with --owner NAME, or a session");
    }
    consent.requireYesOrTerminal(clew, "erasing");
    Optional<Path> file =
        Optional.ofNullable(certificate)
            .map(name -> clew.judging("--certificate", name, AtomicFile::path));
    UnaryOperator<SessionStore> decryption = clew.decryption();
    try (SessionStore plain = clew.openPlainStore(Opening.WRITE);
        SessionStore store = new HoldingStore(decryption.apply(plain))) {
      ProvenErasure erasure =
          ProvenErasure.of(store)
              .behind(plain)
              .files(() -> StoreFiles.of(clew.storeUrl()))
              .documents(new ServerRecords());
      ask(store, erasure);
      ErasureCertificate done = erase(erasure);
      file.ifPresentOrElse(path -> write(path, done), () -> clew.out().line(done.json()));
      if (done.sessions() + done.items() + done.records() == 0 && done.isClean()) {
        throw Failure.notFound(
            String.format(
                "nothing to erase: %s has nothing of owner '%s' (%s); check the name",
                StoreLocation.forDisplay(clew.storeUrl()), clew.owner(), searched(done)));
      }
      if (!clew.json) {
        tell(done);
      }
      return done.isClean() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private ErasureCertificate erase(ProvenErasure erasure) {
    String name = StoreLocation.forDisplay(clew.storeUrl());
    try (PhasedProgress progress = new PhasedProgress(clew.surroundings())) {
      ProvenErasure told =
          erasure.listener(
              (phase, done, total) ->
                  progress.at(Humanize.word(phase), phase.units(), done, total));
      return id == null ? told.owner(clew.owner(), name) : told.session(clew.key(id), name);
    }
  }

  private void ask(SessionStore store, ProvenErasure erasure) {
    if (erasure.isUnderWay(clew.owner(), Optional.ofNullable(id))) {
      clew.note("continuing an interrupted erasure");
      return; // it was agreed to then
    }
    if (id != null) {
      SessionKey key = clew.key(id);
      long items = erasure.items(key).orElseThrow(() -> clew.noSession(key));
      consent.ask(clew, "Erase session " + key + " (" + Humanize.count(items, "item") + ")?");
    } else if (consent.mustAsk()) {
      SessionWalk walk = new SessionWalk(store, clew.owner(), Optional.empty());
      consent.ask(
          clew,
          String.format(
              "Erase %s with %s and everything else of owner '%s'?",
              Humanize.count(walk.sessions(), "session"),
              Humanize.count(walk.items(), "item"),
              clew.owner()));
    }
  }

  private static void write(Path path, ErasureCertificate done) {
    try {
      Files.writeString(path, done.json() + "\n");
    } catch (IOException e) {
      throw Failure.failed(
          "everything is erased, but the certificate cannot be written to %s: %s"
              .formatted(path, Humanize.reason(e)));
    }
  }

  private static String searched(ErasureCertificate done) {
    if (done.files() > 0) {
      return "searched %s of %s"
          .formatted(Humanize.count(done.files(), "file"), Humanize.size(done.bytes()));
    }
    return done.places() > 0
        ? "searched " + Humanize.count(done.places(), "place") + " of the database"
        : "asked the store";
  }

  private void tell(ErasureCertificate done) {
    clew.note(
        String.format(
            "erased %s with %s and %s; %s%s",
            Humanize.count(done.sessions(), "session"),
            Humanize.count(done.items(), "item"),
            Humanize.count(done.records(), "document"),
            searched(done),
            done.isClean() ? ": nothing is left" : ": something is left"));
    done.leftovers().forEach(line -> clew.surroundings().err().line(clew.paint().red(line)));
  }
}
