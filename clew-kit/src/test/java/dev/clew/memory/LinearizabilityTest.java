package dev.clew.memory;

import java.util.List;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Histories, leases and records behave as if every operation happened at one instant. Schedules are
 * slow to go through, so that their full number is tried with {@code -Dclew.soak=true} only; all
 * are in one class because the first of them makes a JVM ready for the others.
 */
@Tag("schedules")
class LinearizabilityTest {
  private static final boolean SOAK = Boolean.getBoolean("clew.soak");

  /**
   * How long one schedule may take before it counts as hung. The first ones transform the classes
   * they load, on a busy machine that took longer than the 30 seconds that are usual.
   */
  private static final long HUNG_MS = 300_000;

  /** Values: they cannot change, so no thread can see them half done. */
  private static final List<String> IMMUTABLE =
      List.of(
          "java.time.", "java.util.Optional", "java.util.ImmutableCollections", "java.security.");

  /** Everything of ours that can change is in these packages. */
  private static final List<String> MUTABLE = List.of("dev.clew.memory.", "dev.clew.kit.state.");

  @Test
  void everyScheduleOfTheStoreIsLinearizable() {
    modelCheck(StoreOperations.class, StoreOperations.Model.class);
  }

  @Test
  void everyScheduleOfLeasesIsLinearizable() {
    modelCheck(LeaseOperations.class, LeaseOperations.Model.class);
  }

  @Test
  void everyScheduleOfRecordsIsLinearizable() {
    modelCheck(RecordOperations.class, RecordOperations.Model.class);
  }

  @Test
  void theStoreUnderStressIsLinearizable() {
    stress(StoreOperations.class, StoreOperations.Model.class);
  }

  @Test
  void leasesUnderStressAreLinearizable() {
    stress(LeaseOperations.class, LeaseOperations.Model.class);
  }

  @Test
  void recordsUnderStressAreLinearizable() {
    stress(RecordOperations.class, RecordOperations.Model.class);
  }

  private static boolean isImmutable(String name) {
    return IMMUTABLE.stream().anyMatch(name::startsWith)
        || (name.startsWith("dev.clew.") && MUTABLE.stream().noneMatch(name::startsWith));
  }

  /** Runs the operations of {@code test} under many schedules and compares with {@code model}. */
  private static void modelCheck(Class<?> test, Class<?> model) {
    new ModelCheckingOptions()
        .iterations(SOAK ? 25 : 6)
        .invocationsPerIteration(SOAK ? 400 : 50)
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(1)
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses(LinearizabilityTest::isImmutable)
                .allMethods()
                .ignore())
        .sequentialSpecification(model)
        .invocationTimeout$lincheck(HUNG_MS)
        .check(test);
  }

  /** Runs the operations of {@code test} on real threads and compares with {@code model}. */
  private static void stress(Class<?> test, Class<?> model) {
    new StressOptions()
        .iterations(SOAK ? 30 : 10)
        .invocationsPerIteration(SOAK ? 3000 : 1000)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(2)
        .sequentialSpecification(model)
        .invocationTimeout$lincheck(HUNG_MS)
        .check(test);
  }
}
