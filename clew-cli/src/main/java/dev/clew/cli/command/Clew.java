package dev.clew.cli.command;

import dev.clew.ClewException;
import dev.clew.Opening;
import dev.clew.SessionInfo;
import dev.clew.SessionKey;
import dev.clew.SessionQuery;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Paint;
import dev.clew.cli.terminal.Surroundings;
import dev.clew.json.JsonObject;
import dev.clew.retention.HoldingStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/**
 * The {@code clew} command itself: the options every command has, and what the commands share. Used
 * once, by one thread.
 */
@Command(name = "clew", versionProvider = Version.class)
public final class Clew {
  /*
   * An option that is given both before and after the command's name counts once. The flags have a
   * default value because picocli otherwise takes the first of the two for it and turns it around.
   */
  @Option(names = "--store", paramLabel = "URL", scope = ScopeType.INHERIT)
  public @Nullable String store;

  @Option(names = "--key", paramLabel = "SOURCE", scope = ScopeType.INHERIT)
  public @Nullable String key;

  @Option(names = "--owner", paramLabel = "NAME", scope = ScopeType.INHERIT)
  public @Nullable String owner;

  @Option(names = "--json", defaultValue = "false", scope = ScopeType.INHERIT)
  public boolean json;

  @Option(names = "--config", paramLabel = "FILE", scope = ScopeType.INHERIT)
  @Nullable String config;

  @Option(names = "--no-color", defaultValue = "false", scope = ScopeType.INHERIT)
  boolean noColor;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      defaultValue = "false",
      scope = ScopeType.INHERIT)
  public boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true)
  public boolean version;

  /** What is told by the file with options, if there is one. */
  public @Nullable Configuration configuration;

  private final Surroundings surroundings;

  /** What {@link #judging} saw last, and the option it was about. */
  private @Nullable RuntimeException refusal;

  private @Nullable String refused;

  private @Nullable String refusedValue;

  public Clew(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  public Surroundings surroundings() {
    return surroundings;
  }

  public Output out() {
    return surroundings.out();
  }

  /** Prints the answer: the document with {@code --json}, else the text and what to know of it. */
  public int answer(JsonObject document, String text, String... notes) {
    if (json) {
      return answer(document);
    }
    out().line(text);
    List.of(notes).forEach(this::note);
    return ExitCode.OK;
  }

  /** Prints the answer as a document. */
  public int answer(JsonObject document) {
    out().line(document.json());
    return ExitCode.OK;
  }

  /** Says something that is not part of the answer. */
  public void note(String text) {
    surroundings.err().line(paint().dim(program().in(text)));
  }

  /** The same, at once: for a command that does not end soon. */
  public void noteNow(String text) {
    note(text);
    surroundings.err().flush();
  }

  /** How this program is called. */
  public Program program() {
    return Program.of(surroundings.env())
        .about(
            typed("--store", store, StoreLocation::forDisplay)
                + typed("--key", key, StoreLocation::forDisplay),
            typed("--owner", owner, name -> name));
  }

  private String typed(String option, @Nullable String value, UnaryOperator<String> display) {
    if (!isTyped(option, value)) {
      return "";
    }
    String shown = display.apply(String.valueOf(value));
    return " " + option + " " + (shown.matches("[\\w:/.@%+…-]+") ? shown : '"' + shown + '"');
  }

  public String helpOf(CommandLine command) {
    return HelpText.of(command, width(), Program.of(surroundings.env()));
  }

  public Paint paint() {
    Map<String, String> env = surroundings.env();
    return new Paint(
        surroundings.terminal().isInteractive()
            && !noColor
            && env.getOrDefault("NO_COLOR", "").isEmpty()
            && !env.getOrDefault("TERM", "").equals("dumb"));
  }

  /** The columns text is wrapped to; none when the answer does not go to a terminal. */
  public OptionalInt width() {
    return surroundings.terminal().width();
  }

  public String storeUrl() {
    return store == null ? StoreLocation.usual(surroundings.env()) : store;
  }

  public SessionStore openStore(Opening opening) {
    return new HoldingStore(StoreKeys.open(() -> openPlainStore(opening), keySpec(), "--key"));
  }

  /** The store to read, or an empty one where there is none: for what only tries. */
  public SessionStore openToTry() {
    try {
      return openStore(Opening.READ);
    } catch (ClewException.NoSuchStore e) {
      return nothing();
    }
  }

  /** A store without anything in it. */
  public SessionStore nothing() {
    return surroundings.stores().apply("memory:", Opening.CREATE);
  }

  /** The store as it is, encrypted or not. */
  public SessionStore openPlainStore(Opening opening) {
    return openPlainStore(opening, this::noteMade);
  }

  /** The same, with somebody to tell what it makes. */
  public SessionStore openPlainStore(Opening opening, Consumer<String> made) {
    return judging("--store", storeUrl(), url -> open(url, opening, made));
  }

  /** A store by its URL; says what it makes. */
  public SessionStore open(String url, Opening opening) {
    return open(url, opening, this::noteMade);
  }

  private void noteMade(String what) {
    if (!json) {
      noteNow("created " + what);
    }
  }

  /** A store by its URL, with somebody to tell what it makes. */
  private SessionStore open(String url, Opening opening, Consumer<String> made) {
    boolean usual = url.startsWith(StoreLocation.usual(surroundings.env()));
    if (usual && opening.mayCreate()) {
      StoreLocation.makeUsualFolder(surroundings.env());
    }
    try {
      return surroundings
          .stores()
          .apply(url, opening.telling(what -> made.accept(what + journal(url, what))));
    } catch (ClewException.NoSuchStore e) {
      throw usual
          ? new ClewException.NoSuchStore(
              "there is no store yet at "
                  + url
                  + "; create it with 'clew add', 'clew chat' or 'clew init', or name another "
                  + "with --store URL")
          : e;
    }
  }

  /** Other programs that use the file may want to know. */
  private static String journal(String url, String made) {
    return url.startsWith("sqlite:") && made.startsWith("the tables")
        ? "; the file is now in WAL mode"
        : "";
  }

  /** The same, where sessions end after a time, such as 90d; empty for what the URL says. */
  public SessionStore openPlainStore(String expireAfter) {
    String url = storeUrl();
    if (expireAfter.isEmpty()) {
      return openPlainStore(Opening.CREATE);
    }
    var unused = PointInTime.duration("--expire-after", expireAfter);
    if (url.matches(".*[?&]ttl=.*")) {
      throw Failure.usage(
              "--expire-after and 'ttl' in the store URL set the same thing; remove one of them")
          .in("--expire-after");
    }
    String limited = url + (url.contains("?") ? "&" : "?") + "ttl=" + expireAfter;
    return judging("--store", limited, it -> open(it, Opening.CREATE));
  }

  /** Whether an option is on the command line, and not from the environment or the file. */
  public boolean isTyped(String option, @Nullable String value) {
    return value != null && (configuration == null || !configuration.gives(option));
  }

  /** Does what fails if the value of an option is wrong, so that the error can say where it is. */
  public <V, T> T judging(String option, V value, Function<V, T> work) {
    try {
      return work.apply(value);
    } catch (RuntimeException e) {
      if (refusal != e) {
        refusal = e;
        refused = option;
        refusedValue = String.valueOf(value);
      }
      throw e;
    }
  }

  /** The variable, or the file and line, with the value that made a command fail. */
  public Optional<String> placeOf(RuntimeException e) {
    if (configuration == null) {
      return Optional.empty();
    }
    if (e instanceof ParameterException refused) {
      return configuration.place(refused);
    }
    String judged = e == refusal ? refused : null;
    String value = e == refusal ? refusedValue : null;
    Optional<String> named = e instanceof Failure failure ? failure.option() : Optional.empty();
    Configuration given = configuration;
    return named
        .or(() -> Optional.ofNullable(judged))
        .flatMap(option -> given.place(option, value));
  }

  /** Reads the keys now, and opens a store with them later. */
  public UnaryOperator<SessionStore> decryption() {
    return StoreKeys.decryption(keySpec(), "--key");
  }

  /** Where the keys are, if there are any. */
  public Optional<String> keySpec() {
    return Optional.ofNullable(key).filter(spec -> !spec.isEmpty());
  }

  /** The owner that was named, else the default owner. */
  public String owner() {
    return namedOwner().orElse(SessionKey.DEFAULT_OWNER);
  }

  /** The owner that was named, for commands whose default is all owners. */
  public Optional<String> namedOwner() {
    if (owner == null) {
      return Optional.empty();
    }
    return judging(
        "--owner",
        owner,
        name -> {
          SessionKey.checkOwner(name);
          return Optional.of(name);
        });
  }

  /** Fails if an owner was named of whom a store has nothing: a mistyped name must not succeed. */
  public void requireOwner(SessionStore source, String place) {
    String name = owner();
    if (!name.isEmpty()
        && source.list(SessionQuery.of(name).limit(1)).sessions().isEmpty()
        && source.documents().list(name, "", Optional.empty(), 1).isEmpty()) {
      throw Failure.notFound(
          String.format("%s has nothing of owner '%s'; check the name", place, name));
    }
  }

  public SessionKey key(String id) {
    return new SessionKey(owner(), id);
  }

  /** What is known of a session that must exist. */
  public SessionInfo existing(StoredSession session) {
    return session.info().orElseThrow(() -> noSession(session.key()));
  }

  public Failure noSession(SessionKey key) {
    return Failure.notFound(
        String.format(
            "no session %s in %s; 'clew sessions list' lists all sessions",
            key, StoreLocation.forDisplay(storeUrl())));
  }
}
