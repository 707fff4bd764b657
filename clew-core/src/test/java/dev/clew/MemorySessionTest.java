package dev.clew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MemorySessionTest {
  private static final Item ONE = Item.user("1");
  private static final Item TWO = Item.user("2");
  private static final Item THREE = Item.user("3");

  private final MemorySession session = new MemorySession("s", List.of(ONE, TWO));

  @Test
  void idAndInitialItemsAreOptional() {
    assertThat(session.id()).isEqualTo("s");
    assertThat(session.getItems()).containsExactly(ONE, TWO);
    assertThat(new MemorySession("x").getItems()).isEmpty();
    assertThat(UUID.fromString(new MemorySession().id())).isNotNull();
  }

  @Test
  void getItemsReturnsTheNewestOldestFirst() {
    session.addItems(List.of(THREE));

    assertThat(session.getItems(2)).containsExactly(TWO, THREE);
    assertThat(session.getItems(0)).isEmpty();
    assertThat(session.getItems(99)).containsExactly(ONE, TWO, THREE);
    assertThatThrownBy(() -> session.getItems(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void popItemTakesTheNewestUntilThereIsNone() {
    assertThat(session.popItem()).contains(TWO);
    assertThat(session.popItem()).contains(ONE);
    assertThat(session.popItem()).isEmpty();
  }

  @Test
  void itIsUsableAfterAClear() {
    session.clearSession();
    session.clearSession();
    session.addItems(List.of(THREE));

    assertThat(session.getItems()).containsExactly(THREE);
  }

  @Test
  void aBatchWithABadItemIsRefusedAsAWhole() {
    assertThatThrownBy(() -> session.addItems(Arrays.asList(THREE, null)))
        .isInstanceOfSatisfying(
            ClewException.InvalidItem.class, e -> assertThat(e.index()).isEqualTo(1));
    assertThat(session.getItems()).containsExactly(ONE, TWO);
  }

  @Test
  void listsGivenAndReturnedAreCopies() {
    List<Item> given = new ArrayList<>(List.of(ONE));
    MemorySession copy = new MemorySession("s", given);
    given.add(TWO);
    List<Item> returned = copy.getItems();
    copy.addItems(List.of(THREE));

    assertThat(returned).containsExactly(ONE);
    assertThatThrownBy(() -> returned.add(TWO)).isInstanceOf(UnsupportedOperationException.class);
  }
}
