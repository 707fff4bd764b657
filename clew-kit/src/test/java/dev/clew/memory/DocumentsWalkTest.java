package dev.clew.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Documents;
import dev.clew.Documents.Document;
import dev.clew.SessionStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DocumentsWalkTest {
  @Test
  void readsEveryDocumentOfAPrefixInOrder() {
    try (SessionStore store = new MemoryStore()) {
      Documents documents = store.documents();
      List<String> wanted = new ArrayList<>();
      for (int i = 1000; i < 1250; i++) {
        wanted.add("a/" + i);
        documents.put("ann", "a/" + i, "{}");
      }
      documents.put("ann", "b", "{}");
      documents.put("bob", "a/1", "{}");
      List<String> found = new ArrayList<>();
      for (Document document : documents.walk("ann", "a/")) {
        found.add(document.name());
      }
      assertThat(found).isEqualTo(wanted);
      assertThat(documents.walk("carl", "")).isEmpty();
    }
  }
}
