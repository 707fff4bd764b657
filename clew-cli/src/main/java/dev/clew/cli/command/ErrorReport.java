package dev.clew.cli.command;

import dev.clew.ClewException;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Output;
import dev.clew.cli.terminal.Paint;
import dev.clew.cli.terminal.SafeText;
import dev.clew.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Collectors;

/**
 * What is told of an error: the message, the exit code and a stable name. Immutable. A stack trace
 * is shown only to those who set {@code CLEW_DEBUG=1}.
 *
 * @param exitCode one of {@link ExitCode}
 * @param message what was wrong, where, and what to do
 */
public record ErrorReport(int exitCode, String message) {

  /** Takes passwords out of the URLs in the message. */
  public ErrorReport {
    message = StoreLocation.forDisplay(message);
  }

  public static ErrorReport of(RuntimeException e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    if (e instanceof Failure failure) {
      return new ErrorReport(failure.exitCode(), message);
    }
    // How the library says that an id, a limit, a cursor or a URL is not one.
    if (e instanceof ClewException || e instanceof IllegalArgumentException) {
      // A server's own words may be in it, on any number of lines.
      return new ErrorReport(
          exitCode(e), message.lines().map(String::strip).collect(Collectors.joining(" ")));
    }
    return new ErrorReport(
        ExitCode.FAILED, "unexpected " + e + "; please report it with the output of CLEW_DEBUG=1");
  }

  private static int exitCode(RuntimeException e) {
    if (e instanceof ClewException.VersionConflict || e instanceof ClewException.SessionBusy) {
      return ExitCode.CONFLICT;
    }
    if (e instanceof ClewException.NoSuchStore) {
      return ExitCode.NOT_FOUND;
    }
    if (e instanceof ClewException.OnHold) {
      return ExitCode.REFUSED;
    }
    return e instanceof IllegalArgumentException
            || e instanceof ClewException.InvalidItem
            || e instanceof ClewException.LimitExceeded
        ? ExitCode.USAGE
        : ExitCode.FAILED;
  }

  /** The name of the exit code for programs. */
  private String code() {
    return switch (exitCode) {
      case ExitCode.USAGE -> "usage";
      case ExitCode.NOT_FOUND -> "not_found";
      case ExitCode.REFUSED -> "refused";
      case ExitCode.CONFLICT -> "conflict";
      default -> "failed";
    };
  }

  /** The same, with commands as they are called here. */
  public ErrorReport calling(Program program) {
    return new ErrorReport(exitCode, program.in(message));
  }

  public void print(Output err, Paint paint, boolean json) {
    if (json) {
      JsonObject error = new JsonObject().put("code", code()).put("message", message);
      err.line(new JsonObject().put("error", error).toString());
    } else {
      err.line(paint.red("clew:") + " " + SafeText.text(message));
    }
  }

  public static String trace(RuntimeException e) {
    StringWriter trace = new StringWriter();
    e.printStackTrace(new PrintWriter(trace));
    return trace.toString();
  }
}
