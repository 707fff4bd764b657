package dev.clew.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.decorate.ForwardingStore;
import dev.clew.erasure.ErasureListener.Phase;
import dev.clew.internal.Inspectable;
import dev.clew.internal.PackedText;
import dev.clew.memory.MemoryStore;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProvenErasureTest {
  @TempDir Path folder;
  private final MemoryStore store = new MemoryStore();

  @AfterEach
  void close() {
    store.close();
  }

  private void fill() {
    for (int i = 0; i < 4; i++) {
      store
          .session(new SessionKey("ann", "s" + i))
          .addItems(List.of(Item.user("one"), Item.user("two")));
    }
  }

  /** Erases one session, and the rest when that was told. */
  private static SessionStore slowly(SessionStore store, CountDownLatch told) {
    return new ForwardingStore(store) {
      @Override
      public void erase(String owner) {
        super.delete(new SessionKey(owner, "s0"));
        try {
          assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        super.erase(owner);
      }
    };
  }

  @Test
  void itTellsHowFarItIs_inEachPhase() throws Exception {
    fill();
    Path file = Files.write(folder.resolve("x.db"), new byte[200_000]);
    CountDownLatch told = new CountDownLatch(1);
    Map<Phase, List<Long>> heard = new EnumMap<>(Phase.class);
    ErasureCertificate done =
        ProvenErasure.of(slowly(store, told))
            .files(() -> List.of(file))
            .listener(
                (phase, so, total) -> {
                  heard.computeIfAbsent(phase, any -> new ArrayList<>()).add(so);
                  assertThat(total).isEqualTo(phase == Phase.SEARCHING ? 200_000 : 8);
                  if (phase == Phase.ERASING && so >= 2) {
                    told.countDown();
                  }
                })
            .owner("ann", "x");

    assertThat(done.isClean()).isTrue();
    assertThat(heard.get(Phase.READING)).endsWith(8L).isSorted();
    assertThat(heard.get(Phase.ERASING)).contains(2L).isSorted();
    assertThat(heard.get(Phase.SEARCHING)).endsWith(200_000L).isSorted();
  }

  private static final class Forgetful extends ForwardingStore implements Inspectable {
    Forgetful(SessionStore store) {
      super(store);
    }

    @Override
    public Inspection inspect(String owner, Optional<String> id) {
      return new Inspection(7, List.of("table items has 1 row of " + owner + id.orElse("")));
    }
  }

  @Test
  void whatADatabaseStillHas_isALeftover_thoughTheStoreDoesNotSeeIt() {
    fill();
    ErasureCertificate owner = ProvenErasure.of(new Forgetful(store)).owner("ann", "x");
    assertThat(owner.leftovers()).containsExactly("table items has 1 row of ann");
    assertThat(owner.places()).isEqualTo(7);
    assertThat(owner.json()).contains("\"places\":7");
    ErasureCertificate session =
        ProvenErasure.of(new Forgetful(store)).session(new SessionKey("ann", "b"), "x");
    assertThat(session.isClean()).isFalse();
  }

  @Test
  void whatIsLeftCompressed_isALeftoverToo() throws Exception {
    String secret = "the secret words of Ann about the harbour and the boats that sail there";
    Path gzip = folder.resolve("b.jsonl.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gzip))) {
      out.write(("x".repeat(100_000) + Item.user(secret).json()).getBytes(StandardCharsets.UTF_8));
    }
    Path rows = folder.resolve("x.db");
    byte[] packed = PackedText.pack(Item.user(secret).json().getBytes(StandardCharsets.UTF_8));
    byte[] page = new byte[400_000];
    System.arraycopy(packed, 0, page, 262_000, packed.length);
    Files.write(rows, page);
    Path cut = folder.resolve("cut.jsonl.gz");
    Files.write(cut, Arrays.copyOf(Files.readAllBytes(gzip), 90));
    store.session(new SessionKey("ann", "b")).addItems(List.of(Item.user(secret)));

    ErasureCertificate done =
        ProvenErasure.of(store).files(() -> List.of(gzip, rows, cut)).owner("ann", "x");

    assertThat(done.leftovers())
        .satisfiesExactlyInAnyOrder(
            one -> assertThat(one).startsWith(gzip + " has 2 pieces"),
            one -> assertThat(one).startsWith(rows + " has 2 pieces"),
            one -> assertThat(one).startsWith(cut + " is damaged"));
  }
}
