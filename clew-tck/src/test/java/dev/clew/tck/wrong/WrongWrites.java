package dev.clew.tck.wrong;

import dev.clew.Commit;
import dev.clew.Commit.Append;
import dev.clew.Commit.ReplacePrefix;
import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.EntryPage;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.json.Json;
import dev.clew.kit.BackendStore;
import dev.clew.spi.Fork;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Stores that store something else than they were given. */
final class WrongWrites {
  private static final Set<String> KNOWN =
      Set.of("type", "role", "content", "id", "call_id", "name", "arguments", "output");

  private WrongWrites() {}

  static List<WrongStore> all() {
    return List.of(
        WrongStore.of("loses the last batch", "items_surviveARestart", WrongWrites::losesLast),
        WrongStore.of(
            "drops unknown fields", "unknownTypesAndFields_areKept", WrongWrites::dropsFields),
        WrongStore.of(
            "forgets when items were said",
            "itemsFromElsewhere_keepTheirTimesAndMakeTheSessionAsOldAsTheyAre",
            WrongWrites::forgetsTimes),
        WrongStore.of("reorders keys", "theOrderOfKeys_isKept", WrongWrites::reordersKeys),
        WrongStore.of(
            "unescapes what was escaped",
            "escapes_stayEscapesAndRawCharactersStayRaw",
            WrongWrites::unescapes),
        WrongStore.of(
            "splits batches",
            "theSizeLimitOfTheStore_refusesABatchAsAWhole",
            WrongWrites::splitsBatches),
        WrongStore.of(
            "forgets operation ids",
            "aRepeatedAppend_writesOnce",
            WrongWrites::forgetsOperationIds),
        WrongStore.of(
            "ignores the expected version",
            "expectVersion_refusesAndWritesNothingIfAnybodyWroteMeanwhile",
            WrongWrites::ignoresExpectations),
        WrongStore.of(
            "makes a session that was expected to be there",
            "expectExisting_neverMakesASession",
            WrongWrites::ignoresExpectations),
        WrongStore.of(
            "pops the oldest", "popItem_removesAndReturnsTheNewest", WrongWrites::popsOldest),
        WrongStore.of(
            "replaces everything when compacting",
            "replacePrefix_keepsWhatWasAppendedSince",
            WrongWrites::compactsEverything),
        WrongStore.of(
            "leaves a gap between the positions of a replacement",
            "positionsOfAReplacement_areNewConsecutiveAndBelowAllOthers",
            WrongWrites::leavesAGap),
        WrongStore.of(
            "keeps nothing of what was compacted",
            "theReplacedItems_areShownOnRequestInTheirOldPlace",
            WrongWrites::dropsArchive),
        WrongStore.of(
            "shares later appends with a fork",
            "forkAndSource_goOnIndependently",
            WrongWrites::sharesWithForks),
        WrongStore.of(
            "keeps the title of a cleared session",
            "clearSession_removesTheSessionItself",
            WrongWrites::keepsTitle),
        WrongStore.of(
            "takes ids without regard to case",
            "everyStrangeId_isASessionOfItsOwn",
            WrongWrites::ignoresCase),
        WrongStore.of(
            "joins owner and id",
            "ownerAndId_thatLookAlikeWhenJoined_areDifferentSessions",
            WrongWrites::joinsOwnerAndId));
  }

  /** Changes the drafts of each append. */
  private static SessionStore appending(SessionStore right, UnaryOperator<Draft> change) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Receipt commit(SessionKey key, Commit transaction) {
                return super.commit(
                    key,
                    transaction.step() instanceof Append
                        ? Rewriting.append(transaction, change)
                        : transaction);
              }
            });
  }

  private static SessionStore losesLast(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              private Runnable lose = () -> {};

              @Override
              public Receipt commit(SessionKey key, Commit transaction) {
                int size = transaction.items().size();
                lose =
                    () -> {
                      for (int i = 0; i < size; i++) {
                        super.removeLast(key);
                      }
                    };
                return super.commit(key, transaction);
              }

              @Override
              public void close() {
                lose.run();
                lose = () -> {};
                super.close();
              }
            });
  }

  private static SessionStore dropsFields(SessionStore right) {
    return appending(
        right,
        draft ->
            Rewriting.draft(
                draft,
                json -> {
                  Map<String, String> fields = new LinkedHashMap<>(Json.fields(json));
                  fields.keySet().retainAll(KNOWN);
                  return write(fields);
                }));
  }

  private static SessionStore forgetsTimes(SessionStore right) {
    return appending(right, draft -> new Draft(draft.item(), draft.notes()));
  }

  private static SessionStore reordersKeys(SessionStore right) {
    return appending(
        right, draft -> Rewriting.draft(draft, json -> write(new TreeMap<>(Json.fields(json)))));
  }

  private static String write(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> Json.quote(field.getKey()) + ":" + field.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static SessionStore unescapes(SessionStore right) {
    return appending(right, draft -> Rewriting.draft(draft, json -> json.replace("\\u00e9", "é")));
  }

  private static SessionStore splitsBatches(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Receipt commit(SessionKey key, Commit transaction) {
                if (transaction.step() instanceof Append append) {
                  Receipt last = new Receipt(0, OptionalLong.empty(), OptionalLong.empty(), false);
                  for (Draft draft : append.drafts()) {
                    last = super.commit(key, Commit.appendDrafts(List.of(draft)));
                  }
                  return last;
                }
                return super.commit(key, transaction);
              }
            });
  }

  private static SessionStore forgetsOperationIds(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Receipt commit(SessionKey key, Commit transaction) {
                return super.commit(key, Rewriting.withoutOperationId(transaction));
              }
            });
  }

  private static SessionStore ignoresExpectations(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Receipt commit(SessionKey key, Commit transaction) {
                return super.commit(key, Rewriting.withoutExpectations(transaction));
              }
            });
  }

  private static SessionStore popsOldest(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Optional<Entry> removeLast(SessionKey key) {
                List<Entry> first = super.read(key, Range.first(1)).entries();
                first.forEach(entry -> super.commit(key, Commit.removeItem(entry.position())));
                return first.stream().findFirst();
              }
            });
  }

  private static SessionStore compactsEverything(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Receipt commit(SessionKey key, Commit transaction) {
                if (transaction.step() instanceof ReplacePrefix) {
                  long tail = super.read(key, Range.latest(1)).entries().get(0).position();
                  return super.commit(key, Commit.replacePrefix(tail, transaction.items()));
                }
                return super.commit(key, transaction);
              }
            });
  }

  static SessionStore leavesAGap(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Receipt commit(SessionKey key, Commit transaction) {
                List<Item> items = new ArrayList<>(transaction.items());
                if (!(transaction.step() instanceof ReplacePrefix prefix) || items.size() < 2) {
                  return super.commit(key, transaction);
                }
                items.add(1, Item.user("gap"));
                Receipt receipt = super.commit(key, Commit.replacePrefix(prefix.upTo(), items));
                super.commit(key, Commit.removeItem(receipt.firstPosition().getAsLong() + 1));
                return receipt;
              }
            });
  }

  private static SessionStore dropsArchive(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public Receipt commit(SessionKey key, Commit transaction) {
                return super.commit(
                    key,
                    transaction.step() instanceof ReplacePrefix prefix
                        ? Commit.dropPrefix(prefix.upTo(), transaction.items())
                        : transaction);
              }
            });
  }

  private static SessionStore sharesWithForks(SessionStore right) {
    Map<SessionKey, SessionKey> forks = new ConcurrentHashMap<>();
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public SessionInfo fork(Fork fork) {
                forks.put(fork.source(), fork.target());
                return super.fork(fork);
              }

              @Override
              public Receipt commit(SessionKey key, Commit transaction) {
                SessionKey fork = forks.get(key);
                if (fork != null) {
                  super.commit(fork, transaction);
                }
                return super.commit(key, transaction);
              }
            });
  }

  private static SessionStore keepsTitle(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new Passing(backend) {
              @Override
              public boolean delete(SessionKey key) {
                Optional<SessionInfo> before = super.info(key);
                boolean deleted = super.delete(key);
                before.ifPresent(
                    info -> super.update(key, SessionUpdate.none().title(info.title())));
                return deleted;
              }
            });
  }

  private static SessionStore ignoresCase(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new ThroughRead(backend) {
              @Override
              public Receipt commit(SessionKey key, Commit transaction) {
                return super.commit(lower(key), transaction);
              }

              @Override
              public EntryPage read(SessionKey key, Range range) {
                return super.read(lower(key), range);
              }

              private SessionKey lower(SessionKey key) {
                return new SessionKey(key.owner(), key.id().toLowerCase(Locale.ROOT));
              }
            });
  }

  private static SessionStore joinsOwnerAndId(SessionStore right) {
    return BackendStore.decorate(
        right,
        backend ->
            new ThroughRead(backend) {
              @Override
              public Receipt commit(SessionKey key, Commit transaction) {
                return super.commit(joined(key), transaction);
              }

              @Override
              public EntryPage read(SessionKey key, Range range) {
                return super.read(joined(key), range);
              }

              private SessionKey joined(SessionKey key) {
                return key.owner().isEmpty() ? key : SessionKey.of(key.owner() + ":" + key.id());
              }
            });
  }
}
