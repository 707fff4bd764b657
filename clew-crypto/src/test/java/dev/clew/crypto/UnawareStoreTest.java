package dev.clew.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.Capability;
import dev.clew.ClewException.NotSupported;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoreTraits;
import dev.clew.jsonl.JsonlStore;
import dev.clew.kit.BackendStore;
import dev.clew.kit.ForwardingBackend;
import dev.clew.memory.MemoryStore;
import dev.clew.spi.Compression;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that knows nothing of sealed items never gets to see the plain ones. */
class UnawareStoreTest {
  private static final List<Item> ITEMS = List.of(Item.user("secret"));

  /** The store of somebody who never heard of encryption. */
  private static SessionStore unaware() {
    return BackendStore.decorate(
        new MemoryStore(),
        backend ->
            new ForwardingBackend(backend) {
              @Override
              public StoreTraits traits() {
                return super.traits().without(Capability.values());
              }
            });
  }

  @Test
  void isRefusedWhenItIsOpened_andLeftAsItWas() {
    try (SessionStore store = unaware()) {
      assertThatThrownBy(() -> EncryptedStore.over(store, TestKeys.MASTER))
          .isInstanceOf(NotSupported.class);
      assertThat(store.owners(Optional.empty(), 1)).isEmpty();
    }
  }

  @Test
  void anEncryptedStore_isNotEncryptedTwice() {
    try (SessionStore store = EncryptedStore.over(MemoryStore.builder().build(), TestKeys.MASTER)) {
      assertThatThrownBy(() -> EncryptedStore.over(store, TestKeys.MASTER))
          .isInstanceOf(NotSupported.class);
    }
  }

  @Test
  void whatIsSealedIsNotCompressed(@TempDir Path folder) {
    try (SessionStore store = EncryptedStore.over(JsonlStore.open(folder), TestKeys.MASTER)) {
      assertThat(store.traits().has(Capability.COMPRESSION)).isFalse();
      assertThatThrownBy(() -> Compression.of(store))
          .isInstanceOf(NotSupported.class)
          .hasMessageContaining("without a key can");
    }
  }

  @Test
  void theDraftsOfASealedTransaction_cannotBeHadWithoutAPosition() {
    SessionSeal seal =
        new OwnerKey("", 1, new byte[Cipher.KEY_BYTES]).session(SessionKey.of("one"));
    for (Commit plain :
        List.of(
            Commit.append(ITEMS),
            Commit.replaceSuffix(ITEMS, ITEMS),
            Commit.replacePrefix(1, ITEMS))) {
      Commit sealed = plain.sealed(seal, List.of());
      assertThat(sealed.step().drafts()).hasSize(1);
      assertThatThrownBy(() -> sealed.step().drafts().get(0)).isInstanceOf(NotSupported.class);
      assertThatThrownBy(() -> sealed.items()).isInstanceOf(NotSupported.class);
      assertThat(sealed.placed(7).get(0).item().json()).doesNotContain("secret");
      assertThat(sealed.digest()).isNotEqualTo(plain.digest());
    }
  }
}
