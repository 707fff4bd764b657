package dev.clew.tck;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** All rules at once: random sequences of operations compared with a simple model. */
@Rule(
    "every operation leaves what the simple model of the contract has after it; the "
        + "message below names the seed that repeats the run")
interface OracleRules extends StoreFixture {

  @Test
  default void randomOperations_leaveWhatASimpleModelHas() {
    OptionalLong only = Settings.seed();
    if (only.isPresent()) {
      new Oracle(this, only.getAsLong()).run();
      return;
    }
    for (int seed = 1; seed <= sequences(); seed++) {
      if (seed % 250 == 0) {
        store().close();
        openWith(options());
      }
      new Oracle(this, seed).run();
    }
  }
}
