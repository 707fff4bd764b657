package dev.clew.tck.wrong;

import dev.clew.Commit;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SearchQuery;
import dev.clew.SearchResult;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionPage;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.kit.BackendStore;
import dev.clew.tck.StoreOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Stores that store the right thing and show something else. */
final class WrongReads {
  private WrongReads() {}

  static List<WrongStore> all() {
    return List.of(
        new WrongStore(
            "orders by clock",
            "order_comesFromPositionsNotFromTheClock",
            WrongReads::orderedByClock),
        WrongStore.of(
            "returns the oldest N",
            "getItems_withALimit_returnsTheNewestOldestFirst",
            WrongReads::oldestFirst),
        WrongStore.of(
            "returns the newest first",
            "getItems_returnsEverythingOldestFirst",
            WrongReads::newestFirst),
        WrongStore.of(
            "returns everything for a negative limit",
            "getItems_withANegativeLimit_isRefused",
            WrongReads::negativeIsEverything),
        WrongStore.of(
            "creates a session by reading it",
            "reading_doesNotCreateTheSession",
            WrongReads::createsOnRead),
        WrongStore.of(
            "always has more", "hasMore_isExactInBothDirections", WrongReads::alwaysHasMore),
        WrongStore.of(
            "numbers its items anew each time",
            "positions_areNotReusedAfterAClear",
            WrongReads::numberedAnew),
        WrongStore.of(
            "forgets the notes",
            "entries_tellWhenAnItemWasAddedAndTheNotesBesideIt",
            WrongReads::withoutNotes),
        WrongStore.of(
            "lists another owner's sessions",
            "list_showsOneOwnersSessionsOnly",
            WrongReads::listsAllOwners),
        WrongStore.of(
            "ends a list after its first page",
            "list_inPagesOfAnySize_hasEachSessionOnce",
            WrongReads::oneListPage),
        WrongStore.of(
            "lists what is not pinned too", "list_filtersByPinned", WrongReads::pinnedOrNot),
        WrongStore.of(
            "finds another owner's items",
            "search_findsOneOwnersSessionsOnly",
            WrongReads::searchesAllOwners),
        WrongStore.of(
            "scores by how rare a word is in all sessions",
            "search_answersWithOneOwnersTextsAlone",
            WrongReads::scoresByAllOwners),
        WrongStore.of(
            "says nothing of damage",
            "aPage_saysWhichPositionsAreDamaged",
            WrongReads::hidesDamage),
        WrongStore.of(
            "answers every other read from a copy",
            "whatEightThreadsAppendAndRead_fitsOneLogThatOnlyGrows",
            WrongReads::staleReads));
  }

  private static SessionStore orderedByClock(SessionStore right, StoreOptions options) {
    Map<Long, Instant> times = new ConcurrentHashMap<>();
    return BackendStore.decorate(
        right,
        backend ->
            new ThroughRead(backend) {
              @Override
              public Receipt commit(SessionKey key, Commit transaction) {
                Receipt receipt = super.commit(key, transaction);
                receipt.lastPosition().ifPresent(at -> times.put(at, options.clock().instant()));
                return receipt;
              }

              @Override
              public EntryPage read(SessionKey key, Range range) {
                EntryPage page = super.read(key, range);
                List<Entry> entries = new ArrayList<>(page.entries());
                entries.sort(
                    Comparator.comparing(
                        entry -> times.getOrDefault(entry.position(), entry.addedAt())));
                return new EntryPage(entries, page.hasMore());
              }
            });
  }

  private static SessionStore oldestFirst(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public List<Item> items(SessionKey key, int limit) {
                return super.read(key, Range.first(limit)).items();
              }
            });
  }

  private static SessionStore newestFirst(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public List<Item> items(SessionKey key, int limit) {
                List<Item> items = new ArrayList<>(super.items(key, limit));
                Collections.reverse(items);
                return items;
              }
            });
  }

  private static SessionStore negativeIsEverything(SessionStore right) {
    return WrongHandles.instead(
        right,
        "getItems",
        (session, limit) -> (int) limit < 0 ? session.getItems() : session.getItems((int) limit));
  }

  private static SessionStore createsOnRead(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new ThroughRead(backend) {
              @Override
              public EntryPage read(SessionKey key, Range range) {
                super.update(key, SessionUpdate.none());
                return super.read(key, range);
              }
            });
  }

  private static SessionStore alwaysHasMore(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new ThroughRead(backend) {
              @Override
              public EntryPage read(SessionKey key, Range range) {
                return new EntryPage(super.read(key, range).entries(), true);
              }
            });
  }

  private static SessionStore numberedAnew(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new ThroughRead(backend) {
              @Override
              public EntryPage read(SessionKey key, Range range) {
                EntryPage page = super.read(key, range);
                AtomicLong number = new AtomicLong();
                return new EntryPage(
                    page.entries().stream()
                        .map(
                            e ->
                                new Entry(
                                    number.incrementAndGet(),
                                    e.item(),
                                    e.addedAt(),
                                    e.notes(),
                                    e.compacted()))
                        .toList(),
                    page.hasMore());
              }
            });
  }

  private static SessionStore withoutNotes(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new ThroughRead(backend) {
              @Override
              public EntryPage read(SessionKey key, Range range) {
                EntryPage page = super.read(key, range);
                return new EntryPage(
                    page.entries().stream()
                        .map(
                            e ->
                                new Entry(
                                    e.position(), e.item(), e.addedAt(), Map.of(), e.compacted()))
                        .toList(),
                    page.hasMore());
              }
            });
  }

  private static SessionStore hidesDamage(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new ThroughRead(backend) {
              @Override
              public EntryPage read(SessionKey key, Range range) {
                EntryPage page = super.read(key, range);
                return new EntryPage(page.entries(), page.hasMore());
              }
            });
  }

  private static SessionStore listsAllOwners(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public SessionPage list(SessionQuery query) {
                List<SessionInfo> found = new ArrayList<>();
                for (String owner : super.owners(Optional.empty(), 100)) {
                  found.addAll(super.list(SessionQuery.of(owner)).sessions());
                }
                return new SessionPage(found, Optional.empty());
              }
            });
  }

  private static SessionStore oneListPage(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public SessionPage list(SessionQuery query) {
                return new SessionPage(super.list(query).sessions(), Optional.empty());
              }
            });
  }

  private static SessionStore pinnedOrNot(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public SessionPage list(SessionQuery query) {
                SessionQuery all =
                    SessionQuery.of(query.owner()).order(query.order()).limit(query.limit());
                return query.pinned().isPresent() ? super.list(all) : super.list(query);
              }
            });
  }

  private static SessionStore searchesAllOwners(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public SearchResult search(SearchQuery query) {
                List<SearchResult.Hit> hits = new ArrayList<>();
                for (String owner : super.owners(Optional.empty(), 100)) {
                  hits.addAll(super.search(SearchQuery.of(owner, query.text())).hits());
                }
                return new SearchResult(hits, false);
              }
            });
  }

  private static SessionStore scoresByAllOwners(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public SearchResult search(SearchQuery query) {
                int everywhere = 1;
                for (String owner : super.owners(Optional.empty(), 100)) {
                  everywhere +=
                      super.search(SearchQuery.of(owner, query.text()).limit(1000)).hits().size();
                }
                List<SearchResult.Hit> hits = new ArrayList<>();
                for (SearchResult.Hit hit : super.search(query).hits()) {
                  hits.add(
                      new SearchResult.Hit(
                          hit.key(),
                          hit.title(),
                          hit.position(),
                          hit.addedAt(),
                          hit.score() / everywhere,
                          hit.snippet(),
                          hit.highlights()));
                }
                return new SearchResult(hits, false);
              }
            });
  }

  private static SessionStore staleReads(SessionStore right) {
    Map<SessionKey, List<Item>> copies = new ConcurrentHashMap<>();
    AtomicLong calls = new AtomicLong();
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public List<Item> items(SessionKey key, int limit) {
                List<Item> copy = copies.get(key);
                if (copy != null && limit < 100 && calls.incrementAndGet() % 2 == 0) {
                  return copy;
                }
                List<Item> items = super.items(key, limit);
                copies.put(key, items);
                return items;
              }
            });
  }
}
