package dev.clew.mcptools;

import dev.clew.json.JsonObject;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process of ours that speaks on its standard input and output. Thread-safe. The process gets
 * little of our environment, and ends when its input does: with us, however we end.
 */
final class ProcessWire implements Wire {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessWire.class);

  /** What programs need to run at all; nothing that may be secret. */
  private static final Set<String> PASSED_ON =
      Set.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "SHELL",
          "LANG",
          "LC_ALL",
          "TZ",
          "TMPDIR",
          "TEMP",
          "TMP",
          "JAVA_HOME",
          "APPDATA",
          "LOCALAPPDATA",
          "PROGRAMFILES",
          "SYSTEMDRIVE",
          "SYSTEMROOT",
          "USERPROFILE",
          "PATHEXT",
          "COMSPEC");

  private static final int QUEUE = 256;
  private static final int NOISE = 64;
  private static final int LOGGED_CHARS = 500;
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);
  private static final String END = "";

  private final String label;
  private final Process process;
  private final Runnable whenToolsChange;
  private final AtomicLong ids = new AtomicLong();
  private final Map<String, CompletableFuture<Incoming>> waiting = new ConcurrentHashMap<>();
  private final BlockingQueue<String> toSend = new ArrayBlockingQueue<>(QUEUE);
  private volatile @Nullable McpFailure broken;
  private volatile ProtocolVersion version = new ProtocolVersion(ProtocolVersion.NEWEST, false);

  private ProcessWire(String label, Process process, Runnable whenToolsChange) {
    this.label = label;
    this.process = process;
    this.whenToolsChange = whenToolsChange;
  }

  static ProcessWire start(
      String label,
      List<String> command,
      Map<String, String> environment,
      Optional<Path> folder,
      Runnable whenToolsChange)
      throws McpFailure {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder
        .environment()
        .keySet()
        .removeIf(name -> !PASSED_ON.contains(name.toUpperCase(java.util.Locale.ROOT)));
    builder.environment().putAll(environment);
    folder.ifPresent(path -> builder.directory(path.toFile()));
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw McpFailure.connection(
          "the program '" + command.get(0) + "' cannot be started: " + e.getMessage());
    }
    ProcessWire wire = new ProcessWire(label, process, whenToolsChange);
    wire.thread("in", wire::readAll);
    wire.thread("out", wire::sendAll);
    wire.thread("err", wire::logAll);
    return wire;
  }

  private void thread(String what, Runnable work) {
    Thread thread = new Thread(work, "clew-mcp-" + label + "-" + what);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public String ask(String method, String params, Duration limit)
      throws McpFailure, InterruptedException {
    String id = String.valueOf(ids.incrementAndGet());
    CompletableFuture<Incoming> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    try {
      send(Incoming.request(id, method, version.params(params)));
      McpFailure failure = broken;
      if (failure != null) { // perhaps before it was waited for
        throw failure;
      }
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS).result();
    } catch (TimeoutException e) {
      cancel(id);
      throw McpFailure.late(limit);
    } catch (InterruptedException e) {
      cancel(id);
      throw e;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof McpFailure failure
          ? failure
          : McpFailure.connection("the connection broke");
    } finally {
      waiting.remove(id);
    }
  }

  private void cancel(String id) {
    tell("notifications/cancelled", new JsonObject().raw("requestId", id).toString());
  }

  @Override
  public void tell(String method, String params) {
    try {
      send(Incoming.notification(method, params));
    } catch (McpFailure e) {
      LOG.debug("MCP server {}: {}", label, e.getMessage());
    }
  }

  private void send(String message) throws McpFailure {
    McpFailure failure = broken;
    if (failure != null) {
      throw failure;
    }
    if (!toSend.offer(message)) {
      fail(McpFailure.connection("it does not read its input"));
      throw McpFailure.connection("it does not read its input");
    }
  }

  @Override
  public void speaks(ProtocolVersion value) {
    version = value;
  }

  @Override
  public boolean isOpen() {
    return broken == null && process.isAlive();
  }

  /** Everybody who waits gets the failure, and the process ends. */
  private void fail(McpFailure failure) {
    synchronized (this) {
      if (broken == null) {
        broken = failure;
      }
    }
    waiting.values().forEach(answer -> answer.completeExceptionally(failure));
    end();
  }

  private void sendAll() {
    try (OutputStream out = process.getOutputStream()) {
      for (String message = toSend.take(); !message.equals(END); message = toSend.take()) {
        out.write((message + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (IOException e) {
      LOG.debug("MCP server {} reads no more", label, e); // its output ends too
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void readAll() {
    long unasked = 0;
    int noise = 0;
    try (InputStream in = process.getInputStream()) {
      Lines lines = new Lines(in);
      for (String line = lines.next(); line != null; line = lines.next()) {
        if (line.isBlank()) {
          continue;
        }
        boolean isMessage = line.startsWith("{");
        noise = isMessage ? 0 : noise + 1;
        if (noise > NOISE) {
          throw McpFailure.connection("it writes something other than MCP to standard output");
        }
        if (isMessage) {
          Incoming message = Incoming.read(line);
          boolean expected = received(message);
          unasked = expected ? 0 : unasked + line.length();
        }
        if (unasked > Bounds.UNASKED) {
          throw McpFailure.connection("it sent more than 64 MiB of messages that nobody asked for");
        }
      }
      fail(McpFailure.connection("the program ended" + exit()));
    } catch (McpFailure e) {
      fail(e);
    } catch (IOException e) {
      fail(McpFailure.connection("the connection broke"));
    } catch (RuntimeException e) {
      LOG.warn("MCP server {}", label, e);
      fail(McpFailure.connection("its output could not be read"));
    }
  }

  private String exit() {
    try {
      return process.waitFor(1, TimeUnit.SECONDS) ? " with exit code " + process.exitValue() : "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  /** Passes a message on; returns whether somebody waited for it. */
  private boolean received(Incoming message) {
    if (message.method().isEmpty()) {
      CompletableFuture<Incoming> answer = waiting.get(String.valueOf(message.id()));
      return answer != null && answer.complete(message);
    }
    if (message.method().equals(Incoming.TOOLS_CHANGED)) {
      whenToolsChange.run();
    }
    Optional<String> reply = message.reply();
    if (reply.isPresent() && !toSend.offer(reply.get())) {
      fail(McpFailure.connection("it does not read its input"));
    }
    return false;
  }

  private void logAll() {
    try (BufferedReader err =
        new BufferedReader(
            new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
      char[] piece = new char[LOGGED_CHARS];
      for (int read = err.read(piece); read >= 0; read = err.read(piece)) {
        if (LOG.isDebugEnabled()) {
          LOG.debug("MCP server {}: {}", label, Bounds.quoted(new String(piece, 0, read)));
        }
      }
    } catch (IOException e) {
      LOG.debug("MCP server {}: its standard error broke", label, e);
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (broken == null) {
        broken = McpFailure.connection("the connection was closed");
      }
    }
    toSend.clear();
    var unused = toSend.offer(END); // closes its input, after which it should end
    try {
      if (!process.waitFor(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.debug("MCP server {} did not end with its input", label);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    end();
    McpFailure failure = broken;
    if (failure != null) {
      waiting.values().forEach(answer -> answer.completeExceptionally(failure));
    }
  }

  /** Ends the process and those it started. */
  private void end() {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    process.destroy();
    all.forEach(ProcessHandle::destroy);
    var unused = toSend.offer(END);
    try {
      if (!process.waitFor(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
    all.forEach(ProcessHandle::destroyForcibly);
  }

  /** The lines of a stream, none longer than a message. Used by one thread. */
  private static final class Lines {
    private final InputStream in;
    private final byte[] piece = new byte[16 << 10];
    private int at;
    private int end;

    Lines(InputStream in) {
      this.in = in;
    }

    /** The next line; null at the end. */
    @Nullable String next() throws IOException, McpFailure {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      while (true) {
        if (at == end) {
          end = Math.max(0, in.read(piece));
          at = 0;
          if (end == 0) {
            return null; // an unfinished line is no message
          }
        }
        int from = at;
        while (at < end && piece[at] != '\n') {
          at++;
        }
        line.write(piece, from, at - from);
        if (line.size() > Bounds.MESSAGE) {
          throw McpFailure.connection("it sent a message of more than 4 MiB");
        }
        if (at < end) {
          at++;
          return line.toString(StandardCharsets.UTF_8);
        }
      }
    }
  }
}
