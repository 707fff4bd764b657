package dev.clew.mcptools;

import java.time.Duration;

/** A server could not be asked, or refused. The message is for the model and for people. */
public final class McpFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final Kind kind;
  private final int code;

  /** Where it failed. */
  public enum Kind {
    /** The server answered with an error of the protocol. */
    PROTOCOL,
    /** The server answered with an error of HTTP. */
    HTTP,
    /** There is no connection, or it broke, or what came could not be read. */
    CONNECTION
  }

  private McpFailure(Kind kind, int code, String message) {
    super(message, null, false, false);
    this.kind = kind;
    this.code = code;
  }

  static McpFailure protocol(int code, String message) {
    return new McpFailure(Kind.PROTOCOL, code, message);
  }

  static McpFailure http(int status, String message) {
    return new McpFailure(Kind.HTTP, status, message);
  }

  static McpFailure connection(String message) {
    return new McpFailure(Kind.CONNECTION, 0, message);
  }

  static McpFailure late(Duration limit) {
    String time = limit.toSeconds() > 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
    return connection("it did not answer within " + time);
  }

  McpFailure within(String place) {
    return new McpFailure(kind, code, place + getMessage());
  }

  /** Where it failed. */
  public Kind kind() {
    return kind;
  }

  /** The code of the protocol, or the status of HTTP; otherwise 0. */
  public int code() {
    return code;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
