package dev.clew.server;

import dev.clew.SessionStore;
import java.time.Clock;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a server is set up. Immutable.
 *
 * @param host the address to listen on
 * @param port the port; 0 for any free one
 * @param store what it serves; it stays the caller's to close
 * @param auth whether callers must say who they are
 * @param strict whether to refuse what OpenAI refuses, where being lenient is kinder
 * @param allowedOrigins origins of pages served elsewhere that may call
 * @param secret the secret of the servers of this store; null to keep one in the store
 * @param clock what time it is
 */
public record ServerSettings(
    String host,
    int port,
    SessionStore store,
    Auth auth,
    boolean strict,
    Set<String> allowedOrigins,
    @Nullable String secret,
    Clock clock) {

  /** Whether callers must say who they are. */
  public enum Auth {
    /** By a token or by the page's cookie. */
    TOKEN,
    /** No: everybody on this machine is the default owner. */
    NONE
  }

  /** The defaults over a store: this machine only, with tokens. */
  public static ServerSettings of(SessionStore store) {
    return new ServerSettings(
        "127.0.0.1", 8787, store, Auth.TOKEN, false, Set.of(), null, Clock.systemUTC());
  }

  /** At another address. */
  public ServerSettings at(String address, int number) {
    return new ServerSettings(address, number, store, auth, strict, allowedOrigins, secret, clock);
  }

  /** With or without signing in. */
  public ServerSettings auth(Auth value) {
    return new ServerSettings(host, port, store, value, strict, allowedOrigins, secret, clock);
  }

  /** As strict as OpenAI, or not. */
  public ServerSettings strict(boolean value) {
    return new ServerSettings(host, port, store, auth, value, allowedOrigins, secret, clock);
  }

  /** With pages of other origins. */
  public ServerSettings allowedOrigins(Set<String> values) {
    return new ServerSettings(host, port, store, auth, strict, values, secret, clock);
  }

  /** With a secret that was told. */
  public ServerSettings secret(@Nullable String value) {
    return new ServerSettings(host, port, store, auth, strict, allowedOrigins, value, clock);
  }

  /** With another clock. */
  public ServerSettings clock(Clock value) {
    return new ServerSettings(host, port, store, auth, strict, allowedOrigins, secret, value);
  }
}
