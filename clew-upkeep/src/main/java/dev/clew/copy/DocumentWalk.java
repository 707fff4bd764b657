package dev.clew.copy;

import dev.clew.Documents;
import dev.clew.Documents.Document;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Iterates over the documents of an owner by name, in bounded steps. Stateless. */
public final class DocumentWalk {
  /** How many are read at once. */
  public static final int PAGE = 100;

  private DocumentWalk() {}

  /** Calls the action for each document. */
  public static void forEach(Documents records, String owner, Consumer<Document> action) {
    forEach(records, owner, "", action);
  }

  /** Calls the action for each document whose name starts with a prefix. */
  public static void forEach(
      Documents records, String owner, String prefix, Consumer<Document> action) {
    List<Document> page = records.list(owner, prefix, Optional.empty(), PAGE);
    while (!page.isEmpty()) {
      page.forEach(action);
      page = records.list(owner, prefix, Optional.of(page.get(page.size() - 1).name()), PAGE);
    }
  }
}
