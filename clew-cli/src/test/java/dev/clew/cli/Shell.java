package dev.clew.cli;

import dev.clew.Opening;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.cli.terminal.Terminal;
import dev.clew.decorate.EachCallBackend;
import dev.clew.json.Json;
import dev.clew.kit.BackendStore;
import dev.clew.kit.StoreSettings;
import dev.clew.spi.Backend;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs clew commands in this process, one after another on one store. Not thread-safe. */
public final class Shell {
  /** What a command left behind. */
  public record Result(int code, String out, String err) {
    public Map<String, Object> json() {
      return Json.readObject(out);
    }

    public Map<String, Object> error() {
      return object(Json.readObject(err), "error");
    }
  }

  public final SessionStore store = Stores.open("memory:");
  public final Map<String, String> env = new HashMap<>();
  public final List<String> opened = new ArrayList<>();
  private final Keyboard keyboard = new Keyboard();
  private BiFunction<String, Opening, SessionStore> stores =
      asOpened(
          url -> {
            opened.add(url);
            return keptOpen(store);
          });
  private byte[] input = {};

  /** A store that outlives the command which closes it, as a file outlives a process. */
  public static SessionStore keptOpen(SessionStore store) {
    return BackendStore.decorate(store, KeptOpen::new);
  }

  /** Its backend. */
  public static class KeptOpen extends EachCallBackend {
    public KeptOpen(Backend delegate) {
      super(delegate);
    }

    @Override
    protected <T> T call(String name, Kind kind, Optional<SessionKey> key, Supplier<T> call) {
      return call.get();
    }

    @Override
    public void close() {}
  }

  /** Somebody who types what was prepared. */
  private static final class Keyboard implements Terminal {
    private final Deque<String> lines = new ArrayDeque<>();
    private boolean there;
    private Runnable beforeAnswer = () -> {};
    private OptionalInt width = OptionalInt.empty();

    @Override
    public boolean isInteractive() {
      return there;
    }

    @Override
    public OptionalInt width() {
      return width;
    }

    @Override
    public String readLine() {
      beforeAnswer.run();
      return lines.poll();
    }

    @Override
    public void pause() {}
  }

  /** What is opened to read cannot be written to, whatever it is. */
  private static BiFunction<String, Opening, SessionStore> asOpened(
      Function<String, SessionStore> with) {
    return (url, opening) ->
        opening.isReadOnly()
            ? BackendStore.of(
                Backend.of(with.apply(url)), StoreSettings.of("the store").readOnly(true))
            : with.apply(url);
  }

  public Shell opening(Function<String, SessionStore> with) {
    stores = asOpened(with);
    return this;
  }

  /** From now on on the stores that the URLs name. */
  public Shell onRealStores() {
    stores = Stores::open;
    return this;
  }

  /** From now on on a terminal, where these lines get typed. */
  public Shell onTerminal(String... typed) {
    keyboard.there = true;
    keyboard.lines.addAll(List.of(typed));
    return this;
  }

  public Shell wide(int columns) {
    keyboard.width = OptionalInt.of(columns);
    return this;
  }

  /** Does something while a question is on the screen. */
  public Shell whileAsked(Runnable action) {
    keyboard.beforeAnswer = action;
    return this;
  }

  public Shell typing(String text) {
    return typing(text.getBytes(StandardCharsets.UTF_8));
  }

  public Shell typing(byte[] bytes) {
    input = bytes;
    return this;
  }

  public Result run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Main.run(args, new ByteArrayInputStream(input), out, err, env, keyboard, stores);
    return new Result(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  @SuppressWarnings("unchecked")
  public static Map<String, Object> object(Map<String, Object> parent, String name) {
    return (Map<String, Object>) parent.get(name);
  }

  @SuppressWarnings("unchecked")
  public static List<Map<String, Object>> objects(Map<String, Object> parent, String name) {
    return (List<Map<String, Object>>) parent.get(name);
  }
}
