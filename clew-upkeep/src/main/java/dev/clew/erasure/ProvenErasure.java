package dev.clew.erasure;

import dev.clew.ClewException;
import dev.clew.Documents;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.kit.Sha256;
import dev.clew.retention.LegalHolds;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Erases an owner, or one session, and shows that it is gone. Immutable; run it in one thread at a
 * time.
 *
 * <pre>{@code
 * ErasureCertificate certificate =
 *     ProvenErasure.of(store).files(() -> filesOfTheStore).owner("ann", "sqlite:conversations.db");
 * }</pre>
 *
 * <p>First everything is counted and digested, and pieces of it are remembered as hashes in a
 * document of the store. A session includes the documents that {@link #documents} reports, an owner
 * those of {@code @clew} with the owner's name in a field {@code owner}. Then the store erases.
 * Then its tables or keys and its files are searched for leftovers. After an interruption, run it
 * again: it continues with what it remembered.
 */
public final class ProvenErasure {
  private static final String OWNER = "@clew";
  private static final String PREFIX = "erasure/";

  /** Nobody. Erasing nothing makes a store tidy its files all the same. */
  private static final String NOBODY = "@clew.nobody";

  private final SessionStore store;
  private final SessionStore plain;
  private final Supplier<List<Path>> files;
  private final Clock clock;
  private final ErasureListener listener;
  private final SessionDocuments ofSessions;

  private ProvenErasure(
      SessionStore store,
      SessionStore plain,
      Supplier<List<Path>> files,
      Clock clock,
      ErasureListener listener,
      SessionDocuments ofSessions) {
    this.store = Objects.requireNonNull(store, "store");
    this.plain = plain;
    this.files = files;
    this.clock = clock;
    this.listener = listener;
    this.ofSessions = ofSessions;
  }

  /** In a store that is not encrypted. */
  public static ProvenErasure of(SessionStore store) {
    return new ProvenErasure(
        store, store, List::of, Clock.systemUTC(), ErasureListener.NONE, SessionDocuments.NONE);
  }

  /** With the store inside an encrypted one, whose files are searched. */
  public ProvenErasure behind(SessionStore inner) {
    return new ProvenErasure(store, inner, files, clock, listener, ofSessions);
  }

  /** With the files to search afterwards. */
  public ProvenErasure files(Supplier<List<Path>> all) {
    return new ProvenErasure(store, plain, all, clock, listener, ofSessions);
  }

  /** With a listener for its progress. */
  public ProvenErasure listener(ErasureListener value) {
    return new ProvenErasure(store, plain, files, clock, value, ofSessions);
  }

  /** With the documents that belong to sessions; none by default. */
  public ProvenErasure documents(SessionDocuments value) {
    return new ProvenErasure(store, plain, files, clock, listener, value);
  }

  /**
   * Erases everything of an owner, including what {@code @clew} has for the owner, such as tokens.
   *
   * @param name which store it is, for the certificate
   * @throws ClewException.OnHold if the owner or one of the sessions is on legal hold; nothing was
   *     erased
   */
  public ErasureCertificate owner(String owner, String name) {
    SessionKey.checkOwner(owner);
    new LegalHolds(store).requireFree(owner);
    return erase(
        owner,
        Optional.empty(),
        name,
        items -> Countdown.during(() -> store.erase(owner), plain, owner, items, listener));
  }

  /**
   * Erases one session.
   *
   * @param name which store it is, for the certificate
   * @throws ClewException.OnHold if it is on legal hold; nothing was erased
   */
  public ErasureCertificate session(SessionKey key, String name) {
    new LegalHolds(store).requireFree(key);
    return erase(
        key.owner(),
        Optional.of(key.id()),
        name,
        items -> {
          store.session(key).delete();
          store.erase(NOBODY);
        });
  }

  /** How many items of a session there are to erase; 0 if only documents about it are left. */
  public OptionalLong items(SessionKey key) {
    Optional<SessionInfo> info = plain.session(key).info();
    if (info.isPresent()) {
      return OptionalLong.of(info.get().itemCount());
    }
    return named().of(key.owner(), Optional.of(key.id())).isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(0);
  }

  private NamedDocuments named() {
    return new NamedDocuments(store.documents(), plain.documents(), ofSessions);
  }

  /** Whether an erasure was started and not completed. */
  public boolean isUnderWay(String owner, Optional<String> id) {
    return store.documents().get(OWNER, document(owner, id)).isPresent();
  }

  private ErasureCertificate erase(
      String owner, Optional<String> id, String name, LongConsumer erasing) {
    String document = document(owner, id);
    Documents records = store.documents();
    NamedDocuments named = named();
    Inventory inventory =
        records
            .get(OWNER, document)
            .map(known -> Inventory.parse(known.json()))
            .orElseGet(
                () ->
                    Inventory.of(
                        store, plain, owner, id, named.of(owner, id), clock.instant(), listener));
    records.put(OWNER, document, inventory.json());
    // First, so that her tokens open nothing while the rest goes, and the store tidies up last.
    named.of(owner, id).forEach(place -> records.delete(place.owner(), place.name()));
    erasing.accept(inventory.items());
    Leftovers leftovers = new Leftovers(store, plain, inventory.traces(), listener);
    leftovers.askStore(owner, id);
    leftovers.askRecords(named, owner, id);
    leftovers.inspectStore(owner, id);
    leftovers.searchFiles(files.get());
    ErasureCertificate certificate =
        new ErasureCertificate(
            owner,
            id,
            name,
            inventory.begunAt(),
            clock.instant(),
            inventory.sessions(),
            inventory.items(),
            inventory.records(),
            inventory.digest(),
            inventory.traces().size(),
            leftovers.places(),
            leftovers.files(),
            leftovers.bytes(),
            leftovers.found());
    if (certificate.isClean()) {
      records.delete(OWNER, document);
    }
    return certificate;
  }

  private static String document(String owner, Optional<String> id) {
    String what = id.map(text -> owner + "\n" + text).orElse(owner);
    return PREFIX + Sha256.hex(what);
  }
}
