package dev.clew.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Documents.Document;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.SessionUpdate;
import dev.clew.erasure.ErasureListener.Phase;
import dev.clew.kit.BackendStore;
import dev.clew.kit.CompressedText;
import dev.clew.kit.ForwardingBackend;
import dev.clew.memory.MemoryStore;
import dev.clew.spi.Backend;
import dev.clew.spi.Inspection;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    return BackendStore.decorate(
        store,
        backend ->
            new ForwardingBackend(backend) {
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
            });
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

  private static final class Forgetful extends ForwardingBackend implements Inspection {
    Forgetful(Backend backend) {
      super(backend);
    }

    @Override
    public Inspection.Report inspect(String owner, Optional<String> id) {
      return new Inspection.Report(7, List.of("table items has 1 row of " + owner + id.orElse("")));
    }
  }

  @Test
  void whatADatabaseStillHas_isALeftover_thoughTheStoreDoesNotSeeIt() {
    fill();
    ErasureCertificate owner =
        ProvenErasure.of(BackendStore.decorate(store, Forgetful::new)).owner("ann", "x");
    assertThat(owner.leftovers()).containsExactly("table items has 1 row of ann");
    assertThat(owner.places()).isEqualTo(7);
    assertThat(owner.json()).contains("\"places\":7");
    ErasureCertificate session =
        ProvenErasure.of(BackendStore.decorate(store, Forgetful::new))
            .session(new SessionKey("ann", "b"), "x");
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
    byte[] packed = CompressedText.pack(Item.user(secret).json().getBytes(StandardCharsets.UTF_8));
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
            one -> assertThat(one).startsWith(gzip + " has 4 pieces"),
            one -> assertThat(one).startsWith(rows + " has 4 pieces"),
            one -> assertThat(one).startsWith(cut + " is damaged"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<p>My secret is &lt;the harbour at night&gt;</p>",
        "plain: the harbour at night",
        "\\u003cthe harbour at night\\u003e",
      })
  void wordsThatAreLeftInAnotherForm_areALeftover(String left) throws Exception {
    store
        .session(new SessionKey("ann", "b"))
        .addItems(List.of(Item.user("My secret is <the harbour at night>")));
    Path file = Files.writeString(folder.resolve("page"), left);

    ErasureCertificate done =
        ProvenErasure.of(store).files(() -> List.of(file)).session(new SessionKey("ann", "b"), "x");

    assertThat(done.leftovers()).hasSize(1).first().asString().startsWith(file + " has ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "今夜は港で会います",
        "\\u4eca\\u591c\\u306f\\u6e2f\\u3067\\u4f1a\\u3044\\u307e\\u3059",
        "\\u4ECA\\u591C\\u306F\\u6E2F\\u3067\\u4F1A\\u3044\\u307E\\u3059",
      })
  void wordsOfOtherAlphabets_areFoundEscapedToo(String left) throws Exception {
    SessionKey key = new SessionKey("ann", "b");
    store.session(key).addItems(List.of(Item.user("今夜は港で会います")));
    Path file = Files.writeString(folder.resolve("page"), left);

    assertThat(ProvenErasure.of(store).files(() -> List.of(file)).session(key, "x").isClean())
        .isFalse();
  }

  @Test
  void wordsThatSomebodyElseSaidToo_areNoLeftover() throws Exception {
    String words = "the harbour at night";
    SessionKey key = new SessionKey("ann", "b");
    store.session(key).addItems(List.of(Item.user(words)));
    store.session(new SessionKey("bob", "b")).update(SessionUpdate.none().title(words));
    Path file = Files.writeString(folder.resolve("page"), words);

    assertThat(ProvenErasure.of(store).files(() -> List.of(file)).session(key, "x").leftovers())
        .isEmpty();
  }

  @Test
  void aRecordOfTheOwnerWithWordsOfTheSession_isALeftover() {
    SessionKey key = new SessionKey("ann", "b");
    store.session(key).addItems(List.of(Item.user("the harbour at night")));
    store.documents().put("ann", "notes", "{\"note\":\"she said: the harbour at night\"}");
    store.documents().put("ann", "other", "{\"note\":\"nothing of the kind\"}");

    assertThat(ProvenErasure.of(store).session(key, "x").leftovers())
        .containsExactly("the document 'notes' of owner 'ann' has 2 pieces of what was erased");
  }

  @Test
  void recordsAboutTheSession_goWithIt_andAreCounted() {
    SessionKey key = new SessionKey("ann", "b");
    store.session(key).addItems(List.of(Item.user("the harbour at night")));
    store.documents().put("ann", "about b", "{}");
    store.documents().put("ann", "about c", "{}");
    SessionDocuments about =
        (records, session, found) ->
            records
                .get(session.owner(), "about " + session.id())
                .ifPresent(record -> found.accept(record.owner(), record.name()));

    ErasureCertificate done = ProvenErasure.of(store).documents(about).session(key, "x");

    assertThat(done.isClean()).isTrue();
    assertThat(done.records()).isEqualTo(1);
    assertThat(store.documents().list("ann", "", Optional.empty(), 10))
        .extracting(Document::name)
        .containsExactly("about c");
  }

  @Test
  void whatNamesAnErasedOwner_goesWithHer_andIsCounted() {
    store.session(new SessionKey("ann", "b")).addItems(List.of(Item.user("x")));
    Map<String, String> named =
        Map.of(
            "token/1", "{\"owner\":\"ann\"}",
            "token/2", "{\"owner\":\"anna\"}",
            "share/1", "{\"owner\":\"ann\"}",
            "audit/1", "{\"owner\":\"ann\"}",
            "secret", "{\"secret\":\"ann\"}");
    named.forEach((name, json) -> store.documents().put("@clew", name, json));

    ErasureCertificate done = ProvenErasure.of(store).owner("ann", "x");

    assertThat(done.isClean()).isTrue();
    assertThat(done.records()).isEqualTo(2);
    assertThat(store.documents().list("@clew", "", Optional.empty(), 10))
        .extracting(Document::name)
        .containsExactly("audit/1", "secret", "token/2");
  }
}
