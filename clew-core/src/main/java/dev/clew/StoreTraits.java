package dev.clew;

import java.util.Set;

/**
 * Properties of a store. Immutable.
 *
 * @param durability what an acknowledged write survives
 * @param capabilities its optional capabilities
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

  /** The same without some capabilities, for a decorator that removes them. */
  public StoreTraits without(Capability... lost) {
    Set<Capability> rest = new java.util.HashSet<>(capabilities);
    rest.removeAll(Set.of(lost));
    return new StoreTraits(durability, rest);
  }
}
