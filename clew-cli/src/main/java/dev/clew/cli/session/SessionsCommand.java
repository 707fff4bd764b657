package dev.clew.cli.session;

import dev.clew.Entry;
import dev.clew.Opening;
import dev.clew.Range;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.cli.command.Consent;
import dev.clew.cli.command.JsonFields;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.cli.terminal.PhasedProgress;
import dev.clew.copy.OwnerWalk;
import dev.clew.copy.SessionWalk;
import dev.clew.json.JsonObject;
import dev.clew.kit.Family;
import dev.clew.kit.SessionChange;
import dev.clew.retention.Retention;
import dev.clew.retention.RetentionPolicy;
import dev.clew.spi.Compression;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew sessions}: the name before the commands about whole sessions. Stateless. */
@Command(
    name = "sessions",
    subcommands = {
      SessionsListCommand.class,
      SessionsShowCommand.class,
      SessionsCommand.Rename.class,
      SessionsCommand.Fork.class,
      SessionsCommand.Delete.class,
      SessionsCommand.Decompress.class
    })
public final class SessionsCommand {

  /** {@code clew sessions rename}: gives a session a title. Used once, by one thread. */
  @Command(name = "rename")
  static final class Rename extends StoreAction {
    @Parameters(index = "0", paramLabel = "ID")
    String id = "";

    @Parameters(index = "1", paramLabel = "TITLE")
    String title = "";

    Rename() {
      super(Opening.WRITE);
    }

    @Override
    protected int run(SessionStore store) {
      // Never an update alone: it would create a session that is not there.
      Optional<SessionUpdate> update = Optional.of(SessionUpdate.none().title(title));
      SessionInfo info =
          SessionChange.change(store.session(clew.key(id)), before -> update)
              .orElseThrow(() -> clew.noSession(clew.key(id)));
      return clew.answer(
          new JsonObject().put("session", JsonFields.session(info)),
          info.key() + (title.isEmpty() ? " has no title now" : " is now '" + title + "'"));
    }
  }

  /** {@code clew sessions fork}: a new session from an old one. Used once, by one thread. */
  @Command(name = "fork")
  static final class Fork extends StoreAction {
    @Parameters(index = "0", paramLabel = "ID")
    String id = "";

    @Parameters(index = "1", paramLabel = "NEW_ID")
    String newId = "";

    @Option(names = "--at", paramLabel = "POSITION")
    @Nullable Long at;

    Fork() {
      super(Opening.WRITE);
    }

    @Override
    protected int run(SessionStore store) {
      StoredSession session = store.session(clew.key(id));
      clew.existing(session);
      SessionInfo made = session.forkTo(clew.key(newId), upTo(session));
      return clew.answer(
          new JsonObject().put("session", JsonFields.session(made)),
          String.format(
              "created session %s with %s of %s",
              made.key(), Humanize.count(made.itemCount(), "item"), session.key()));
    }

    /** The newest position, so that the fork records where it was made rather than "everything". */
    private long upTo(StoredSession session) {
      if (at != null) {
        List<Entry> there = session.entries(Range.after(at - 1, 1)).entries();
        if (there.isEmpty() || there.get(0).position() != at) {
          throw Failure.notFound(
              String.format(
                  "session %s has no item at position %s; 'clew sessions show %s "
                      + "--positions' shows the positions",
                  session.key(), at, id));
        }
        return at;
      }
      List<Entry> newest = session.entries(Range.latest(1)).entries();
      return newest.isEmpty() ? 0 : newest.get(0).position();
    }
  }

  /** {@code clew sessions delete}: removes whole sessions. Used once, by one thread. */
  @Command(name = "delete")
  static final class Delete extends StoreAction {
    @Parameters(paramLabel = "ID", arity = "1..*")
    List<String> ids = List.of();

    @Mixin Consent consent = new Consent();

    Delete() {
      super(Opening.WRITE);
    }

    @Override
    protected void beforeOpening() {
      consent.requireYesOrTerminal(clew, "deleting a session");
    }

    @Override
    protected int run(SessionStore store) {
      List<SessionInfo> there = new ArrayList<>();
      List<SessionKey> missing = new ArrayList<>();
      for (String id : new LinkedHashSet<>(ids)) {
        SessionKey key = clew.key(id);
        store.session(key).info().ifPresentOrElse(there::add, () -> missing.add(key));
      }
      if (!there.isEmpty()) {
        consent.ask(clew, question(there));
      }
      List<String> deleted = new ArrayList<>();
      for (SessionInfo info : there) {
        boolean was = false;
        for (SessionKey branch : new Family(store).toDelete(info.key())) {
          was |= store.session(branch).delete();
        }
        if (was) {
          deleted.add(info.key().id());
        } else {
          missing.add(info.key());
        }
      }
      report(deleted, missing);
      if (!missing.isEmpty()) {
        throw clew.noSession(missing.get(0));
      }
      return ExitCode.OK;
    }

    private static String question(List<SessionInfo> there) {
      return there.stream()
          .map(info -> info.key() + " (" + Humanize.count(info.itemCount(), "item") + ")")
          .collect(Collectors.joining(", ", "Delete ", "?"));
    }

    private void report(List<String> deleted, List<SessionKey> missing) {
      if (clew.json) {
        clew.answer(
            new JsonObject()
                .put("owner", clew.owner())
                .put("deleted", deleted)
                .put("missing", missing.stream().map(SessionKey::id).toList()));
      } else {
        deleted.forEach(id -> clew.out().line("deleted " + clew.key(id)));
      }
    }
  }

  /** {@code clew sessions decompress}: undoes what a policy did. Used once, by one thread. */
  @Command(name = "decompress")
  static final class Decompress extends StoreAction {
    @Parameters(paramLabel = "ID", arity = "0..*")
    List<String> ids = List.of();

    @Option(names = "--all")
    boolean all;

    Decompress() {
      super(Opening.WRITE);
    }

    @Override
    protected void beforeOpening() {
      if (ids.isEmpty() && !all) {
        throw Failure.usage("name sessions, or use --all");
      }
      if (all && !ids.isEmpty()) {
        throw Failure.usage("name sessions or use --all, not both");
      }
    }

    @Override
    protected int run(SessionStore store) {
      List<SessionKey> keys = all ? everything(store) : named(store);
      List<SessionKey> done = new ArrayList<>();
      try (PhasedProgress progress = new PhasedProgress(clew.surroundings())) {
        for (int i = 0; i < keys.size(); i++) {
          if (Compression.of(store).decompress(keys.get(i))) {
            done.add(keys.get(i));
          }
          progress.at("decompressing", "sessions", i + 1L, keys.size());
        }
      }
      report(done);
      for (RetentionPolicy policy : Retention.of(store).policies()) {
        if (policy.action() == RetentionPolicy.Action.COMPRESS) {
          clew.note("policy " + policy.name() + " compresses again what it is about");
        }
      }
      return ExitCode.OK;
    }

    private List<SessionKey> named(SessionStore store) {
      List<SessionKey> keys = new ArrayList<>();
      for (String id : new LinkedHashSet<>(ids)) {
        SessionKey key = clew.key(id);
        if (store.session(key).info().isEmpty()) {
          throw clew.noSession(key);
        }
        keys.add(key);
      }
      return keys;
    }

    private static List<SessionKey> everything(SessionStore store) {
      List<SessionKey> keys = new ArrayList<>();
      for (String owner : OwnerWalk.of(store)) {
        new SessionWalk(store, owner, Optional.empty()).forEach(info -> keys.add(info.key()));
      }
      return keys;
    }

    private void report(List<SessionKey> done) {
      if (clew.json) {
        clew.answer(
            new JsonObject()
                .putAll(
                    "decompressed",
                    done.stream()
                        .map(key -> new JsonObject().put("id", key.id()).put("owner", key.owner()))
                        .toList()));
        return;
      }
      clew.out().line("decompressed " + Humanize.count(done.size(), "session"));
    }
  }
}
