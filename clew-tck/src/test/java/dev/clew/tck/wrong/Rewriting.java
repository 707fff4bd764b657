package dev.clew.tck.wrong;

import dev.clew.Commit;
import dev.clew.Commit.Append;
import dev.clew.Commit.RemoveItem;
import dev.clew.Commit.ReplaceItem;
import dev.clew.Commit.ReplacePrefix;
import dev.clew.Commit.ReplaceSuffix;
import dev.clew.Draft;
import dev.clew.Item;
import java.util.List;
import java.util.function.UnaryOperator;

/** Makes a transaction that lacks or changes something of another. Stateless. */
final class Rewriting {
  private Rewriting() {}

  /** The same step without any condition. */
  static Commit bare(Commit from) {
    if (from.step() instanceof Append append) {
      return Commit.appendDrafts(append.drafts());
    }
    if (from.step() instanceof ReplaceSuffix suffix) {
      return Commit.replaceSuffix(suffix.expected(), from.items());
    }
    if (from.step() instanceof ReplacePrefix prefix) {
      return prefix.drop()
          ? Commit.dropPrefix(prefix.upTo(), from.items())
          : Commit.replacePrefix(prefix.upTo(), from.items());
    }
    if (from.step() instanceof ReplaceItem item) {
      return Commit.replaceItem(item.position(), item.draft());
    }
    if (from.step() instanceof RemoveItem item) {
      return Commit.removeItem(item.position());
    }
    throw new IllegalStateException("unknown step " + from.step());
  }

  static Commit withoutOperationId(Commit from) {
    return withFence(withExpectations(bare(from), from), from);
  }

  static Commit withoutExpectations(Commit from) {
    return withFence(withOperationId(bare(from), from), from);
  }

  static Commit withoutFence(Commit from) {
    return withExpectations(withOperationId(bare(from), from), from);
  }

  /** An append of other drafts under the same conditions. */
  static Commit append(Commit from, UnaryOperator<Draft> change) {
    List<Draft> drafts = from.step().drafts().stream().map(change).toList();
    Commit append = Commit.appendDrafts(drafts);
    return withFence(withExpectations(withOperationId(append, from), from), from);
  }

  /** The draft with another text for its item. */
  static Draft draft(Draft from, UnaryOperator<String> change) {
    return new Draft(Item.trusted(change.apply(from.item().json())), from.notes(), from.addedAt());
  }

  private static Commit withOperationId(Commit to, Commit from) {
    return from.operationId().map(to::operationId).orElse(to);
  }

  private static Commit withExpectations(Commit to, Commit from) {
    Commit result = to;
    if (from.expectedVersion().isPresent()) {
      result = result.expectVersion(from.expectedVersion().getAsLong());
    }
    if (from.expectedTail().isPresent()) {
      result = result.expectTail(from.expectedTail().getAsLong());
    }
    return from.expectsExisting() ? result.expectExisting() : result;
  }

  private static Commit withFence(Commit to, Commit from) {
    return from.fence().map(to::fence).orElse(to);
  }
}
