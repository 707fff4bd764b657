package dev.clew.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.EntryPage;
import dev.clew.Finding;
import dev.clew.Item;
import dev.clew.Range;
import dev.clew.StoredSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * C7: records that were damaged on disk. Where {@link StoreContract#damager} has nothing to offer,
 * the same tests check that nothing is taken for damaged.
 */
@Rule(
    "a record that cannot be read back is passed over, reported by check with key and "
        + "position, and put aside by removeLast; its neighbours stay")
interface DamageRules extends StoreFixture {

  @Test
  default void getItems_skipsADamagedItemAndNoOther() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c", "d"));
    boolean damaged = damage(session, 1);

    assertThat(session.getItems())
        .isEqualTo(damaged ? Items.of("a", "c", "d") : Items.of("a", "b", "c", "d"));
  }

  @Test
  default void getItems_withALimit_countsReadableItems() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c", "d", "e"));
    boolean damaged = damage(session, 2, 4);

    assertThat(session.getItems(2)).isEqualTo(damaged ? Items.of("b", "d") : Items.of("d", "e"));
    assertThat(session.getItems(3))
        .isEqualTo(damaged ? Items.of("a", "b", "d") : Items.of("c", "d", "e"));
  }

  @Test
  @Rule("a page names the positions in it of records that cannot be read back")
  default void aPage_saysWhichPositionsAreDamaged() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c", "d"));
    List<Long> positions = Items.positions(session);
    boolean damaged = damage(session, 1, 3);
    List<Long> found = damaged ? List.of(positions.get(1), positions.get(3)) : List.of();

    assertThat(session.entries(Range.first(10)).damaged()).isEqualTo(found);
    assertThat(session.entries(Range.latest(10)).damaged()).isEqualTo(found);
    assertThat(session.entries(Range.before(positions.get(1), 10)).damaged()).isEmpty();
    assertThat(session.entries(Range.after(positions.get(1), 10)).damaged())
        .isEqualTo(damaged ? found.subList(1, 2) : found);
  }

  @Test
  default void paging_passesOverADamagedItemAndHasMoreStaysExact() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    boolean damaged = damage(session, 2);

    EntryPage first = session.entries(Range.first(2));
    assertThat(first.items()).isEqualTo(Items.of("a", "b"));
    assertThat(first.hasMore()).isEqualTo(!damaged);
    assertThat(session.entries(Range.latest(5)).items())
        .isEqualTo(damaged ? Items.of("a", "b") : Items.of("a", "b", "c"));
  }

  @Test
  default void popItem_skipsADamagedTailAndReturnsTheItemBeforeIt() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    boolean damaged = damage(session, 2);

    assertThat(session.popItem()).contains(Item.user(damaged ? "b" : "c"));
    assertThat(session.getItems()).isEqualTo(damaged ? Items.of("a") : Items.of("a", "b"));
    session.addItems(Items.of("d"));
    assertThat(session.getItems())
        .isEqualTo(damaged ? Items.of("a", "d") : Items.of("a", "b", "d"));
  }

  @Test
  default void popItem_leavesADamagedItemInTheMiddle() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b", "c"));
    boolean damaged = damage(session, 1);

    assertThat(session.popItem()).contains(Item.user("c"));
    assertThat(session.getItems()).isEqualTo(damaged ? Items.of("a") : Items.of("a", "b"));
    assertThat(kinds(session).contains(Finding.Kind.DAMAGED)).isEqualTo(damaged);
  }

  @Test
  default void popItem_ofNothingButDamagedItems_isNothing() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    boolean damaged = damage(session, 0, 1);

    assertThat(session.getItems()).hasSize(damaged ? 0 : 2);
    assertThat(session.popItem())
        .isEqualTo(damaged ? Optional.empty() : Optional.of(Item.user("b")));
  }

  @Test
  default void check_reportsADamagedItemByKeyAndPosition() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "very secret words"));
    long position = Items.position(session, 1);
    boolean damaged = damage(session, 1);

    List<Finding> found =
        findings().stream().filter(f -> f.kind() == Finding.Kind.DAMAGED).toList();
    assertThat(found).hasSize(damaged ? 1 : 0);
    for (Finding finding : found) {
      assertThat(finding.key()).contains(session.key());
      assertThat(finding.position()).hasValue(position);
      assertThat(finding.message()).isNotEmpty().doesNotContain("secret");
    }
  }

  @Test
  default void check_reportsWhatAPopPutAside() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    boolean damaged = damage(session, 1);
    session.popItem();

    assertThat(kinds(session).contains(Finding.Kind.QUARANTINED)).isEqualTo(damaged);
    assertThat(kinds(session)).doesNotContain(Finding.Kind.DAMAGED);
  }

  @Test
  default void clearSession_removesDamagedItemsToo() {
    StoredSession session = newSession();
    session.addItems(Items.of("a", "b"));
    damage(session, 0);
    session.clearSession();

    assertThat(session.getItems()).isEmpty();
    assertThat(kinds(session)).doesNotContain(Finding.Kind.DAMAGED);
  }

  @Test
  @Rule("check reports nothing of a store in which all is well")
  default void check_ofASoundStore_findsNothing() {
    StoredSession session = newSession();
    session.addItems(HostileItems.all());
    session.popItem();

    assertThat(findings()).isEmpty();
  }

  @Test
  @Rule(
      "check reports a Finding of kind UNPAIRED, with key and position, for each "
          + "function_call_output without a function_call of its call_id before it, and for "
          + "each function_call without an output that is not in the last turn")
  default void check_reportsAnOutputWithoutItsCallAndACallWithoutItsOutput() {
    StoredSession whole = newSession();
    whole.addItems(
        List.of(
            Item.user("q"),
            Item.functionCall("c1", "f", "{}"),
            Item.functionCallOutput("c1", "done"),
            Item.assistant("a")));
    StoredSession torn = newSession();
    torn.addItems(
        List.of(
            Item.user("q"),
            Item.functionCallOutput("c2", "done"),
            Item.functionCall("c3", "f", "{}"),
            Item.assistant("a"),
            Item.user("next")));

    List<Finding> unpaired =
        findings().stream().filter(f -> f.kind() == Finding.Kind.UNPAIRED).toList();
    assertThat(unpaired).hasSize(2).allMatch(f -> f.key().equals(Optional.of(torn.key())));
    assertThat(unpaired.stream().map(f -> f.position().orElseThrow()).toList())
        .containsExactlyInAnyOrder(Items.position(torn, 1), Items.position(torn, 2));
  }

  /** Spoils the items at these indexes; whether there was anything to spoil them with. */
  private boolean damage(StoredSession session, int... indexes) {
    Optional<Damager> damager = damager();
    List<Long> positions = Items.positions(session);
    for (int index : indexes) {
      damager.ifPresent(one -> one.damage(session.key(), positions.get(index)));
    }
    return damager.isPresent();
  }

  private List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    store().check(findings::add);
    return findings;
  }

  private List<Finding.Kind> kinds(StoredSession session) {
    return findings().stream()
        .filter(finding -> finding.key().equals(Optional.of(session.key())))
        .map(Finding::kind)
        .toList();
  }
}
