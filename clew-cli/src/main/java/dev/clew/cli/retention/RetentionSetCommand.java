package dev.clew.cli.retention;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.PointInTime;
import dev.clew.cli.command.StoreAction;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.retention.Retention;
import dev.clew.retention.RetentionPolicy;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code clew retention set}: adds or changes a policy. Used once, by one thread. */
@Command(
    name = "set",
    description = {
      "Adds a policy, or changes the one of that name.",
      "A session that exceeds one of the limits is removed. With --compress it is "
          + "stored in less space instead and reads as before. Nothing happens until "
          + "'clew retention run' or the server applies the policies."
    },
    footer = {
      "",
      "Examples:",
      "  clew retention set old --idle 90d",
      "  clew retention set scratch --tag scratch --age 7d --owner ann",
      "  clew retention set cold --idle 90d --compress"
    })
final class RetentionSetCommand extends StoreAction {
  @Parameters(paramLabel = "NAME", description = "The name of the policy.")
  String name = "";

  @Option(
      names = "--age",
      paramLabel = "TIME",
      description = "The longest time since it was created: 365d.")
  @Nullable String age;

  @Option(
      names = "--idle",
      paramLabel = "TIME",
      description = "The longest time since its last update.")
  @Nullable String idle;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "How many sessions each owner keeps, the most recently updated ones.")
  @Nullable Integer count;

  @Option(names = "--tag", paramLabel = "TAG", description = "Only sessions with this tag.")
  @Nullable String tag;

  @Option(
      names = "--compress",
      description =
          "Compress these sessions instead of removing them. Programs other than Clew "
              + "cannot read them then.")
  boolean compress;

  RetentionSetCommand(Clew clew) {
    super(clew, Opening.CREATE);
  }

  @Override
  protected void beforeOpening() {
    if (count != null && count < 0) {
      throw Failure.usage("--count is " + count + "; it must not be negative").in("--count");
    }
    if (count != null && count == 0 && !compress) {
      throw Failure.usage("--count is 0, which would remove every session; it must be at least 1")
          .in("--count");
    }
    policy();
  }

  private RetentionPolicy policy() {
    RetentionPolicy policy =
        new RetentionPolicy(
            name,
            clew().namedOwner(),
            Optional.ofNullable(tag),
            Optional.ofNullable(age).map(text -> PointInTime.duration("--age", text)),
            Optional.ofNullable(idle).map(text -> PointInTime.duration("--idle", text)),
            count == null ? OptionalInt.empty() : OptionalInt.of(count));
    return compress ? policy.compressing() : policy;
  }

  @Override
  protected int run(SessionStore store) {
    Retention.of(store).set(policy());
    RetentionRows.print(clew(), policy());
    return ExitCode.OK;
  }
}
