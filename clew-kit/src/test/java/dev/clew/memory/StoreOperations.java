package dev.clew.memory;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.Receipt;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** The histories of two sessions behave as if every operation happened at one instant. */
@Param(name = "session", gen = IntGen.class, conf = "0:1")
@Param(name = "value", gen = IntGen.class, conf = "0:3")
@Param(name = "version", gen = IntGen.class, conf = "0:5")
public class StoreOperations {
  /** Parsed here and short, so that the schedules are about the store and not about parsing. */
  private static final List<Item> ITEMS =
      IntStream.range(0, 4).mapToObj(i -> Item.parse("{\"n\":" + i + "}")).toList();

  private static final List<SessionKey> KEYS = List.of(SessionKey.of("s0"), SessionKey.of("s1"));

  private final MemoryStore store =
      MemoryStore.builder().clock(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC)).build();

  @Operation
  public long add(@Param(name = "session") int session, @Param(name = "value") int value) {
    return store
        .session(KEYS.get(session))
        .commit(Commit.append(List.of(ITEMS.get(value), ITEMS.get(0))))
        .version();
  }

  @Operation
  public String addIf(
      @Param(name = "session") int session,
      @Param(name = "value") int value,
      @Param(name = "version") int version) {
    try {
      Receipt receipt =
          store
              .session(KEYS.get(session))
              .commit(Commit.append(List.of(ITEMS.get(value))).expectVersion(version));
      return String.valueOf(receipt.version());
    } catch (ClewException.VersionConflict e) {
      return "conflict";
    }
  }

  @Operation
  public String addOnce(@Param(name = "session") int session, @Param(name = "value") int value) {
    try {
      Receipt receipt =
          store
              .session(KEYS.get(session))
              .commit(Commit.append(List.of(ITEMS.get(value))).operationId("id"));
      return receipt.version() + (receipt.repeated() ? " again" : "");
    } catch (ClewException.VersionConflict e) {
      return "conflict";
    }
  }

  @Operation
  public String items(@Param(name = "session") int session) {
    return texts(store.session(KEYS.get(session)).getItems(100));
  }

  @Operation
  public String newest(@Param(name = "session") int session) {
    return texts(store.session(KEYS.get(session)).getItems(1));
  }

  @Operation
  public String pop(@Param(name = "session") int session) {
    return store
        .session(KEYS.get(session))
        .removeLast()
        .map(entry -> texts(List.of(entry.item())))
        .orElse("nothing");
  }

  @Operation
  public boolean clear(@Param(name = "session") int session) {
    return store.session(KEYS.get(session)).delete();
  }

  @Operation
  public long version(@Param(name = "session") int session) {
    return store.session(KEYS.get(session)).info().map(SessionInfo::version).orElse(0L);
  }

  @Operation
  public String list() {
    StringBuilder found = new StringBuilder();
    for (SessionInfo info : store.list(SessionQuery.of("")).sessions()) {
      found.append(info.key().id()).append('=').append(info.itemCount()).append(' ');
    }
    return found.toString();
  }

  private static String texts(List<Item> items) {
    StringBuilder texts = new StringBuilder();
    for (Item item : items) {
      texts.append(ITEMS.indexOf(item)).append(' ');
    }
    return texts.toString();
  }

  /** The same in the simplest way, for one thread. */
  public static class Model {
    private static final class State {
      final List<Integer> items = new ArrayList<>();
      final Map<String, String> operations = new HashMap<>();
      long version;
    }

    private final Map<Integer, State> sessions = new TreeMap<>();
    private long lastVersion;

    private State write(int session, int... values) {
      State state = sessions.computeIfAbsent(session, id -> new State());
      for (int value : values) {
        state.items.add(value);
      }
      lastVersion += values.length; // an entry's position is a version too
      state.version = lastVersion;
      return state;
    }

    public long add(int session, int value) {
      return write(session, value, 0).version;
    }

    public String addIf(int session, int value, int version) {
      return version(session) == version ? "" + write(session, value).version : "conflict";
    }

    public String addOnce(int session, int value) {
      State before = sessions.get(session);
      String done = before == null ? null : before.operations.get("id");
      if (done != null) {
        String[] valueAndVersion = done.split(" ", -1);
        return valueAndVersion[0].equals("" + value) ? valueAndVersion[1] + " again" : "conflict";
      }
      State state = write(session, value);
      state.operations.put("id", value + " " + state.version);
      return "" + state.version;
    }

    public String items(int session) {
      State state = sessions.get(session);
      return state == null ? "" : texts(state.items);
    }

    public String newest(int session) {
      State state = sessions.get(session);
      return state == null || state.items.isEmpty()
          ? ""
          : texts(state.items.subList(state.items.size() - 1, state.items.size()));
    }

    public String pop(int session) {
      State state = sessions.get(session);
      if (state == null || state.items.isEmpty()) {
        return "nothing";
      }
      int last = state.items.remove(state.items.size() - 1);
      state.version = ++lastVersion;
      return last + " ";
    }

    public boolean clear(int session) {
      boolean existed = sessions.remove(session) != null;
      lastVersion += existed ? 1 : 0;
      return existed;
    }

    public long version(int session) {
      State state = sessions.get(session);
      return state == null ? 0 : state.version;
    }

    public String list() {
      StringBuilder found = new StringBuilder();
      sessions.forEach(
          (session, state) -> found.append("s" + session + "=" + state.items.size() + " "));
      return found.toString();
    }

    private static String texts(List<Integer> values) {
      StringBuilder texts = new StringBuilder();
      values.forEach(value -> texts.append(value).append(' '));
      return texts.toString();
    }
  }
}
