package dev.clew.tck;

import dev.clew.SessionStore;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;

/**
 * What nobody may notice of {@link dev.clew.spi.Compression}: the rules about histories, on a store
 * that compresses each session after each change. One test at a time.
 *
 * <p>For stores that can compress, beside {@link StoreContract}.
 */
@DisplayNameGeneration(RuleNames.class)
public abstract class CompressedContract extends OpenedStores
    implements ReadingRules,
        PoppingRules,
        ClearingRules,
        LosslessRules,
        PagingRules,
        IdempotencyRules,
        PrefixRules,
        SuffixRules,
        OneItemRules,
        ForkRules,
        ListingRules,
        RestartRules,
        ErasureRules,
        SearchRules,
        DamageRules,
        OracleRules {

  /** Opens a store that can compress, as {@link StoreContract} does. */
  protected abstract SessionStore openPlain(StoreOptions options);

  /** Opens the data of the store that was opened last once more. */
  protected abstract SessionStore reopenPlain(StoreOptions options);

  @Override
  protected final SessionStore open(StoreOptions options) {
    return CompressedStore.over(openPlain(options));
  }

  @Override
  protected final Optional<SessionStore> reopen(StoreOptions options) {
    return Optional.of(CompressedStore.over(reopenPlain(options)));
  }

  /** The contract of the store itself runs all of them. */
  @Override
  public final int sequences() {
    return Math.max(1, super.sequences() / 40);
  }
}
