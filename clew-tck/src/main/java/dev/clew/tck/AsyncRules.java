package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.AsyncSession;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.Session;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Sessions called through futures: what goes beyond the rules that hold for both flavours. */
@Rule(
    "the futures of Session.async run one after another in the order of the calls, and "
        + "fail with what the plain call throws")
interface AsyncRules extends SessionFixture {

  @Test
  default void async_operationsTakeEffectInTheOrderOfTheCalls() {
    AsyncSession session = newSession().async(Crowd.EXECUTOR);
    List<Item> items = Items.numbered("item", 100);
    List<CompletableFuture<Void>> written = new ArrayList<>();
    for (Item item : items) {
      written.add(session.addItems(List.of(item)));
    }
    CompletableFuture<List<Item>> read = session.getItems();
    CompletableFuture<Optional<Item>> popped = session.popItem();
    CompletableFuture<List<Item>> readAgain = session.getItems();

    assertThat(Await.value(read)).isEqualTo(items);
    assertThat(Await.value(popped)).contains(items.get(99));
    assertThat(Await.value(readAgain)).isEqualTo(items.subList(0, 99));
    written.forEach(Await::value);
  }

  @Test
  default void async_aFailedOperationDoesNotStopTheNextOne() {
    AsyncSession session = newSession().async(Crowd.EXECUTOR);
    CompletableFuture<Void> refused = session.addItems(Arrays.asList(Item.user("good"), null));
    CompletableFuture<Void> accepted = session.addItems(Items.of("one"));

    Await.value(accepted);
    Assertions.assertThatThrownBy(() -> Await.value(refused))
        .isInstanceOf(ClewException.InvalidItem.class);
    assertThat(Await.value(session.getItems())).isEqualTo(Items.of("one"));
  }

  @Test
  default void async_nothingRunsOnTheThreadOfTheCaller() {
    Session session = newSession();
    Queue<Runnable> tasks = new ArrayDeque<>();
    CompletableFuture<Void> written = session.async(tasks::add).addItems(Items.of("one"));

    assertThat(written).isNotDone();
    assertThat(session.getItems()).isEmpty();

    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
    assertThat(written).isCompleted();
    assertThat(session.getItems()).isEqualTo(Items.of("one"));
  }

  @Test
  default void async_aCallerWhoGivesUpDoesNotDisturbTheOrder() {
    AsyncSession session = newSession().async(Crowd.EXECUTOR);
    CompletableFuture<Void> first = session.addItems(Items.of("one"));
    first.cancel(true);
    CompletableFuture<Void> second = session.addItems(Items.of("two"));

    Await.value(second);
    assertThat(Await.value(session.getItems())).endsWith(Item.user("two")).doesNotHaveDuplicates();
  }
}
