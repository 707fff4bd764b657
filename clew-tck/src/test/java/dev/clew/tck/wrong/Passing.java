package dev.clew.tck.wrong;

import dev.clew.Finding;
import dev.clew.SessionKey;
import dev.clew.decorate.EachCallBackend;
import dev.clew.spi.Backend;
import dev.clew.spi.SelfCheck;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A backend with nothing wrong; override what is to be wrong. */
abstract class Passing extends EachCallBackend implements SelfCheck {
  Passing(Backend right) {
    super(right);
  }

  @Override
  protected final <T> T call(String name, Kind kind, Optional<SessionKey> key, Supplier<T> call) {
    return call.get();
  }

  @Override
  public void check(Consumer<Finding> findings) {
    delegate().feature(SelfCheck.class).orElseThrow().check(findings);
  }
}
