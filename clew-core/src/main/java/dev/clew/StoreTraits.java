package dev.clew;

import java.util.Set;

/**
 * What can be said of a store as a whole. Immutable.
 *
 * @param durability what an acknowledged write survives
 * @param capabilities what it can do that not every store can
 */
public record StoreTraits(Durability durability, Set<Capability> capabilities) {
  /** Makes the set unmodifiable. */
  public StoreTraits {
    capabilities = Set.copyOf(capabilities);
  }

  /** Whether the store has a capability. */
  public boolean has(Capability capability) {
    return capabilities.contains(capability);
  }

  /** The same without some capabilities, for a decorator that takes them away. */
  public StoreTraits without(Capability... lost) {
    Set<Capability> rest = new java.util.HashSet<>(capabilities);
    rest.removeAll(Set.of(lost));
    return new StoreTraits(durability, rest);
  }
}
