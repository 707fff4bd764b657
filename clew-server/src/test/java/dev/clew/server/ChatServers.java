package dev.clew.server;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import dev.clew.Stores;
import dev.clew.agent.Agent;
import dev.clew.agent.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** Servers of a test over one SQLite file, each with a store and a model of its own. */
final class ChatServers implements AutoCloseable {
  /** What the tools were called with. */
  final List<String> sent = new CopyOnWriteArrayList<>();

  private final Path file;
  private final List<Runnable> closing = new ArrayList<>();
  final SessionStore store;

  ChatServers(Path folder) {
    file = folder.resolve("c.db");
    store = openStore();
  }

  private SessionStore openStore() {
    SessionStore opened = Stores.open("sqlite:" + file);
    closing.add(0, opened::close);
    return opened;
  }

  record Mail(String to) {}

  /** An agent that sends mail when a person agrees, and looks things up without. */
  Agent agent() {
    return Agent.builder()
        .name("Assistant")
        .tools(
            Tool.of("send_mail", "Sends mail.", Mail.class, this::send).needingApproval(),
            Tool.of("look_up", "Looks up an address.", Mail.class, mail -> mail.to() + "@x.org"))
        .build();
  }

  private String send(Mail mail) {
    sent.add(mail.to());
    return "{\n  \"sent\": true\n}\n";
  }

  LiveServer serve(ScriptedModel script) {
    return serve(script, UnaryOperator.identity());
  }

  /** A server with a store of its own, as in another process. */
  LiveServer serve(ScriptedModel script, UnaryOperator<ServerSettings> more) {
    LiveServer live =
        new LiveServer(
            openStore(),
            settings ->
                more.apply(
                    settings.model(script, "script").chat(ChatSettings.DEFAULT.agent(agent()))));
    closing.add(0, live::close);
    return live;
  }

  StoredSession session(String id) {
    return store.session(new SessionKey("ann", id));
  }

  List<Item> items(String id) {
    return session(id).getItems();
  }

  @Override
  public void close() {
    closing.forEach(Runnable::run);
  }
}
