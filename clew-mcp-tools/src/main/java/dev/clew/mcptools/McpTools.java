package dev.clew.mcptools;

import dev.clew.agent.Tool;
import dev.clew.agent.ToolOutput;
import dev.clew.agent.ToolSource;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tools of a server that speaks the Model Context Protocol. Thread-safe.
 *
 * <pre>{@code
 * try (McpTools files = McpTools.stdio("npx", "-y", "@modelcontextprotocol/server-filesystem", "/srv")
 *     .name("files").withoutApproval("read_text_file").open()) {
 *   Agent agent = Agent.builder().name("Guide").tools(files).build();
 *   runner.run(agent, "What is in notes.txt?", session);
 * }
 * }</pre>
 *
 * <p>The model sees each tool as {@code name__tool}. A person has to agree to each call unless
 * {@link Builder#withoutApproval} says otherwise. It connects when it is first used and again after
 * the connection broke. A run in which the server does not answer goes on: without its tools, or
 * with an error as the output of a call.
 */
public final class McpTools implements ToolSource, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(McpTools.class);
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  /**
   * Servers over HTTP have no way to tell that their tools changed, except while they are asked.
   */
  private static final long FRESH_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Builder settings;
  private final Connection connection;
  private final Object lock = new Object();
  private long listedAt;
  private volatile List<McpTool> listed = List.of();
  private volatile @Nullable Failed failed;
  private volatile boolean stale = true;

  /** Why and when the tools could not be listed. */
  private record Failed(McpFailure failure, long at) {}

  private McpTools(Builder settings) {
    this.settings = settings;
    this.connection = new Connection(this::wire, limit());
  }

  /** For a handshake, and for a list. */
  Duration limit() {
    return timeout().compareTo(Bounds.LIST) < 0 ? timeout() : Bounds.LIST;
  }

  /** A server that runs as a process of this program, and ends with it. */
  public static Builder stdio(String... command) {
    if (command.length == 0 || command[0].isBlank()) {
      throw new IllegalArgumentException("the command of an MCP server is empty");
    }
    return new Builder(List.of(command), null);
  }

  /**
   * A server at a URL.
   *
   * @throws IllegalArgumentException unless it is an absolute http or https URL without a user
   */
  public static Builder http(String url) {
    return new Builder(List.of(), Requests.checkedUrl(url));
  }

  /** What it is called: the part of the tools' names before the two underscores. */
  public String name() {
    return Objects.requireNonNull(settings.name);
  }

  /**
   * Where it is, without anything that may be secret: the URL without its query, or the program.
   */
  public String address() {
    URI url = settings.url;
    if (url == null) {
      return settings.command.get(0);
    }
    String path = url.getRawPath() == null ? "" : url.getRawPath();
    return url.getScheme() + "://" + url.getRawAuthority() + path;
  }

  String prefix() {
    return settings.prefixed ? name() : "";
  }

  boolean offers(String tool) {
    Set<String> only = settings.only;
    return (only == null || only.contains(tool)) && !settings.without.contains(tool);
  }

  boolean needsApproval(String tool) {
    return !settings.noApproval && !settings.unapproved.contains(tool);
  }

  Duration timeout() {
    return settings.timeout;
  }

  /**
   * The tools for a run: those the server has, or those it had when it last answered. A server that
   * did not answer is asked again after ten seconds, so that not every run waits for it. One that
   * is needed and does not answer is an {@link IllegalStateException}.
   */
  @Override
  public List<Tool> tools() {
    Failed last = failed;
    if (last != null && !settings.required && System.nanoTime() - last.at() < PAUSE_NANOS) {
      return List.copyOf(listed);
    }
    try {
      return List.copyOf(list());
    } catch (McpFailure e) {
      if (settings.required) {
        throw new IllegalStateException(e.getMessage());
      }
      LOG.warn("{}", e.getMessage());
      return List.copyOf(listed);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  /**
   * The tools that the server has now. The list is asked for again after the server said that it
   * changed, and over HTTP after a minute. Callers who waited while it failed fail with it.
   */
  public List<McpTool> list() throws McpFailure, InterruptedException {
    long asked = System.nanoTime();
    synchronized (lock) {
      Failed last = failed;
      if (last != null && last.at() - asked > 0) {
        throw last.failure(); // or many would wait for a server that hangs, one after the other
      }
      boolean old = settings.url != null && System.nanoTime() - listedAt > FRESH_NANOS;
      if (!stale && !old && connection.isOpen()) {
        return listed;
      }
      try {
        Wire open = connection.wire();
        stale = false; // a change while it is listed makes it so again
        listed = List.copyOf(new Listing(this).read(open));
        listedAt = System.nanoTime();
        failed = null;
        return listed;
      } catch (McpFailure e) {
        stale = true;
        McpFailure failure = named(e);
        failed = new Failed(failure, System.nanoTime());
        throw failure;
      }
    }
  }

  /**
   * A tool that was listed before; empty if it is not offered here, whoever says that it was.
   *
   * @param json as {@link McpTool#json} gave it
   */
  public Optional<McpTool> tool(String json) {
    Map<String, String> fields = Json.fields(json);
    String name = Json.string(fields.get("name"));
    String description = Json.string(fields.get("description"));
    if (name == null || name.isEmpty() || !offers(name)) {
      return Optional.empty();
    }
    return Optional.of(
        McpTool.of(
            this,
            name,
            description == null ? "" : description,
            fields.getOrDefault("input_schema", "{}"),
            fields.getOrDefault("annotations", "null")));
  }

  ToolOutput call(McpTool tool, String arguments) throws McpFailure, InterruptedException {
    String given = arguments.isBlank() ? "{}" : arguments.strip();
    if (!isObject(given)) {
      throw new IllegalArgumentException("the arguments must be a JSON object");
    }
    String params = new JsonObject().put("name", tool.tool()).raw("arguments", given).toString();
    try {
      Wire open = connection.wire();
      try {
        return CallResult.read(open.ask("tools/call", params, timeout()));
      } catch (McpFailure e) {
        if (open.isOpen() || !tool.mayBeRepeated()) {
          throw e;
        }
      }
      return CallResult.read(connection.wire().ask("tools/call", params, timeout()));
    } catch (McpFailure e) {
      if (e.kind() == McpFailure.Kind.PROTOCOL) {
        stale = true; // perhaps the tool is not what it was
      }
      throw named(e);
    }
  }

  private static boolean isObject(String json) {
    try {
      Bounds.check(json);
      return json.startsWith("{");
    } catch (McpFailure e) {
      return false;
    }
  }

  private McpFailure named(McpFailure failure) {
    String start = "MCP server '" + name() + "'";
    return failure.getMessage().startsWith(start)
        ? failure
        : failure.within(start + " (" + address() + "): ");
  }

  private Wire wire() throws McpFailure {
    Runnable changed = () -> stale = true;
    URI url = settings.url;
    return url == null
        ? ProcessWire.start(
            name(),
            settings.command,
            settings.environment,
            Optional.ofNullable(settings.folder),
            changed)
        : new HttpWire(
            HttpClients.client(settings.publicOnly), url, Map.copyOf(settings.headers), changed);
  }

  /** Ends the connection, and the process if there is one. */
  @Override
  public void close() {
    connection.close();
  }

  @Override
  public String toString() {
    return "MCP server '" + name() + "' (" + address() + ")";
  }

  /** Describes a server. Not thread-safe. */
  public static final class Builder {
    private final List<String> command;
    private final @Nullable URI url;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final Map<String, String> headers = new LinkedHashMap<>();
    private @Nullable String name;
    private boolean prefixed = true;
    private @Nullable Path folder;
    private @Nullable Set<String> only;
    private Set<String> without = Set.of();
    private boolean noApproval;
    private Set<String> unapproved = Set.of();
    private Duration timeout = Tool.DEFAULT_TIMEOUT;
    private boolean required;
    private boolean publicOnly;

    private Builder(List<String> command, @Nullable URI url) {
      this.command = command;
      this.url = url;
    }

    /** What it is called; by default the host, or the program. */
    public Builder name(String value) {
      if (!NAME.matcher(value).matches()) {
        throw new IllegalArgumentException(
            "the name of an MCP server is 1 to 64 letters, digits, _ or -, unlike '"
                + Bounds.quoted(value)
                + "'");
      }
      name = value;
      return this;
    }

    /** Shows the model the tools under the names the server gives them. */
    public Builder withoutPrefix() {
      prefixed = false;
      return this;
    }

    /** Offers only these tools. */
    public Builder only(String... tools) {
      only = Set.of(tools);
      return this;
    }

    /** Does not offer these tools. */
    public Builder without(String... tools) {
      without = Set.of(tools);
      return this;
    }

    /** Calls these tools without asking a person; all of them if none is named. */
    public Builder withoutApproval(String... tools) {
      noApproval = tools.length == 0;
      unapproved = Set.of(tools);
      return this;
    }

    /** How long a call may take; two minutes by default. */
    public Builder timeout(Duration value) {
      timeout = value;
      return this;
    }

    /** Fails the runs in which the server does not answer when its tools are listed. */
    public Builder required() {
      required = true;
      return this;
    }

    /** A variable of the process, which gets hardly anything of this program's environment. */
    public Builder environment(String variable, String value) {
      environment.put(variable, value);
      return this;
    }

    /** The folder that the process starts in. */
    public Builder folder(Path value) {
      folder = value;
      return this;
    }

    /**
     * A header of each request, such as {@code Authorization}. It is sent to this server only, and
     * is in no message and no log.
     *
     * @throws IllegalArgumentException if the header is one that the protocol or HTTP needs
     */
    public Builder header(String header, String value) {
      Requests.checkHeader(header, value);
      headers.put(header, value);
      return this;
    }

    /**
     * Refuses addresses of private networks and of this machine, for URLs that others chose. The
     * addresses that were checked are those it connects to.
     */
    public Builder publicOnly() {
      publicOnly = true;
      return this;
    }

    /** The server; nothing is started or connected yet. */
    public McpTools open() {
      if (name == null) {
        String usual =
            url == null
                ? String.valueOf(Path.of(command.get(0)).getFileName()).replaceFirst("\\..*", "")
                : url.getHost();
        String cleaned = usual.replaceAll("[^A-Za-z0-9_-]", "_");
        name(cleaned.substring(0, Math.min(cleaned.length(), 64)));
      }
      return new McpTools(this);
    }
  }
}
