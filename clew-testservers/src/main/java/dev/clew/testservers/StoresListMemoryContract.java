package dev.clew.testservers;

import dev.clew.SessionStore;
import dev.clew.Stores;
import dev.clew.tck.ListMemoryContract;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The contract of list memories on every kind of store. One test at a time.
 *
 * @param <M> the framework's type of messages
 */
@ParameterizedClass
@EnumSource(StoreKind.class)
public abstract class StoresListMemoryContract<M> extends ListMemoryContract<M> {
  @Parameter StoreKind kind = StoreKind.MEMORY;

  @TempDir Path folder = Path.of("");

  private @Nullable String url;

  /** For JUnit. */
  protected StoresListMemoryContract() {}

  @Override
  protected SessionStore open() {
    String address = url;
    if (address == null) {
      address = kind.url(folder);
      url = address;
    }
    return Stores.open(address);
  }
}
