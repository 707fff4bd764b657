package dev.clew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommitTest {
  private static final Item A = Item.user("a");
  private static final Item B = Item.user("b");

  private static String digest(Commit transaction) {
    return transaction.digest();
  }

  @Test
  void equalContentHasEqualDigestsWhateverTheConditions() {
    Commit plain = Commit.append(List.of(A, B));

    assertThat(digest(Commit.append(List.of(A, B)))).isEqualTo(digest(plain));
    assertThat(
            digest(
                plain
                    .operationId("id")
                    .expectVersion(3)
                    .expectTail(4)
                    .fence(new Commit.Fence("turn", 5))))
        .isEqualTo(digest(plain));
    assertThat(digest(Commit.appendDrafts(List.of(Draft.of(A), Draft.of(B)))))
        .isEqualTo(digest(plain));
  }

  @Test
  void otherContentHasOtherDigests() {
    List<Commit> all =
        List.of(
            Commit.append(List.of()),
            Commit.append(List.of(A)),
            Commit.append(List.of(A, B)),
            Commit.append(List.of(B, A)),
            Commit.append(List.of(A, A)),
            Commit.appendDrafts(List.of(new Draft(A, Map.of("model", "m")))),
            Commit.appendDrafts(List.of(new Draft(A, Map.of("model", "n")))),
            Commit.replaceSuffix(List.of(A), List.of(B)),
            Commit.replaceSuffix(List.of(A, B), List.of()),
            Commit.replaceSuffix(List.of(B), List.of(A)),
            Commit.replacePrefix(1, List.of(A)),
            Commit.replacePrefix(2, List.of(A)),
            Commit.dropPrefix(1, List.of(A)),
            Commit.replaceItem(1, Draft.of(A)),
            Commit.replaceItem(2, Draft.of(A)),
            Commit.removeItem(1),
            Commit.removeItem(2));

    assertThat(all.stream().map(Commit::digest).distinct()).hasSize(all.size());
  }

  @Test
  void theOrderOfNotesDoesNotMatter() {
    Map<String, Object> forward = new LinkedHashMap<>();
    forward.put("a", Map.of("x", 1));
    forward.put("b", 2);
    Map<String, Object> backward = new LinkedHashMap<>();
    backward.put("b", 2L);
    backward.put("a", new LinkedHashMap<>(Map.of("x", 1)));

    assertThat(digest(Commit.appendDrafts(List.of(new Draft(A, forward)))))
        .isEqualTo(digest(Commit.appendDrafts(List.of(new Draft(A, backward)))));
  }

  @Test
  void nullsAreNamedByTheirIndex() {
    assertThatThrownBy(() -> Commit.append(Arrays.asList(A, null)))
        .isInstanceOfSatisfying(
            ClewException.InvalidItem.class, e -> assertThat(e.index()).isEqualTo(1));
  }

  @Test
  void anOperationIdHas1To512Characters() {
    Commit plain = Commit.append(List.of(A));

    assertThat(plain.operationId("x".repeat(512)).operationId()).isPresent();
    assertThatThrownBy(() -> plain.operationId("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> plain.operationId("x".repeat(513)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("513");
  }

  @Test
  void aSuffixToReplaceIsNotEmpty() {
    assertThatThrownBy(() -> Commit.replaceSuffix(List.of(), List.of(A)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("append");
  }

  @Test
  void theItemsOfATransactionAreWhatItWrites() {
    assertThat(Commit.replaceSuffix(List.of(A), List.of(B)).items()).containsExactly(B);
    assertThat(Commit.replaceItem(1, Draft.of(A)).items()).containsExactly(A);
    assertThat(Commit.removeItem(1).items()).isEmpty();
  }

  @Test
  void notesAreCopiedAndMustBeJson() {
    Map<String, Object> notes = new LinkedHashMap<>(Map.of("usage", List.of(1, 2)));
    Draft draft = new Draft(A, notes);
    notes.put("later", true);

    assertThat(draft.notes()).isEqualTo(Map.of("usage", List.of(1L, 2L)));
    assertThatThrownBy(() -> draft.notes().put("x", 1))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> new Draft(A, Map.of("x", new Object())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a JSON value");
    assertThatThrownBy(() -> new Draft(A, Map.of("x", Double.NaN)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
