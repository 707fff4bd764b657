package dev.clew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AsyncSessionTest {
  private final ExecutorService executor = Executors.newFixedThreadPool(4);
  private final MemorySession session = new MemorySession("s");
  private final AsyncSession async = session.async(executor);

  @AfterEach
  void close() {
    executor.shutdownNow();
  }

  @Test
  void operationsTakeEffectInTheOrderOfTheCalls() {
    List<Item> expected =
        IntStream.range(0, 500).mapToObj(i -> Item.user(String.valueOf(i))).toList();
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    List<CompletableFuture<List<Item>>> reads = new ArrayList<>();
    for (Item item : expected) {
      writes.add(async.addItems(List.of(item)));
      reads.add(async.getItems(1));
    }

    for (int i = 0; i < expected.size(); i++) {
      assertThat(reads.get(i).join()).containsExactly(expected.get(i));
    }
    writes.forEach(CompletableFuture::join);
    assertThat(async.getItems().join()).isEqualTo(expected);
    assertThat(async.popItem().join()).contains(expected.get(499));
    async.clearSession().join();
    assertThat(async.getItems().join()).isEmpty();
    assertThat(async.id()).isEqualTo("s");
  }

  @Test
  void aFailureStaysWithItsOwnCall() {
    CompletableFuture<List<Item>> bad = async.getItems(-1);
    CompletableFuture<Void> good = async.addItems(List.of(Item.user("a")));

    assertThatThrownBy(bad::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IllegalArgumentException.class);
    good.join();
    assertThat(session.getItems()).hasSize(1);
  }

  @Test
  void cancellingOrCompletingAFutureDoesNotDisturbTheOrder() {
    ConcurrentLinkedQueue<Runnable> queue = new ConcurrentLinkedQueue<>();
    AsyncSession held = session.async(queue::add);
    CompletableFuture<Void> first = held.addItems(List.of(Item.user("1")));
    CompletableFuture<Void> second = held.addItems(List.of(Item.user("2")));
    first.cancel(true);
    second.complete(null);
    for (Runnable task = queue.poll(); task != null; task = queue.poll()) {
      task.run();
    }

    assertThat(session.getItems()).containsExactly(Item.user("1"), Item.user("2"));
  }

  @Test
  void theCallersListMayBeReusedAtOnce() {
    ConcurrentLinkedQueue<Runnable> queue = new ConcurrentLinkedQueue<>();
    List<Item> list = new ArrayList<>(List.of(Item.user("1")));
    CompletableFuture<Void> added = session.async(queue::add).addItems(list);
    list.clear();
    queue.forEach(Runnable::run);
    added.join();

    assertThat(session.getItems()).containsExactly(Item.user("1"));
  }

  @Test
  void anExecutorThatIsShutDownFailsTheFutureAndNotTheCall() {
    executor.shutdownNow();

    assertThatThrownBy(async.addItems(List.of(Item.user("1")))::join)
        .hasCauseInstanceOf(RejectedExecutionException.class);
  }
}
