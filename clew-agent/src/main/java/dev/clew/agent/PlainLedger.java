package dev.clew.agent;

import dev.clew.Draft;
import dev.clew.Item;
import dev.clew.Session;
import dev.clew.Window;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The ledger over any {@link Session}: it knows four operations, so there is no lease, and nothing
 * tells a repeated write. Used by one run.
 */
record PlainLedger(Session session) implements Ledger {
  @Override
  public List<Item> read(Optional<Window> window) {
    List<Item> items = window.isPresent() ? window.get().read(session) : newest();
    return items.stream().anyMatch(HiddenItems::isMarked)
        ? items.stream().filter(item -> !HiddenItems.isMarked(item)).toList()
        : items;
  }

  /** What the session shows by itself, from the newest compaction item on. */
  private List<Item> newest() {
    List<Item> items = session.getItems();
    return items.subList(Math.max(0, Window.compactionStart(items)), items.size());
  }

  @Override
  public boolean append(String operationId, List<Draft> drafts) {
    session.addItems(drafts.stream().map(Draft::item).toList());
    return false;
  }

  @Override
  public void appendBlocked(String operationId, List<Item> items, String guardrail) {
    session.addItems(items.stream().map(item -> HiddenItems.marked(item, guardrail)).toList());
  }

  @Override
  public Usage finished(CompactionOptions last, List<Item> known, Consumer<RunEvent> events) {
    return session instanceof CompactionSession compaction
        ? compaction.afterTurn(last, known, Optional.empty(), events)
        : Usage.NONE;
  }
}
