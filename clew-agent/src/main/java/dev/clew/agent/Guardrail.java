package dev.clew.agent;

import dev.clew.Item;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A check that can stop a run: of what the user said, or of what the model is about to say.
 * Thread-safe if its check is.
 *
 * <pre>{@code
 * Guardrail.of("no homework", (context, items) ->
 *     asksForHomework(items) ? Optional.of("no homework here") : Optional.empty())
 * }</pre>
 */
public final class Guardrail {

  /** Looks at items; the reason to stop, or nothing. */
  @FunctionalInterface
  public interface Check {
    /** The reason to stop, or nothing. */
    Optional<String> reasonToStop(RunContext context, List<Item> items);
  }

  private final String name;
  private final Check check;

  private Guardrail(String name, Check check) {
    this.name = name;
    this.check = check;
  }

  /** A named check. */
  public static Guardrail of(String name, Check check) {
    return new Guardrail(Objects.requireNonNull(name), Objects.requireNonNull(check));
  }

  /**
   * Whether an item bears the mark of a guardrail that stopped it. In a session of a store the mark
   * is a note of the item instead.
   */
  public static boolean hasStopped(Item item) {
    return HiddenItems.isMarked(item);
  }

  /** What it is called. */
  public String name() {
    return name;
  }

  Optional<String> check(RunContext context, List<Item> items) {
    return check.reasonToStop(context, items);
  }
}
