package dev.clew.tck;

import dev.clew.Durability;
import dev.clew.SessionStore;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What every {@link SessionStore} promises, as tests. One test at a time; what a test uses is
 * thread-safe.
 *
 * <p>To test a store of your own, extend this class and say how to open it:
 *
 * <pre>{@code
 * class MyStoreTest extends StoreContract {
 *   @TempDir Path folder;
 *   int opened;
 *
 *   @Override
 *   protected SessionStore open(StoreOptions options) {
 *     return new MyStore(folder.resolve("store-" + ++opened), options.clock(), options.limits(), …);
 *   }
 *
 *   @Override
 *   protected Optional<SessionStore> reopen(StoreOptions options) {
 *     return Optional.of(new MyStore(folder.resolve("store-" + opened), …));
 *   }
 * }
 * }</pre>
 *
 * <p>Nothing is skipped. A rule about something that {@link SessionStore#traits()} does not list
 * checks that it is refused, and a rule about restarts checks that a {@link Durability#VOLATILE}
 * store starts empty. A store whose records can be damaged overrides {@link #damager} as well. Each
 * group of rules is an interface of its own, which names the rules of the contract (C1 to C24) it
 * is about.
 *
 * <p>A rule that fails shows, before what the assertion says, the rule and what it asks for.
 *
 * <p>System properties: {@code clew.tck.seeds} is the number of random operation sequences, {@code
 * clew.tck.seed} repeats a single one, {@code clew.tck.operations} is the number of operations of
 * the concurrent history, {@code clew.soak=true} raises what was not set.
 */
@DisplayNameGeneration(RuleNames.class)
@ExtendWith(RuleFailures.class)
public abstract class StoreContract extends OpenedStores
    implements ReadingRules,
        AppendingRules,
        PoppingRules,
        ClearingRules,
        LosslessRules,
        AsyncRules,
        CreatingRules,
        DefaultLimitRules,
        PagingRules,
        IdempotencyRules,
        CompareAndSetRules,
        PrefixRules,
        SuffixRules,
        OneItemRules,
        ForkRules,
        MetadataRules,
        ListingRules,
        BranchRules,
        MarkRules,
        TimeRules,
        KeyRules,
        RestartRules,
        ExpiryRules,
        ErasureRules,
        SearchRules,
        WatchRules,
        AsyncCommitRules,
        LeaseRules,
        DocumentRules,
        CommitWithDocumentRules,
        DamageRules,
        ClosingRules,
        ConcurrencyRules,
        SharingRules,
        OracleRules {}
