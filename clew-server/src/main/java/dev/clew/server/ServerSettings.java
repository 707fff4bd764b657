package dev.clew.server;

import dev.clew.SessionStore;
import dev.clew.agent.Model;
import dev.clew.agent.offline.OfflineModel;
import java.time.Clock;
import java.util.List;
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
 * @param model what answers
 * @param modelNames what the model is called: its name, and others it goes by
 * @param turns how turns are taken
 * @param chat how the chat API answers
 */
public record ServerSettings(
    String host,
    int port,
    SessionStore store,
    Auth auth,
    boolean strict,
    Set<String> allowedOrigins,
    @Nullable String secret,
    Clock clock,
    Model model,
    List<String> modelNames,
    TurnSettings turns,
    ChatSettings chat) {

  /** Whether callers must say who they are. */
  public enum Auth {
    /** By a token or by the page's cookie. */
    TOKEN,
    /** No: everybody on this machine is the default owner. */
    NONE
  }

  /** Checks and copies. */
  public ServerSettings {
    allowedOrigins = Set.copyOf(allowedOrigins);
    modelNames = List.copyOf(modelNames);
    if (modelNames.isEmpty()) {
      throw new IllegalArgumentException("the model needs a name");
    }
  }

  /** The defaults over a store: this machine only, with tokens, and the offline model. */
  public static ServerSettings of(SessionStore store) {
    return new ServerSettings(
        "127.0.0.1",
        8787,
        store,
        Auth.TOKEN,
        false,
        Set.of(),
        null,
        Clock.systemUTC(),
        new OfflineModel(),
        List.of("offline"),
        TurnSettings.DEFAULT,
        ChatSettings.DEFAULT);
  }

  /** At another address. */
  public ServerSettings at(String address, int number) {
    return new ServerSettings(
        address,
        number,
        store,
        auth,
        strict,
        allowedOrigins,
        secret,
        clock,
        model,
        modelNames,
        turns,
        chat);
  }

  /** With or without signing in. */
  public ServerSettings auth(Auth value) {
    return new ServerSettings(
        host,
        port,
        store,
        value,
        strict,
        allowedOrigins,
        secret,
        clock,
        model,
        modelNames,
        turns,
        chat);
  }

  /** As strict as OpenAI, or not. */
  public ServerSettings strict(boolean value) {
    return new ServerSettings(
        host,
        port,
        store,
        auth,
        value,
        allowedOrigins,
        secret,
        clock,
        model,
        modelNames,
        turns,
        chat);
  }

  /** With pages of other origins. */
  public ServerSettings allowedOrigins(Set<String> values) {
    return new ServerSettings(
        host, port, store, auth, strict, values, secret, clock, model, modelNames, turns, chat);
  }

  /** With a secret that was told. */
  public ServerSettings secret(@Nullable String value) {
    return new ServerSettings(
        host,
        port,
        store,
        auth,
        strict,
        allowedOrigins,
        value,
        clock,
        model,
        modelNames,
        turns,
        chat);
  }

  /** With another clock. */
  public ServerSettings clock(Clock value) {
    return new ServerSettings(
        host,
        port,
        store,
        auth,
        strict,
        allowedOrigins,
        secret,
        value,
        model,
        modelNames,
        turns,
        chat);
  }

  /** With another model, its name first and then others it goes by. */
  public ServerSettings model(Model value, String... names) {
    return new ServerSettings(
        host,
        port,
        store,
        auth,
        strict,
        allowedOrigins,
        secret,
        clock,
        value,
        List.of(names),
        turns,
        chat);
  }

  /** With turns taken otherwise. */
  public ServerSettings turns(TurnSettings value) {
    return new ServerSettings(
        host,
        port,
        store,
        auth,
        strict,
        allowedOrigins,
        secret,
        clock,
        model,
        modelNames,
        value,
        chat);
  }

  /** With a chat API that answers otherwise. */
  public ServerSettings chat(ChatSettings value) {
    return new ServerSettings(
        host,
        port,
        store,
        auth,
        strict,
        allowedOrigins,
        secret,
        clock,
        model,
        modelNames,
        turns,
        value);
  }
}
