package dev.clew.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.Session;
import dev.clew.tck.SessionContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The contract of plain sessions notices what people get wrong when they write one. */
class WrongSessionsTest {

  /** The contract on the session that is to be run; not named as a test. */
  static class Subject extends SessionContract {
    private static Mistake mistake = Mistake.NONE;

    @Override
    protected Session open() {
      return new ListSession(mistake);
    }
  }

  private enum Mistake {
    NONE,
    GIVES_ITS_LIST_AWAY,
    KEEPS_THE_LIST_OF_THE_CALLER,
    TAKES_NEGATIVE_FOR_NOTHING,
    RETURNS_THE_OLDEST,
    POPS_THE_OLDEST,
    CHECKS_NOTHING,
    CHECKS_WHILE_WRITING,
    CLEARS_NOTHING
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(
            Mistake.GIVES_ITS_LIST_AWAY, "getItems_returnsAListWhoseChangesDoNotReachTheSession"),
        Arguments.of(
            Mistake.KEEPS_THE_LIST_OF_THE_CALLER, "addItems_doesNotHoldOnToTheListOfTheCaller"),
        Arguments.of(Mistake.TAKES_NEGATIVE_FOR_NOTHING, "getItems_withANegativeLimit_isRefused"),
        Arguments.of(Mistake.RETURNS_THE_OLDEST, "getItems_withALimit_returnsTheNewestOldestFirst"),
        Arguments.of(Mistake.POPS_THE_OLDEST, "popItem_removesAndReturnsTheNewest"),
        Arguments.of(
            Mistake.CHECKS_NOTHING, "addItems_withANullInTheBatch_namesItsIndexAndWritesNothing"),
        Arguments.of(
            Mistake.CHECKS_WHILE_WRITING,
            "addItems_withAnItemThatIsTooLarge_namesItsIndexAndWritesNothing"),
        Arguments.of(Mistake.CLEARS_NOTHING, "clearSession_removesEveryItem"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aSessionWithAMistake_failsTheCaseThatNamesIt(Mistake mistake, String testCase) {
    Subject.mistake = mistake;
    assertThat(ContractRun.of(Subject.class, testCase).getTestsFailedCount()).isPositive();

    Subject.mistake = Mistake.NONE;
    TestExecutionSummary right = ContractRun.of(Subject.class, testCase);
    assertThat(right.getTestsFoundCount()).isEqualTo(2);
    assertThat(right.getTestsSucceededCount()).isEqualTo(2);
  }

  /** A session with at most one thing wrong. */
  private static final class ListSession implements Session {
    private final Mistake mistake;
    private List<Item> items = new ArrayList<>();

    ListSession(Mistake mistake) {
      this.mistake = mistake;
    }

    @Override
    public String id() {
      return "list";
    }

    @Override
    public synchronized List<Item> getItems() {
      return mistake == Mistake.GIVES_ITS_LIST_AWAY ? items : new ArrayList<>(items);
    }

    @Override
    public synchronized List<Item> getItems(int limit) {
      if (limit < 0) {
        if (mistake == Mistake.TAKES_NEGATIVE_FOR_NOTHING) {
          return List.of();
        }
        throw new IllegalArgumentException("limit must not be negative: " + limit);
      }
      int size = Math.min(limit, items.size());
      int start = mistake == Mistake.RETURNS_THE_OLDEST ? 0 : items.size() - size;
      return List.copyOf(items.subList(start, start + size));
    }

    @Override
    public synchronized void addItems(List<Item> added) {
      if (mistake == Mistake.CHECKS_WHILE_WRITING) {
        for (Item item : added) {
          ItemLimits.STORE.check(List.of(item));
          items.add(item);
        }
        return;
      }
      if (mistake != Mistake.CHECKS_NOTHING) {
        ItemLimits.STORE.check(added);
      }
      if (mistake == Mistake.KEEPS_THE_LIST_OF_THE_CALLER && items.isEmpty()) {
        items = added;
      } else {
        items.addAll(added);
      }
    }

    @Override
    public synchronized Optional<Item> popItem() {
      int index = mistake == Mistake.POPS_THE_OLDEST ? 0 : items.size() - 1;
      return items.isEmpty() ? Optional.empty() : Optional.of(items.remove(index));
    }

    @Override
    public synchronized void clearSession() {
      if (mistake != Mistake.CLEARS_NOTHING) {
        items.clear();
      }
    }
  }
}
