package dev.clew.server.internal.limits;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Buckets behave as if every take happened at one instant. */
@Tag("schedules")
class LinearizabilityTest {
  private static final boolean SOAK = Boolean.getBoolean("clew.soak");
  private static final long HUNG_MS = 300_000;

  @Test
  void everyScheduleIsLinearizable() {
    new ModelCheckingOptions()
        .iterations(SOAK ? 25 : 3)
        .invocationsPerIteration(SOAK ? 400 : 40)
        .threads(2)
        .actorsPerThread(2)
        .sequentialSpecification(LimiterOperations.Model.class)
        .invocationTimeout$lincheck(HUNG_MS)
        .check(LimiterOperations.class);
  }

  @Test
  void underStressItIsLinearizable() {
    new StressOptions()
        .iterations(SOAK ? 30 : 5)
        .invocationsPerIteration(SOAK ? 3000 : 500)
        .threads(3)
        .actorsPerThread(3)
        .sequentialSpecification(LimiterOperations.Model.class)
        .invocationTimeout$lincheck(HUNG_MS)
        .check(LimiterOperations.class);
  }
}
