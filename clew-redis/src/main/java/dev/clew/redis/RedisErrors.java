package dev.clew.redis;

import dev.clew.ClewException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Turns the driver's errors into Clew's. Immutable and thread-safe. */
record RedisErrors(String where, Duration deadline) {
  private static final Set<String> PASSING =
      Set.of("LOADING", "CLUSTERDOWN", "TRYAGAIN", "MASTERDOWN", "BUSY");

  /** After these the caller may try again later; "" is a lost connection. */
  private static final Set<String> RETRYABLE =
      Set.of(
          "",
          "OOM",
          "READONLY",
          "MISCONF",
          "LOADING",
          "CLUSTERDOWN",
          "MASTERDOWN",
          "TRYAGAIN",
          "BUSY");

  /*
   * The driver has no type for this. A command that was sent fails with another text; a write that
   * failed with this one did not reach the server as a whole.
   */
  private static final String NOT_SENT = "Currently not connected";

  /** Whether the command was certainly not executed. */
  static boolean isNotDone(Throwable e) {
    return e instanceof RedisCommandExecutionException
        || e instanceof RedisConnectionException
        || String.valueOf(e.getMessage()).startsWith(NOT_SENT);
  }

  /** Whether another try may succeed. */
  static boolean isPassing(Throwable e) {
    return e instanceof RedisCommandExecutionException
        ? PASSING.contains(code(e))
        : !isUnknownHost(e) && !isRefused(e);
  }

  /** The first word of the server's error, or of the error of a command in a script. */
  static String code(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof RedisCommandExecutionException) {
        String text = String.valueOf(cause.getMessage());
        for (String inner : new String[] {"WRONGTYPE", "OOM", "READONLY", "NOPERM", "MISCONF"}) {
          if (text.contains(inner + " ")) {
            return inner;
          }
        }
        int space = text.indexOf(' ');
        return space < 0 ? text : text.substring(0, space);
      }
    }
    return "";
  }

  /**
   * Whether the connection was closed before the server's reply was read: the driver closes it when
   * the server refuses a password, and does not always say so.
   */
  static boolean isCutShort(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      if (message.contains("closed prematurely") || message.contains("Handler not registered")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRefused(Throwable e) {
    String code = code(e);
    return code.equals("WRONGPASS") || code.equals("NOAUTH") || code.equals("NOPERM");
  }

  private static boolean isUnknownHost(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnknownHostException) {
        return true;
      }
    }
    return false;
  }

  /** The call was not executed. */
  ClewException unavailable(Throwable e, String key) {
    String code = code(e);
    String of = key.isEmpty() ? "" : " (key " + key + ")";
    if (code.equals("WRONGTYPE")) {
      return new ClewException.CorruptRecord(
          String.format(
              "%s: a key of ours holds a value of another type%s; another program uses the "
                  + "same prefix: rename its keys, or open this store with another prefix",
              where, of));
    }
    boolean timeout = e instanceof TimeoutException;
    String what =
        isUnknownHost(e)
            ? "the host is unknown; check its name in the URL, and the name service"
            : timeout
                ? "no answer within "
                    + deadline.toMillis()
                    + " ms; look whether the server is busy (SLOWLOG), or raise the deadline"
                : what(code, of);
    boolean retryable = timeout || (!isUnknownHost(e) && RETRYABLE.contains(code));
    return new ClewException.StoreUnavailable(where + ": " + what + note(e), e, retryable);
  }

  private static String what(String code, String of) {
    return switch (code) {
      case "WRONGPASS", "NOAUTH" -> "the server refused user and password; check them in the URL";
      case "NOPERM" -> "a permission is missing" + of + "; grant it to the user, see docs/redis.md";
      case "OOM" ->
          "the server has reached its maxmemory and takes no more writes; raise maxmemory, or"
              + " remove something; nothing was written";
      case "READONLY" ->
          "the server is a read-only replica; connect to the primary, or through Sentinel or"
              + " Cluster";
      case "MISCONF" ->
          "the server cannot write to its disk and takes no more writes; look at its log, free"
              + " some space";
      case "LOADING" -> "the server is still loading its data; try again in a while";
      case "CLUSTERDOWN", "MASTERDOWN", "TRYAGAIN" ->
          "the part of the cluster that has this key is down; try again";
      case "BUSY" -> "the server is busy with a script of another program; SCRIPT KILL ends it";
      case "" -> "the server cannot be reached; start it, and check host and port in the URL";
      default -> "Redis says " + code + of;
    };
  }

  /** What the server or the driver says; neither repeats a password. */
  private static String note(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? "" : " (" + root.getMessage().strip() + ")";
  }

  ClewException unavailable(String reason) {
    return new ClewException.StoreUnavailable(where + ": " + reason, null, false);
  }

  ClewException outcomeUnknown(@Nullable Throwable e) {
    return new ClewException.OutcomeUnknown(
        where
            + ": the answer to a write was lost; the write may or may not be there, read again or"
            + " repeat it with the same operation id",
        e);
  }

  ClewException closed() {
    return new ClewException.Closed(where + " is closed; open it again");
  }
}
