package dev.clew.bench;

import dev.clew.SessionStore;
import dev.clew.server.ClewServer;
import dev.clew.server.operate.Scope;
import dev.clew.server.settings.ServerSettings;
import dev.clew.sqlite.SqliteStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The server that {@link HostileRow} attacks, with the limits it has by default. Stateless. */
final class HostileServer {
  private HostileServer() {}

  /** {@code STORE TOKENS}: serves until its input ends; writes a token of each owner to a file. */
  public static void main(String[] args) throws Exception {
    try (SessionStore store = SqliteStore.open(Path.of(args[0]));
        ClewServer server = ClewServer.start(ServerSettings.of(store).at("127.0.0.1", 0))) {
      Files.write(
          Path.of(args[1]),
          List.of(token(server, HostileRow.VICTIM), token(server, HostileRow.ATTACKER)));
      System.out.println("port=" + server.port());
      System.out.println("pid=" + ProcessHandle.current().pid());
      System.out.println("ready");
      System.in.read();
    }
  }

  private static String token(ClewServer server, String owner) {
    return server.tokens().create(owner, "bench", Scope.OWN, Optional.empty()).secret();
  }
}
