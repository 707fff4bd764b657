package dev.clew.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.spi.Inspection;
import dev.clew.testservers.PostgresServer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is looked for in the tables after an erasure. */
class LeftoversTest {
  private final PostgresServer server = PostgresServer.shared();
  private final String schema = PostgresServer.newSchema();
  private final PostgresStore store = PostgresStore.open(server.url(schema));
  private final SessionKey key = new SessionKey("ann", "a");

  @BeforeEach
  void fill() {
    store.session(key).addItems(List.of(Item.user("one"), Item.user("two")));
    store.session(new SessionKey("bob", "b")).addItems(List.of(Item.user("of Bob")));
    store.documents().put("ann", "r", "{}");
  }

  @AfterEach
  void close() {
    store.close();
  }

  private List<String> left(Optional<String> id) {
    Inspection.Report inspection = store.feature(Inspection.class).orElseThrow().inspect("ann", id);
    assertThat(inspection.places()).isPositive();
    return inspection.leftovers();
  }

  @Test
  void whatIsThereIsFound_andNothingOfItAfterAnErasure() {
    assertThat(left(Optional.empty()))
        .contains("table sessions has 1 row of the owner", "table records has 1 row of the owner");
    store.erase("ann");
    assertThat(left(Optional.empty())).isEmpty();
  }

  @Test
  void whatIsThereOfASessionIsFound_andNothingOfItAfterItsRemoval() {
    assertThat(left(Optional.of("a")))
        .contains("table sessions has 1 row of the session")
        .contains("table items has 2 rows of the session");
    store.session(key).delete();
    assertThat(left(Optional.of("a"))).isEmpty();
  }

  @Test
  void rowsOfNoSession_areFound_thoughTheStoreSeesThemNoMore() {
    store.erase("ann");
    server.execute(
        "INSERT INTO "
            + schema
            + ".items (session, position, data, crc, added)"
            + " VALUES (gen_random_uuid(), 1, '{}', 0, 0)");
    assertThat(left(Optional.empty())).containsExactly("table items has 1 row of no session");
  }
}
