package dev.clew.cli;

import dev.clew.testservers.PostgresServer;
import dev.clew.testservers.RedisServer;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;

/** Stores of each kind. Stateless. */
public final class TestStores {
  private TestStores() {}

  /** The URL of an empty store of each kind; a new kind of store is one more line here. */
  public static Map<String, Supplier<String>> kinds(Path folder) {
    return new TreeMap<>(
        Map.of(
            "memory", () -> "memory:",
            "jsonl", () -> "jsonl:" + folder.resolve(UUID.randomUUID().toString()),
            "sqlite", () -> "sqlite:" + folder.resolve(UUID.randomUUID() + ".db"),
            "postgres", () -> PostgresServer.shared().newUrl(),
            "redis", () -> RedisServer.shared().newUrl()));
  }
}
