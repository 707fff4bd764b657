package dev.clew.cli.terminal;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Ends a command with a message and an exit code of its own. Immutable. */
public final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final int exitCode;
  private final @Nullable String option;

  private Failure(int exitCode, String message, @Nullable String option) {
    super(message, null, false, false);
    this.exitCode = exitCode;
    this.option = option;
  }

  private Failure(int exitCode, String message) {
    this(exitCode, message, null);
  }

  /** The same, caused by the value of an option. */
  public Failure in(String name) {
    return new Failure(exitCode, String.valueOf(getMessage()), name);
  }

  /** The option whose value is the cause, if one is. */
  public Optional<String> option() {
    return Optional.ofNullable(option);
  }

  /** The command was called in a way that makes no sense. */
  public static Failure usage(String message) {
    return new Failure(ExitCode.USAGE, message);
  }

  /** Something that was named does not exist. */
  public static Failure notFound(String message) {
    return new Failure(ExitCode.NOT_FOUND, message);
  }

  /** Nobody agreed to something that cannot be taken back. */
  public static Failure refused(String message) {
    return new Failure(ExitCode.REFUSED, message);
  }

  /** Somebody else changed what this command was about to change. */
  public static Failure conflict(String message) {
    return new Failure(ExitCode.CONFLICT, message);
  }

  /** Something outside did not work. */
  public static Failure failed(String message) {
    return new Failure(ExitCode.FAILED, message);
  }

  public int exitCode() {
    return exitCode;
  }
}
