package dev.clew.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException.StoreUnavailable;
import dev.clew.tck.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One store at a time has a folder. */
class DirectoryLockTest {
  @TempDir Path folder;

  /** Opens a store and keeps it until it is killed. */
  static final class Holder {
    public static void main(String[] args) throws InterruptedException {
      JsonlStore store = JsonlStore.open(Path.of(args[0]));
      store.session("s").addItems(Samples.items("text", 1));
      System.out.println("open");
      new CountDownLatch(1).await();
    }
  }

  @Test
  void aSecondStoreInThisProcess_isRefusedAndTheFirstKeepsItsLock() throws Exception {
    try (JsonlStore first = JsonlStore.open(folder)) {
      for (Path same : new Path[] {folder, folder.resolve("../" + folder.getFileName())}) {
        assertThatThrownBy(() -> JsonlStore.open(same))
            .isInstanceOf(StoreUnavailable.class)
            .hasMessageContaining("this process")
            .hasMessageContaining("\"pid\":" + ProcessHandle.current().pid());
      }
      first.session("s").addItems(Samples.items("text", 1));
      CountDownLatch ended = new CountDownLatch(1);
      try (ChildJvm child =
          ChildJvm.start(Holder.class, line -> ended.countDown(), folder.toString())) {
        Await.until(
            () -> "the child has given up",
            () -> !ProcessHandle.of(child.pid()).map(ProcessHandle::isAlive).orElse(false));
      }
      assertThat(ended.getCount()).as("the child did not get the folder").isEqualTo(1);
    }
    JsonlStore.open(folder).close();
  }

  @Test
  void aSecondProcess_isRefusedWithinASecondByTheNameOfTheHolder_whoseLockDiesWithIt()
      throws Exception {
    CountDownLatch open = new CountDownLatch(1);
    try (ChildJvm child =
        ChildJvm.start(Holder.class, line -> open.countDown(), folder.toString())) {
      assertThat(open.await(20, TimeUnit.SECONDS)).isTrue();
      long start = System.nanoTime();
      assertThatThrownBy(() -> JsonlStore.open(folder))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining(folder.toRealPath().toString())
          .hasMessageContaining("\"pid\":" + child.pid())
          .hasMessageContaining("\"host\":")
          .hasMessageContaining("\"since\":");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
      child.kill();
    }
    try (JsonlStore store = JsonlStore.open(folder)) {
      assertThat(store.session("s").getItems()).hasSize(1);
    }
    assertThat(folder.resolve(Folders.LOCK)).exists();
    assertThat(Files.readString(folder.resolve(Folders.LOCK)))
        .contains("\"pid\":" + ProcessHandle.current().pid());
  }
}
