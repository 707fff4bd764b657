package dev.clew.backup;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.copy.OwnerWalk;
import dev.clew.copy.SessionWalk;
import dev.clew.kit.EncryptionMark;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What of a store goes into a backup. Immutable.
 *
 * <p>The documents that hold keys always go along: without them nothing of an encrypted store could
 * be opened again.
 *
 * @param owners whose data goes along
 * @param keys the sessions that go along, without documents; nothing for all
 */
record Selection(Predicate<String> owners, Optional<Collection<SessionKey>> keys) {
  /** Everything. */
  static Selection all() {
    return new Selection(owner -> true, Optional.empty());
  }

  /** Everything of one owner. */
  static Selection of(String owner) {
    return new Selection(owner::equals, Optional.empty());
  }

  /** Some sessions, and no documents but the keys. */
  static Selection of(Collection<SessionKey> keys) {
    Set<String> owners = keys.stream().map(SessionKey::owner).collect(Collectors.toSet());
    return new Selection(owners::contains, Optional.of(List.copyOf(keys)));
  }

  /** Calls for each owner, by name. */
  void forEachOwner(SessionStore store, Consumer<String> action) {
    for (String name : OwnerWalk.of(store)) {
      if (owners.test(name) || EncryptionMark.isHolder(name)) {
        action.accept(name);
      }
    }
  }

  /** Calls for each session of an owner, the least recently updated first. */
  void forEachSession(SessionStore store, String owner, Consumer<SessionInfo> action) {
    if (keys.isEmpty()) {
      new SessionWalk(store, owner, Optional.empty()).forEach(action);
      return;
    }
    for (SessionKey key : keys.get()) {
      if (key.owner().equals(owner)) {
        store.session(key).info().ifPresent(action);
      }
    }
  }

  /** About how many sessions and items of an owner there are. */
  long[] count(SessionStore store, String owner) {
    if (keys.isEmpty()) {
      SessionWalk walk = new SessionWalk(store, owner, Optional.empty());
      return new long[] {walk.sessions(), walk.items()};
    }
    long[] count = new long[2];
    forEachSession(
        store,
        owner,
        info -> {
          count[0]++;
          count[1] += info.itemCount();
        });
    return count;
  }

  /** Whether the documents of an owner go along. */
  boolean hasDocuments(String owner) {
    return keys.isEmpty() || EncryptionMark.isHolder(owner);
  }
}
