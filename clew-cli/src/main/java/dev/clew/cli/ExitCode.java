package dev.clew.cli;

/** The numbers a command ends with; the help of {@code clew} and docs/cli.md list the same. */
final class ExitCode {
  static final int OK = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int NOT_FOUND = 3;
  static final int REFUSED = 4;
  static final int CONFLICT = 5;

  /** What a shell reports of a program that Ctrl-C ended; the JVM sets it except in a chat. */
  static final int INTERRUPTED = 130;

  /** What a shell reports of a program that SIGPIPE ended. */
  static final int READER_GONE = 141;

  private ExitCode() {}
}
