package dev.clew.server.internal.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.memory.MemoryStore;
import dev.clew.server.operate.ServerRecords;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordsOfTurnsTest {
  @Test
  void whatIsKeptAboutTurns_belongsToTheirSessionAndToNoOther() {
    try (SessionStore store = new MemoryStore()) {
      TurnMarks marks = new TurnMarks(store);
      List<String> own = new ArrayList<>();
      for (String id : List.of("e", "keep")) {
        SessionKey key = new SessionKey("ann", id);
        marks.begin(key, "turn_1");
        marks.askToStop(key, "turn_1");
        store.documents().put("ann", TurnMarks.name("run", key), "{}");
      }
      SessionKey erased = new SessionKey("ann", "e");
      new ServerRecords().each(store.documents(), erased, (owner, name) -> own.add(name));

      assertThat(own)
          .containsExactlyInAnyOrder(
              TurnMarks.name("turn", erased),
              TurnMarks.name("stop", erased),
              TurnMarks.name("run", erased));
    }
  }
}
