package dev.clew.examples;

import dev.clew.SessionStore;
import dev.clew.Stores;
import java.nio.file.Path;
import java.util.List;

/**
 * Where sessions are kept is one URL, best out of a configuration. The code that uses them is the
 * same for all stores, and what they promise is too.
 */
public final class SwapStores {
  private SwapStores() {}

  static List<String> talk(String url) {
    try (SessionStore store = Stores.open(url)) {
      return BasicSession.talk(store.session("chat"));
    }
  }

  static List<String> urls(Path folder) {
    return List.of(
        "memory:",
        "sqlite::memory:",
        "sqlite:" + folder.resolve("conversations.db"),
        "jsonl:" + folder.resolve("sessions"));
  }

  /** Runs the example. */
  public static void main(String[] args) {
    for (String url : urls(Path.of(args.length > 0 ? args[0] : "swapped"))) {
      String scheme = url.substring(0, url.indexOf(':'));
      System.out.println(scheme + ": " + talk(url).get(1));
    }
  }
}
