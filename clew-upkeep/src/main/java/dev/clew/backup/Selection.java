package dev.clew.backup;

import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.copy.OwnerWalk;
import dev.clew.copy.SessionWalk;
import dev.clew.kit.EncryptionMark;
import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What of a store goes into a backup. Stateless but for what was chosen.
 *
 * <p>The records that hold keys always go along: without them nothing of an encrypted store could
 * be opened again.
 */
interface Selection {
  /** Calls for each owner, by name. */
  void forEachOwner(SessionStore store, Consumer<String> action);

  /** Calls for each session of an owner, the least recently updated first. */
  default void forEachSession(SessionStore store, String owner, Consumer<SessionInfo> action) {
    new SessionWalk(store, owner, Optional.empty()).forEach(action);
  }

  /** About how many sessions and items of an owner there are. */
  default long[] count(SessionStore store, String owner) {
    SessionWalk walk = new SessionWalk(store, owner, Optional.empty());
    return new long[] {walk.sessions(), walk.items()};
  }

  /** Whether the records of an owner go along. */
  default boolean hasRecords(String owner) {
    return true;
  }

  /** Everything. */
  static Selection all() {
    return OwnerWalk::forEach;
  }

  /** Everything of one owner. */
  static Selection of(String owner) {
    return (store, action) ->
        OwnerWalk.forEach(
            store,
            name -> {
              if (name.equals(owner) || EncryptionMark.isHolder(name)) {
                action.accept(name);
              }
            });
  }

  /** Some sessions, and no records but the keys. */
  static Selection of(Collection<SessionKey> keys) {
    TreeSet<String> owners = new TreeSet<>();
    keys.forEach(key -> owners.add(key.owner()));
    return new Selection() {
      @Override
      public void forEachOwner(SessionStore store, Consumer<String> action) {
        OwnerWalk.forEach(
            store,
            name -> {
              if (owners.contains(name) || EncryptionMark.isHolder(name)) {
                action.accept(name);
              }
            });
      }

      @Override
      public void forEachSession(SessionStore store, String owner, Consumer<SessionInfo> action) {
        for (SessionKey key : keys) {
          if (key.owner().equals(owner)) {
            store.session(key).info().ifPresent(action);
          }
        }
      }

      @Override
      public long[] count(SessionStore store, String owner) {
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

      @Override
      public boolean hasRecords(String owner) {
        return EncryptionMark.isHolder(owner);
      }
    };
  }
}
