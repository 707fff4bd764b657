package dev.clew.server.internal.sessions;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.json.JsonObject;
import dev.clew.kit.Family;
import dev.clew.server.internal.http.Call;
import dev.clew.server.internal.http.Problem;
import dev.clew.server.internal.http.Route;
import dev.clew.server.internal.library.Library;
import dev.clew.server.internal.limits.FewAtOnce;
import dev.clew.server.operate.Scope;
import dev.clew.transcript.ExportedSession;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * All sessions of a caller as one file, a line of JSON for each, out of the server and into it;
 * projects and prompts too. Thread-safe. Neither direction holds more than a few sessions in
 * memory.
 */
public final class AllSessionsApi {
  private static final int MOST_FAULTS = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final SessionStore store;
  private final long mostMessages;
  private final Library library;
  private final FewAtOnce imports = new FewAtOnce("imports", 4, 1, 1, PATIENCE);

  /**
   * The API of a store.
   *
   * @param mostMessages how many items a session may hold; 0 for no limit
   */
  public AllSessionsApi(SessionStore store, long mostMessages, Library library) {
    this.store = store;
    this.library = library;
    this.mostMessages = mostMessages;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
            "/api/export", Scope.READ, "Exports all sessions, a line for each.", this::export),
        Route.post("/api/import", Scope.WRITE, "Imports sessions, a line for each.", this::imported)
            .streaming());
  }

  private void export(Call call) {
    call.answerHeader("Content-Disposition", "attachment; filename=\"conversations.jsonl\"");
    call.replyPieces(
        "application/jsonl; charset=utf-8",
        new ExportLines(store, call.owner(), library.lines(call.owner())));
  }

  private void imported(Call call) {
    call.reply(
        imports.run(
            call.owner(),
            () -> {
              try (Run run = new Run(call.owner());
                  InputStream body = call.bodyStream()) {
                new TextLines(body, TextLines.LONGEST).forEach(run::begin, run::refuse);
                return run.report();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }));
  }

  /** One import. Fed by one thread; a few others store what it reads. */
  private final class Run implements AutoCloseable {
    private final String owner;
    private final String importId = UUID.randomUUID().toString();
    private final LineWriters writers = new LineWriters(TextLines.LONGEST);

    // Guarded by this.
    private final TreeMap<Long, String> faults = new TreeMap<>();
    private long imported;
    private long items;
    private long refused;
    private long lastLine;
    private Optional<String> last = Optional.empty();

    Run(String owner) {
      this.owner = owner;
    }

    void begin(long number, String line) {
      writers.begin(line, () -> take(number, line));
    }

    private void take(long number, String line) {
      try {
        if (library.take(owner, line)) {
          return;
        }
        ExportedSession session = ExportedSession.parse(line);
        ExportApi.checkLimit("It", session.drafts().size(), mostMessages);
        String id = store(session);
        stored(number, id, session.drafts().size());
      } catch (IllegalArgumentException e) {
        refuse(number, "It " + e.getMessage() + ".");
      } catch (ClewException.InvalidItem e) {
        refuse(number, "Invalid item: " + Problem.reason(e));
      } catch (Problem e) {
        refuse(number, String.valueOf(e.getMessage()));
      }
    }

    private synchronized void stored(long number, String id, int count) {
      imported++;
      items += count;
      if (number > lastLine) {
        lastLine = number;
        last = Optional.of(id);
      }
    }

    synchronized void refuse(long number, String reason) {
      refused++;
      faults.put(number, reason);
      if (faults.size() > MOST_FAULTS) {
        var unused = faults.pollLastEntry();
      }
    }

    /** Under its own id unless that is taken. */
    private String store(ExportedSession session) {
      SessionKey own = new SessionKey(owner, session.sessionId());
      if (store.session(own).info().isEmpty()) {
        try {
          return store(session, own);
        } catch (ClewException.VersionConflict e) {
          // Another line has the same id, or another program was faster.
        }
      }
      return store(session, new SessionKey(owner, UUID.randomUUID().toString()));
    }

    private String store(ExportedSession session, SessionKey key) {
      SessionUpdate description =
          ExportApi.description(session)
              .tags(Family.moved(session.tags(), session.sessionId(), key, importId))
              .archived(Family.isOlder(session.tags(), session.sessionId()));
      if (session.drafts().isEmpty()) {
        description = description.expectVersion(0);
      } else {
        store.session(key).commit(Commit.appendDrafts(session.drafts()).expectVersion(0));
      }
      return store.session(key).update(description).key().id();
    }

    JsonObject report() {
      writers.await();
      return summary();
    }

    private synchronized JsonObject summary() {
      return new JsonObject()
          .put("imported", imported)
          .put("items", items)
          .put("refused", refused)
          .put("session_id", last.orElse(null))
          .putAll(
              "faults",
              faults.entrySet().stream()
                  .map(
                      fault ->
                          new JsonObject()
                              .put("line", fault.getKey())
                              .put("reason", fault.getValue()))
                  .toList());
    }

    @Override
    public void close() {
      writers.close();
    }
  }
}
