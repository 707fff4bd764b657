package dev.clew.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.ClewException;
import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.cli.TestStores;
import dev.clew.migrate.Migration;
import dev.clew.migrate.MigrationListener;
import dev.clew.migrate.MigrationReport;
import dev.clew.migrate.SessionOutcome.Kind;
import dev.clew.tck.FaultyStore;
import dev.clew.tck.SampleSessions;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of every kind go from every store to every other. */
class StorePairsTest {
  @TempDir Path folder;

  /** Something to do with an empty store and another. */
  private interface Move {
    void run(SessionStore from, SessionStore to);
  }

  private Stream<DynamicTest> everyPair(Move move) {
    return TestStores.kinds(folder).entrySet().stream()
        .flatMap(
            from ->
                TestStores.kinds(folder).entrySet().stream()
                    .map(
                        to ->
                            DynamicTest.dynamicTest(
                                from.getKey() + " to " + to.getKey(),
                                () -> {
                                  try (SessionStore source = Stores.open(from.getValue().get());
                                      SessionStore target = Stores.open(to.getValue().get())) {
                                    move.run(source, target);
                                  }
                                })));
  }

  @TestFactory
  Stream<DynamicTest> everySessionIsThereItemForItem() {
    return everyPair(
        (from, to) -> {
          SampleSessions.fill(from);
          MigrationReport report = Migration.of(from, to).run(MigrationListener.NONE);

          assertThat(report.isComplete()).isTrue();
          assertThat(report.count(Kind.MOVED)).isEqualTo(8);
          assertThat(SampleSessions.all(to)).isEqualTo(SampleSessions.all(from)).hasSize(8);
          MigrationReport again = Migration.of(from, to).run(MigrationListener.NONE);
          assertThat(again.count(Kind.ALREADY_THERE)).isEqualTo(8);
        });
  }

  @TestFactory
  Stream<DynamicTest> aMigrationThatEndsInTheMiddleIsContinued() {
    return everyPair(
        (from, to) -> {
          SampleSessions.fill(from);
          boolean done = false;
          for (int run = 1; !done; run++) {
            FaultyStore dying = new FaultyStore(to);
            dying.failAfter(FaultyStore.nth("apply", 5));
            dying.failBefore(call -> dying.calls("apply") > 5);
            done = run(from, dying);
            assertThat(run).isLessThan(50);
          }
          assertThat(SampleSessions.all(to)).isEqualTo(SampleSessions.all(from)).hasSize(8);
        });
  }

  private static boolean run(SessionStore from, SessionStore to) {
    try {
      return Migration.of(from, to).run(MigrationListener.NONE).isComplete();
    } catch (ClewException e) {
      return false;
    }
  }
}
