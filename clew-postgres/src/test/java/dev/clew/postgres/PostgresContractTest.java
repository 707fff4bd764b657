package dev.clew.postgres;

import dev.clew.SessionStore;
import dev.clew.tck.Damager;
import dev.clew.tck.StoreContract;
import dev.clew.tck.StoreOptions;
import dev.clew.testservers.PostgresServer;
import java.util.Optional;

/** The contract on a real server. */
class PostgresContractTest extends StoreContract {
  private String schema = "";

  @Override
  protected SessionStore open(StoreOptions options) {
    if (schema.isEmpty()) {
      schema = "contract";
      PostgresServer.shared().empty(schema);
    } else { // a test may open several
      schema = PostgresServer.newSchema();
    }
    return openSchema(options);
  }

  @Override
  protected Optional<SessionStore> reopen(StoreOptions options) {
    return Optional.of(openSchema(options));
  }

  @Override
  protected Optional<Damager> damager(SessionStore damaged) {
    return Optional.of(
        (key, position) ->
            PostgresServer.shared()
                .execute(
                    "UPDATE "
                        + schema
                        + ".items SET data = '{\"spoilt' WHERE session = '"
                        + Keys.of(key)
                        + "' AND position = "
                        + position));
  }

  private SessionStore openSchema(StoreOptions options) {
    PostgresStore.Builder builder =
        PostgresStore.builder(PostgresServer.shared().url(schema))
            .clock(options.clock())
            .settings(options.settings())
            .limits(options.limits());
    options.timeToLive().ifPresent(builder::timeToLive);
    return builder.open();
  }
}
