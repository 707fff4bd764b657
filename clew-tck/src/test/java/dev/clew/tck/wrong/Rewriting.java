package dev.clew.tck.wrong;

import dev.clew.Draft;
import dev.clew.HistoryTransaction;
import dev.clew.HistoryTransaction.Append;
import dev.clew.HistoryTransaction.RemoveItem;
import dev.clew.HistoryTransaction.ReplaceItem;
import dev.clew.HistoryTransaction.ReplacePrefix;
import dev.clew.HistoryTransaction.ReplaceSuffix;
import dev.clew.Item;
import java.util.List;
import java.util.function.UnaryOperator;

/** Makes a transaction that lacks or changes something of another. Stateless. */
final class Rewriting {
  private Rewriting() {}

  /** The same step without any condition. */
  static HistoryTransaction bare(HistoryTransaction from) {
    if (from.step() instanceof Append append) {
      return HistoryTransaction.appendDrafts(append.drafts());
    }
    if (from.step() instanceof ReplaceSuffix suffix) {
      return HistoryTransaction.replaceSuffix(suffix.expected(), from.items());
    }
    if (from.step() instanceof ReplacePrefix prefix) {
      return prefix.drop()
          ? HistoryTransaction.dropPrefix(prefix.upTo(), from.items())
          : HistoryTransaction.replacePrefix(prefix.upTo(), from.items());
    }
    if (from.step() instanceof ReplaceItem item) {
      return HistoryTransaction.replaceItem(item.position(), item.draft());
    }
    if (from.step() instanceof RemoveItem item) {
      return HistoryTransaction.removeItem(item.position());
    }
    throw new IllegalStateException("unknown step " + from.step());
  }

  static HistoryTransaction withoutOperationId(HistoryTransaction from) {
    return withFence(withExpectations(bare(from), from), from);
  }

  static HistoryTransaction withoutExpectations(HistoryTransaction from) {
    return withFence(withOperationId(bare(from), from), from);
  }

  static HistoryTransaction withoutFence(HistoryTransaction from) {
    return withExpectations(withOperationId(bare(from), from), from);
  }

  /** An append of other drafts under the same conditions. */
  static HistoryTransaction append(HistoryTransaction from, UnaryOperator<Draft> change) {
    List<Draft> drafts = from.step().drafts().stream().map(change).toList();
    HistoryTransaction append = HistoryTransaction.appendDrafts(drafts);
    return withFence(withExpectations(withOperationId(append, from), from), from);
  }

  /** The draft with another text for its item. */
  static Draft draft(Draft from, UnaryOperator<String> change) {
    return new Draft(Item.trusted(change.apply(from.item().json())), from.notes(), from.addedAt());
  }

  private static HistoryTransaction withOperationId(
      HistoryTransaction to, HistoryTransaction from) {
    return from.operationId().map(to::operationId).orElse(to);
  }

  private static HistoryTransaction withExpectations(
      HistoryTransaction to, HistoryTransaction from) {
    HistoryTransaction result = to;
    if (from.expectedVersion().isPresent()) {
      result = result.expectVersion(from.expectedVersion().getAsLong());
    }
    if (from.expectedTail().isPresent()) {
      result = result.expectTail(from.expectedTail().getAsLong());
    }
    return from.expectsExisting() ? result.expectExisting() : result;
  }

  private static HistoryTransaction withFence(HistoryTransaction to, HistoryTransaction from) {
    return from.fence().map(to::fence).orElse(to);
  }
}
