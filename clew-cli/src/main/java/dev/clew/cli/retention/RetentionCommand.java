package dev.clew.cli.retention;

import dev.clew.ClewException;
import dev.clew.Opening;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.PointInTime;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.json.JsonObject;
import dev.clew.retention.LegalHolds;
import dev.clew.retention.LegalHolds.Hold;
import dev.clew.retention.Retention;
import dev.clew.retention.RetentionPolicy;
import dev.clew.server.operate.AuditLog;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew retention}: the name before the commands about keeping and removing. Stateless. */
@Command(
    name = "retention",
    subcommands = {
      RetentionCommand.Show.class,
      RetentionCommand.SetPolicy.class,
      RetentionCommand.Remove.class,
      RetentionRunCommand.class,
      RetentionCommand.PlaceHold.class,
      RetentionCommand.Release.class
    })
public final class RetentionCommand {

  /** {@code clew retention show}: policies and holds. Used once, by one thread. */
  @Command(name = "show")
  static final class Show extends StoreAction {

    @Override
    protected int run(SessionStore store) {
      Retention retention = Retention.of(store);
      List<RetentionPolicy> policies = retention.policies();
      List<Hold> holds = retention.holds().all();
      if (clew.json) {
        return clew.answer(
            new JsonObject()
                .putAll("policies", policies.stream().map(RetentionRows::json).toList())
                .putAll("holds", holds.stream().map(RetentionRows::json).toList()));
      }
      if (policies.isEmpty()) {
        clew.note("no policies: sessions are kept forever; 'clew retention set' adds one");
      }
      policies.forEach(policy -> clew.out().line(RetentionRows.text(policy)));
      holds.forEach(hold -> clew.out().line(RetentionRows.text(hold)));
      return ExitCode.OK;
    }
  }

  /** {@code clew retention set}: adds or changes a policy. Used once, by one thread. */
  @Command(name = "set")
  static final class SetPolicy extends StoreAction {
    @Parameters(paramLabel = "NAME")
    String name = "";

    @Option(names = "--age", paramLabel = "TIME")
    @Nullable String age;

    @Option(names = "--idle", paramLabel = "TIME")
    @Nullable String idle;

    @Option(names = "--count", paramLabel = "N")
    @Nullable Integer count;

    @Option(names = "--tag", paramLabel = "TAG")
    @Nullable String tag;

    @Option(names = "--compress")
    boolean compress;

    SetPolicy() {
      super(Opening.CREATE);
    }

    @Override
    protected void beforeOpening() {
      if (count != null && count < 0) {
        throw Failure.usage("--count is " + count + "; it must not be negative").in("--count");
      }
      if (count != null && count == 0 && !compress) {
        throw Failure.usage("--count is 0, which would remove every session; it must be at least 1")
            .in("--count");
      }
      policy();
    }

    private RetentionPolicy policy() {
      RetentionPolicy policy =
          new RetentionPolicy(
              name,
              clew.namedOwner(),
              Optional.ofNullable(tag),
              Optional.ofNullable(age).map(text -> PointInTime.duration("--age", text)),
              Optional.ofNullable(idle).map(text -> PointInTime.duration("--idle", text)),
              count == null ? OptionalInt.empty() : OptionalInt.of(count));
      return compress ? policy.compressing() : policy;
    }

    @Override
    protected int run(SessionStore store) {
      Retention.of(store).set(policy());
      RetentionRows.print(clew, policy());
      return ExitCode.OK;
    }
  }

  /** {@code clew retention remove}: ends a policy. Used once, by one thread. */
  @Command(name = "remove")
  static final class Remove extends StoreAction {
    @Parameters(paramLabel = "NAME")
    String name = "";

    Remove() {
      super(Opening.WRITE);
    }

    @Override
    protected int run(SessionStore store) {
      if (!Retention.of(store).remove(name)) {
        throw Failure.notFound("no policy '" + name + "'; 'clew retention show' lists them");
      }
      return clew.answer(new JsonObject().put("removed", name), "removed policy " + name);
    }
  }

  /** {@code clew retention hold}: keeps something whatever happens. Used once, by one thread. */
  @Command(name = "hold")
  static final class PlaceHold extends StoreAction {
    @Parameters(paramLabel = "ID", arity = "0..1")
    @Nullable String id;

    @Option(names = "--reason", paramLabel = "TEXT", required = true)
    String reason = "";

    PlaceHold() {
      super(Opening.WRITE);
    }

    @Override
    protected void beforeOpening() {
      requireOwner(clew, id);
    }

    static void requireOwner(Clew clew, @Nullable String id) {
      if (id == null && clew.owner == null) {
        throw Failure.usage("name a session, or an owner with --owner NAME");
      }
    }

    @Override
    protected int run(SessionStore store) {
      Optional<String> session = Optional.ofNullable(id);
      if (id != null && !exists(store, clew.key(id))) {
        throw clew.noSession(clew.key(id));
      }
      Hold hold = new LegalHolds(store).place(clew.owner(), session, reason, Clock.systemUTC());
      note(store, clew.owner(), session, "retention hold");
      return clew.answer(RetentionRows.json(hold), RetentionRows.text(hold));
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

  /** {@code clew retention release}: ends a hold. Used once, by one thread. */
  @Command(name = "release")
  static final class Release extends StoreAction {
    @Parameters(paramLabel = "ID", arity = "0..1")
    @Nullable String id;

    Release() {
      super(Opening.WRITE);
    }

    @Override
    protected void beforeOpening() {
      PlaceHold.requireOwner(clew, id);
    }

    @Override
    protected int run(SessionStore store) {
      Optional<String> session = Optional.ofNullable(id);
      String owner = clew.owner();
      if (!new LegalHolds(store).release(owner, session)) {
        throw Failure.notFound("there is no such hold; 'clew retention show' lists them");
      }
      PlaceHold.note(store, owner, session, "retention release");
      return clew.answer(
          new JsonObject().put("owner", owner).put("released", id),
          "released "
              + session.map(text -> clew.key(text).toString()).orElse("owner '" + owner + "'"));
    }
  }
}
