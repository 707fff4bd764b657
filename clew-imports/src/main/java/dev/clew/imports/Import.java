package dev.clew.imports;

import dev.clew.ClewException;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.imports.ImportReport.Outcome;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Imports the conversations of another program into a store. Immutable; run it in one thread at a
 * time.
 *
 * <pre>{@code
 * ImportReport report =
 *     Import.of(ImportFormats.named("chatgpt"), "conversations.json", store)
 *         .run(ImportListener.NONE);
 * }</pre>
 *
 * <p>The source is only read, and it is read completely before anything is written, so that a
 * truncated source or one of another kind changes nothing. The history of each session is written
 * in one commit. Running it again writes nothing twice: what is there and the same is left, what
 * was said since is added, and a session of the same name with another history stays as it is.
 * Memory does not grow with the number of conversations.
 */
public final class Import {
  private final ImportFormat format;
  private final String source;
  private final SessionStore store;
  private final String owner;
  private final Optional<String> id;
  private final boolean dryRun;

  private Import(
      ImportFormat format,
      String source,
      SessionStore store,
      String owner,
      Optional<String> id,
      boolean dryRun) {
    this.format = Objects.requireNonNull(format, "format");
    this.source = Objects.requireNonNull(source, "source");
    this.store = Objects.requireNonNull(store, "store");
    this.owner = owner;
    this.id = id;
    this.dryRun = dryRun;
  }

  /** For the default owner, of everything in the source. */
  public static Import of(ImportFormat format, String source, SessionStore store) {
    return new Import(format, source, store, SessionKey.DEFAULT_OWNER, Optional.empty(), false);
  }

  /** The owner of the imported sessions. */
  public Import owner(String name) {
    SessionKey.checkOwner(name);
    return new Import(format, source, store, name, id, dryRun);
  }

  /** The id of the session, for a source with one conversation. */
  public Import as(String sessionId) {
    return new Import(
        format, source, store, owner, Optional.of(new SessionKey(owner, sessionId).id()), dryRun);
  }

  /** A dry run: reports what would be imported, and writes nothing. */
  public Import dryRun() {
    return new Import(format, source, store, owner, id, true);
  }

  /**
   * Runs it.
   *
   * @throws BadSource if the source is not in order; nothing was written then
   * @throws ClewException if the store cannot be used; run it again then
   */
  public ImportReport run(ImportListener listener) {
    try {
      lookThrough(listener);
      return write(listener);
    } catch (IOException e) {
      throw new ClewException.StoreUnavailable(
          "cannot read '" + source + "': " + e.getMessage(), e, false);
    }
  }

  private void lookThrough(ImportListener listener) throws IOException {
    long sessions = 0;
    long items = 0;
    try (ConversationReader reader = format.open(source, new Losses())) {
      listener.looking(0, reader.size(), reader.units());
      for (Optional<Conversation> next = reader.next(); next.isPresent(); next = reader.next()) {
        key(next.get());
        sessions++;
        items += next.get().drafts().size();
        listener.looking(reader.read(), reader.size(), reader.units());
      }
    }
    if (id.isPresent() && sessions > 1) {
      throw new BadSource(
          "'" + source + "' has " + sessions + " conversations; one id is not enough for them");
    }
    listener.planned(sessions, items);
  }

  private SessionKey key(Conversation conversation) {
    try {
      return new SessionKey(owner, id.orElse(conversation.id()));
    } catch (IllegalArgumentException e) {
      throw new BadSource(conversation.place() + ": the " + e.getMessage());
    }
  }

  private ImportReport write(ImportListener listener) throws IOException {
    Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    long items = 0;
    Losses losses = new Losses();
    try (ConversationReader reader = format.open(source, losses)) {
      for (Optional<Conversation> next = reader.next(); next.isPresent(); next = reader.next()) {
        Arrival arrival = new Arrival(store, key(next.get()), next.get(), dryRun);
        Outcome outcome = arrival.run();
        outcomes.merge(outcome, 1L, Long::sum);
        items += arrival.written();
        listener.finished(arrival.key(), outcome, next.get().drafts().size(), arrival.message());
      }
    }
    return new ImportReport(outcomes, items, losses.all());
  }
}
