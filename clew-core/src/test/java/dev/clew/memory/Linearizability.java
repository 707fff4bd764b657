package dev.clew.memory;

import java.util.List;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;

/**
 * How thoroughly interleavings are tried. Schedules are slow to go through, so that their full
 * number is tried with {@code -Dclew.soak=true} only.
 */
final class Linearizability {
  private static final boolean SOAK = Boolean.getBoolean("clew.soak");

  /** Values: they cannot change, so no thread can see them half done. */
  private static final List<String> IMMUTABLE =
      List.of(
          "java.time.", "java.util.Optional", "java.util.ImmutableCollections", "java.security.");

  private Linearizability() {}

  private static boolean isImmutable(String name) {
    return IMMUTABLE.stream().anyMatch(name::startsWith)
        || (name.startsWith("dev.clew.") && !name.startsWith("dev.clew.memory."));
  }

  /** Runs the operations of {@code test} under many schedules and compares with {@code model}. */
  static void modelCheck(Class<?> test, Class<?> model) {
    new ModelCheckingOptions()
        .iterations(SOAK ? 25 : 10)
        .invocationsPerIteration(SOAK ? 400 : 100)
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(1)
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses(Linearizability::isImmutable)
                .allMethods()
                .ignore())
        .sequentialSpecification(model)
        .check(test);
  }

  /** Runs the operations of {@code test} on real threads and compares with {@code model}. */
  static void stress(Class<?> test, Class<?> model) {
    new StressOptions()
        .iterations(30)
        .invocationsPerIteration(3000)
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(2)
        .sequentialSpecification(model)
        .check(test);
  }
}
