package dev.clew.server;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.View;
import dev.clew.agent.Agent;
import dev.clew.agent.Model;
import dev.clew.agent.Tool;
import dev.clew.server.settings.ChatSettings;
import dev.clew.server.settings.ServerSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Servers of a test over one store, each with a connection to it and a model of its own. */
public final class ChatServers implements AutoCloseable {
  /** What the tools were called with. */
  public final List<String> sent = new CopyOnWriteArrayList<>();

  private final String url;
  private final List<Runnable> closing = new ArrayList<>();
  public final SessionStore store;

  public ChatServers(Path folder) {
    this("sqlite:" + folder.resolve("c.db"));
  }

  public ChatServers(String url) {
    this.url = url;
    store = openStore();
  }

  private SessionStore openStore() {
    SessionStore opened = Stores.open(url);
    closing.add(0, opened::close);
    return opened;
  }

  record Mail(String to) {}

  /** An agent that sends mail when a person agrees, and looks things up without. */
  public static Agent agent(Consumer<String> mails) {
    return Agent.builder()
        .name("Assistant")
        .tools(
            Tool.of("send_mail", "Sends mail.", Mail.class, mail -> send(mail, mails))
                .needingApproval(),
            Tool.of("look_up", "Looks up an address.", Mail.class, mail -> mail.to() + "@x.org"))
        .build();
  }

  private static String send(Mail mail, Consumer<String> mails) {
    mails.accept(mail.to());
    return "{\n  \"sent\": true\n}\n";
  }

  public LiveServer serve(Model model) {
    return serve(model, UnaryOperator.identity());
  }

  /** A server with a store of its own, as in another process. */
  public LiveServer serve(Model model, UnaryOperator<ServerSettings> more) {
    LiveServer live =
        new LiveServer(
            openStore(),
            settings ->
                more.apply(
                    settings
                        .model(model, "script")
                        .chat(ChatSettings.DEFAULT.agent(agent(sent::add)))));
    closing.add(0, live::close);
    return live;
  }

  public StoredSession session(String id) {
    return store.session(new SessionKey("ann", id));
  }

  public List<Item> items(String id) {
    return session(id).getItems();
  }

  /** What was said in a session. */
  public List<String> texts(String id) {
    return items(id).stream()
        .map(item -> item.view() instanceof View.Message message ? message.text() : item.type())
        .toList();
  }

  @Override
  public void close() {
    closing.forEach(Runnable::run);
  }
}
