package dev.clew.tck.wrong;

import dev.clew.Commit;
import dev.clew.Documents;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Leases;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionEvent;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.StoredSession;
import dev.clew.kit.BackendStore;
import dev.clew.spi.Changes;
import dev.clew.tck.StoreOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Stores that are wrong about time, watching, leases, records, erasing and closing. */
final class WrongRest {
  private WrongRest() {}

  static List<WrongStore> all() {
    return List.of(
        new WrongStore(
            "expires what was written in the future",
            "aClockThatJumpsBack_expiresNothingEarly",
            WrongRest::expiresFuture),
        new WrongStore(
            "prolongs a life by reading",
            "readingASession_doesNotProlongItsLife",
            WrongRest::prolongsByReading),
        WrongStore.of(
            "delivers every event twice",
            "everyAppend_isDeliveredOnceAndInOrder",
            WrongRest::deliversTwice),
        WrongStore.of(
            "delivers other positions than were removed",
            "aPop_isDeliveredAsRemoved",
            WrongRest::deliversOtherPositions),
        WrongStore.of(
            "accepts an outdated fence",
            "aWriteWithAnOutdatedFence_isRefused",
            WrongRest::acceptsAnyFence),
        WrongStore.of(
            "never lets the fence grow", "aLeaseThatRanOut_isFree", WrongRest::fenceStandsStill),
        WrongStore.of(
            "lets anybody release a lease",
            "aLeaseThatChangedHands_isNotFreedByTheFormerHolder",
            WrongRest::releasesForAnybody),
        WrongStore.of(
            "ignores the version of a record",
            "put_withTheVersionSeen_replacesOnlyThatVersion",
            WrongRest::ignoresRecordVersion),
        WrongStore.of(
            "keeps a document that lives no time",
            "aTimeToLiveOfNothing_isRefused",
            WrongRest::keepsWhatLivesNoTime),
        WrongStore.of(
            "lets a long time to live overflow",
            "aVeryLongTimeToLive_doesNotOverflow",
            WrongRest::overflows),
        WrongStore.of(
            "gives a lease to nobody", "whatIsNoLease_isRefused", WrongRest::leasesToNobody),
        WrongStore.of(
            "throws what should fail a future",
            "commitAsync_thatIsRefused_failsItsFutureAndDoesNotThrow",
            WrongRest::throwsAtOnce),
        WrongStore.of(
            "makes a session of an empty append",
            "anEmptyAppendWithATimeToLive_makesNoSession",
            WrongRest::obeysEmptyAppends),
        WrongStore.of(
            "revives an expired session by an empty append",
            "anEmptyAppendWithATimeToLive_doesNotReviveAnExpiredSession",
            WrongRest::obeysEmptyAppends),
        WrongStore.of(
            "writes the history before it looks at the rest",
            "aCommitWithATimeToLiveThatIsRefused_writesNothing",
            WrongRest::checksTooLate),
        WrongStore.of(
            "leaves records when erasing",
            "erase_removesEveryRecordOfTheOwner",
            WrongRest::leavesRecords),
        WrongStore.of(
            "keeps leases when erasing",
            "fences_doNotStartAnewAfterAnErasure",
            WrongRest::keepsLeases),
        WrongStore.of(
            "orders owners by char",
            "names_areOrderedByCodePoint_notByChar",
            WrongRest::ordersByChar),
        WrongStore.of(
            "delivers a replaced suffix as one event",
            "aReplacedSuffix_isDeliveredAsRemovedAndThenAsAppended",
            WrongRest::deliversNoRemovals),
        WrongStore.of(
            "erases by prefix", "erase_leavesOtherOwnersAlone", WrongRest::erasesByPrefix),
        WrongStore.of(
            "answers after it was closed",
            "everyCallAfterClose_failsWithClosed",
            WrongRest::neverCloses),
        WrongStore.of(
            "moves updatedAt with the title",
            "updatedAt_doesNotMoveWithTheDescription",
            WrongRest::touchesOnUpdate));
  }

  private static SessionStore expiresFuture(SessionStore right, StoreOptions options) {
    return BackendStore.decorate(
        right,
        backend ->
            new ThroughRead(backend) {
              @Override
              public EntryPage read(SessionKey key, Range range) {
                Optional<SessionInfo> info = super.info(key);
                boolean early =
                    info.isPresent() && info.get().updatedAt().isAfter(options.clock().instant());
                return early ? EntryPage.EMPTY : super.read(key, range);
              }
            });
  }

  private static SessionStore prolongsByReading(SessionStore right, StoreOptions options) {
    return BackendStore.decorate(
        right,
        backend ->
            new ThroughRead(backend) {
              @Override
              public EntryPage read(SessionKey key, Range range) {
                EntryPage page = super.read(key, range);
                options
                    .timeToLive()
                    .filter(ttl -> !page.entries().isEmpty())
                    .ifPresent(
                        ttl ->
                            super.update(
                                key, SessionUpdate.none().timeToLive(ttl.multipliedBy(2))));
                return page;
              }
            });
  }

  private static Changes delivering(
      Changes right, Function<SessionEvent, Stream<SessionEvent>> wrong) {
    return new Changes(
        right.events().stream().flatMap(wrong).toList(), right.version(), right.more());
  }

  private static SessionStore deliversTwice(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Changes changes(SessionKey key, long version) {
                return delivering(super.changes(key, version), event -> Stream.of(event, event));
              }
            });
  }

  private static SessionStore deliversOtherPositions(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Changes changes(SessionKey key, long version) {
                return delivering(
                    super.changes(key, version),
                    event ->
                        Stream.of(
                            event instanceof SessionEvent.Removed removed
                                ? new SessionEvent.Removed(
                                    removed.version(), List.of(Long.MAX_VALUE))
                                : event));
              }
            });
  }

  private static SessionStore acceptsAnyFence(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Receipt commit(SessionKey key, Commit transaction) {
                return super.commit(key, Rewriting.withoutFence(transaction));
              }
            });
  }

  /** Leases of another store; override what shall differ. */
  private static class ForwardingLeases implements Leases {
    private final Leases right;

    ForwardingLeases(Leases right) {
      this.right = right;
    }

    @Override
    public Optional<Grant> tryAcquire(SessionKey key, String name, String holder, Duration ttl) {
      return right.tryAcquire(key, name, holder, ttl);
    }

    @Override
    public Optional<Grant> renew(Grant grant, Duration ttl) {
      return right.renew(grant, ttl);
    }

    @Override
    public void release(Grant grant) {
      right.release(grant);
    }

    @Override
    public Optional<Grant> holder(SessionKey key, String name) {
      return right.holder(key, name);
    }
  }

  private static SessionStore fenceStandsStill(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Leases leases() {
                return new ForwardingLeases(super.leases()) {
                  @Override
                  public Optional<Grant> tryAcquire(
                      SessionKey key, String name, String holder, Duration ttl) {
                    return super.tryAcquire(key, name, holder, ttl)
                        .map(got -> new Grant(key, name, holder, 1, got.expiresAt()));
                  }
                };
              }
            });
  }

  private static SessionStore releasesForAnybody(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Leases leases() {
                return new ForwardingLeases(super.leases()) {
                  @Override
                  public void release(Grant grant) {
                    holder(grant.key(), grant.name()).ifPresent(super::release);
                  }
                };
              }
            });
  }

  /** Documents of another store; override what is to differ. */
  private static class ForwardingDocuments implements Documents {
    private final Documents right;

    ForwardingDocuments(Documents right) {
      this.right = right;
    }

    @Override
    public Optional<Document> get(String owner, String name) {
      return right.get(owner, name);
    }

    @Override
    public Document put(
        String owner,
        String name,
        String json,
        OptionalLong expectedVersion,
        Optional<Duration> timeToLive) {
      return right.put(owner, name, json, expectedVersion, timeToLive);
    }

    @Override
    public boolean delete(String owner, String name) {
      return right.delete(owner, name);
    }

    @Override
    public List<Document> list(String owner, String prefix, Optional<String> after, int limit) {
      return right.list(owner, prefix, after, limit);
    }
  }

  private static SessionStore ignoresRecordVersion(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Documents documents() {
                return new ForwardingDocuments(super.documents()) {
                  @Override
                  public Document put(
                      String owner,
                      String name,
                      String json,
                      OptionalLong expectedVersion,
                      Optional<Duration> timeToLive) {
                    return super.put(owner, name, json, OptionalLong.empty(), timeToLive);
                  }
                };
              }
            });
  }

  /** Changes the time to live of each document. */
  private static SessionStore living(SessionStore right, UnaryOperator<Optional<Duration>> change) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Documents documents() {
                return new ForwardingDocuments(super.documents()) {
                  @Override
                  public Document put(
                      String owner,
                      String name,
                      String json,
                      OptionalLong expectedVersion,
                      Optional<Duration> timeToLive) {
                    return super.put(owner, name, json, expectedVersion, change.apply(timeToLive));
                  }
                };
              }
            });
  }

  private static SessionStore keepsWhatLivesNoTime(SessionStore right) {
    return living(right, life -> life.filter(time -> time.compareTo(Duration.ofMillis(1)) >= 0));
  }

  private static SessionStore overflows(SessionStore right) {
    return living(
        right, life -> life.map(time -> time.toDays() > 1_000_000 ? Duration.ofMillis(1) : time));
  }

  private static SessionStore leasesToNobody(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Leases leases() {
                return new ForwardingLeases(super.leases()) {
                  @Override
                  public Optional<Grant> tryAcquire(
                      SessionKey key, String name, String holder, Duration ttl) {
                    return super.tryAcquire(key, name, holder.isEmpty() ? "nobody" : holder, ttl);
                  }
                };
              }
            });
  }

  private static SessionStore throwsAtOnce(SessionStore right) {
    BiFunction<StoredSession, Object, CompletableFuture<Receipt>> wait =
        (session, commit) -> CompletableFuture.completedFuture(session.commit((Commit) commit));
    return WrongHandles.instead(right, "commitAsync", wait);
  }

  private static SessionStore obeysEmptyAppends(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Receipt commit(SessionKey key, Commit commit) {
                Receipt receipt = super.commit(key, commit);
                commit
                    .timeToLive()
                    .ifPresent(life -> super.update(key, SessionUpdate.none().timeToLive(life)));
                return receipt;
              }
            });
  }

  private static SessionStore checksTooLate(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Receipt commit(SessionKey key, Commit commit) {
                super.commit(key, commit.historyOnly());
                return super.commit(key, commit);
              }
            });
  }

  private static SessionStore leavesRecords(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public void erase(String owner) {
                super.list(SessionQuery.of(owner))
                    .sessions()
                    .forEach(info -> super.delete(info.key()));
              }
            });
  }

  private static SessionStore erasesByPrefix(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public void erase(String owner) {
                super.owners(Optional.empty(), 100).stream()
                    .filter(name -> name.startsWith(owner))
                    .forEach(super::erase);
              }
            });
  }

  private static SessionStore neverCloses(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public void close() {
                // wrong on purpose
              }
            });
  }

  private static SessionStore touchesOnUpdate(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public SessionInfo update(SessionKey key, SessionUpdate update) {
                super.commit(key, Commit.append(List.of(Item.user("touch"))));
                super.removeLast(key);
                return super.update(key, update);
              }
            });
  }

  private static SessionStore keepsLeases(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public void erase(String owner) {
                SessionQuery all = SessionQuery.of(owner);
                list(all).sessions().forEach(info -> delete(info.key()));
              }
            });
  }

  private static SessionStore ordersByChar(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public List<String> owners(Optional<String> after, int limit) {
                return super.owners(Optional.empty(), 1000).stream()
                    .sorted()
                    .filter(owner -> after.isEmpty() || owner.compareTo(after.get()) > 0)
                    .limit(limit)
                    .toList();
              }
            });
  }

  private static SessionStore deliversNoRemovals(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Changes changes(SessionKey key, long version) {
                return delivering(
                    super.changes(key, version),
                    event ->
                        Stream.of(
                            event instanceof SessionEvent.Removed removed
                                ? new SessionEvent.Described(removed.version())
                                : event));
              }
            });
  }
}
