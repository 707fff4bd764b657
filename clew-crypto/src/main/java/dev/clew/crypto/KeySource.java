package dev.clew.crypto;

import dev.clew.ClewException.StoreUnavailable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Where the operator keeps the master keys: a private file, an environment variable, or a command
 * that prints them. Immutable and thread-safe.
 *
 * <p>The keys are a Tink keyset in plain JSON: it is the secret. Back it up separately from the
 * data; without it nothing can be read.
 */
public sealed interface KeySource {
  /** As it was given: {@code file:…}, {@code env:…} or {@code command:…}. */
  String spec();

  /**
   * Reads the keyset.
   *
   * @throws StoreUnavailable if that fails, saying what to do
   */
  String read();

  /**
   * The source a text names.
   *
   * @throws IllegalArgumentException if it names none
   */
  static KeySource of(String spec) {
    int colon = spec.indexOf(':');
    String kind = colon < 0 ? "" : spec.substring(0, colon);
    String rest = spec.substring(colon + 1);
    if (!rest.isBlank() && kind.equals("file")) {
      return new InFile(Path.of(rest));
    }
    if (!rest.isBlank() && kind.equals("env")) {
      return new InEnvironment(rest, System.getenv());
    }
    if (!rest.isBlank() && kind.equals("command")) {
      return new FromCommand(rest);
    }
    throw new IllegalArgumentException(
        "no keys in '"
            + (kind.isEmpty() ? "…" : kind + ":…")
            + "': write file:PATH, env:NAME or command:COMMAND, for example file:clew.key");
  }

  /** A file with mode 0600. */
  record InFile(Path path) implements KeySource {
    @Override
    public String spec() {
      return "file:" + path;
    }

    @Override
    public String read() {
      return new KeyFile(path).read();
    }
  }

  /** A variable of the environment. */
  record InEnvironment(String name, Map<String, String> environment) implements KeySource {
    @Override
    public String spec() {
      return "env:" + name;
    }

    @Override
    public String read() {
      String keyset = environment.get(name);
      if (keyset == null || keyset.isBlank()) {
        throw new StoreUnavailable(
            "the environment variable " + name + " holds no keyset; see 'clew key create'",
            null,
            false);
      }
      return keyset;
    }

    @Override
    public String toString() {
      return spec(); // never what is in the environment
    }
  }

  /** The output of a command, such as one that asks a vault. */
  record FromCommand(String command) implements KeySource {
    private static final int SECONDS = 30;

    @Override
    public String spec() {
      return "command:" + command;
    }

    @Override
    public String read() {
      try {
        Process process =
            new ProcessBuilder("sh", "-c", command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                .start();
        try {
          String keyset =
              new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
          if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new StoreUnavailable(
                "the command that prints the keys failed: " + command, null, false);
          }
          return keyset;
        } finally {
          process.destroy();
        }
      } catch (IOException e) {
        throw new StoreUnavailable(
            "cannot run the command that prints the keys: " + command, e, false);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreUnavailable("interrupted while asking for the keys", e);
      }
    }
  }
}
