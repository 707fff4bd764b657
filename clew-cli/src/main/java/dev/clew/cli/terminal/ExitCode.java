package dev.clew.cli.terminal;

/** The numbers a command ends with; the help of {@code clew} and docs/cli.md list the same. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int USAGE = 2;
  public static final int NOT_FOUND = 3;
  public static final int REFUSED = 4;
  public static final int CONFLICT = 5;

  /** What a shell reports of a program that Ctrl-C ended; the JVM sets it except in a chat. */
  public static final int INTERRUPTED = 130;

  /** What a shell reports of a program that SIGPIPE ended. */
  public static final int READER_GONE = 141;

  private ExitCode() {}
}
