package dev.clew.cli.retention;

import dev.clew.ClewException;
import dev.clew.Opening;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.retention.LegalHolds;
import dev.clew.server.operate.AuditLog;
import java.time.Clock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew retention hold}: keeps something whatever happens. Used once, by one thread. */
@Command(
    name = "hold",
    description = {
      "Puts a session, or all data of an owner, on legal hold.",
      "What is on hold cannot be deleted, cleared, erased, popped or edited. No policy "
          + "removes it, and it does not expire."
    },
    footer = {
      "",
      "Examples:",
      "  clew retention hold trip --owner ann --reason \"case 17\"",
      "  clew retention hold --owner ann --reason \"case 17\""
    })
final class RetentionHoldCommand extends StoreAction {
  @Parameters(
      paramLabel = "ID",
      arity = "0..1",
      description = "The session. Default: everything of --owner.")
  @Nullable String id;

  @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why.")
  String reason = "";

  RetentionHoldCommand(Clew clew) {
    super(clew, Opening.WRITE);
  }

  @Override
  protected void beforeOpening() {
    requireOwner(clew(), id);
  }

  static void requireOwner(Clew clew, @Nullable String id) {
    if (id == null && clew.owner == null) {
      throw Failure.usage("name a session, or an owner with --owner NAME");
    }
  }

  @Override
  protected int run(SessionStore store) {
    Optional<String> session = Optional.ofNullable(id);
    if (id != null && !exists(store, clew().key(id))) {
      throw clew().noSession(clew().key(id));
    }
    LegalHolds.Hold hold =
        new LegalHolds(store).place(clew().owner(), session, reason, Clock.systemUTC());
    note(store, clew().owner(), session, "retention hold");
    clew().out().line(clew().json ? RetentionRows.json(hold).toString() : RetentionRows.text(hold));
    return ExitCode.OK;
  }

  /** One that cannot be read is there too, and may be evidence. */
  private static boolean exists(SessionStore store, SessionKey key) {
    try {
      return store.session(key).info().isPresent();
    } catch (ClewException.CorruptRecord e) {
      return true;
    }
  }

  static void note(SessionStore store, String owner, Optional<String> id, String what) {
    new AuditLog(store.documents(), Clock.systemUTC(), AuditLog.KEPT)
        .note(
            "command line",
            owner,
            what,
            id.map(text -> AuditLog.key(owner, text)).orElse(null),
            "done",
            null);
  }
}
