package dev.clew.cli.keys;

import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.cli.command.Clew;
import dev.clew.cli.command.Consent;
import dev.clew.cli.command.StoreKeys;
import dev.clew.cli.terminal.ExitCode;
import dev.clew.cli.terminal.Failure;
import dev.clew.cli.terminal.Humanize;
import dev.clew.crypto.KeySource;
import dev.clew.crypto.MasterKeys;
import dev.clew.crypto.MasterKeys.MasterKey;
import dev.clew.crypto.Rotation;
import dev.clew.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * What the commands about keys do. Stateless. A class of its own, because all commands are loaded
 * whichever is called, and the code that encrypts should not be.
 */
final class KeyWork {
  private KeyWork() {}

  static int create(Clew clew) {
    Optional<KeySource> source = clew.keySpec().map(KeySource::of);
    if (source.isPresent() && source.get() instanceof KeySource.InFile file) {
      String id = newest(MasterKeys.create(file));
      clew.answer(
          new JsonObject().put("created", id).put("source", file.spec()),
          "created key " + id + " in " + file.path(),
          "keep a copy of that file elsewhere: without it nothing can be read");
    } else {
      clew.out().line(MasterKeys.create());
    }
    return ExitCode.OK;
  }

  static int list(Clew clew) {
    return with(
        clew,
        Opening.READ,
        (keys, rotation) -> {
          Map<String, Integer> uses = rotation.uses();
          if (clew.json) {
            List<JsonObject> rows =
                keys.keys().stream()
                    .map(
                        key ->
                            new JsonObject()
                                .put("id", key.id())
                                .put("newest", key.newest())
                                .put("wraps", uses.getOrDefault(key.id(), 0)))
                    .toList();
            clew.answer(new JsonObject().putAll("keys", rows));
            return;
          }
          for (MasterKey key : keys.keys()) {
            clew.out()
                .line(
                    key.id()
                        + "  wraps "
                        + uses.getOrDefault(key.id(), 0)
                        + (key.newest() ? "  newest" : ""));
            uses.remove(key.id());
          }
          uses.forEach(
              (id, count) ->
                  clew.out().line(id + "  wraps " + count + "  not in " + keys.source().spec()));
        });
  }

  static int rotate(Clew clew, boolean resume) {
    return with(
        clew,
        Opening.WRITE,
        (keys, rotation) -> {
          if (!resume) {
            Rotation.addKey(keys);
          }
          int count = rotation.rewrap();
          clew.answer(
              new JsonObject().put("newest", newest(keys)).put("wrapped", count),
              "wrapped " + Humanize.count(count, "key") + " with key " + newest(keys),
              "keep a copy of the key file; 'clew key retire' removes an old key once nothing"
                  + " needs it");
        });
  }

  static int retire(Clew clew, String id, Consent consent) {
    return with(
        clew,
        Opening.READ,
        (keys, rotation) -> {
          String spec = keys.source().spec();
          if (keys.keys().stream().noneMatch(key -> key.id().equals(id))) {
            throw Failure.notFound(
                "there is no key " + id + " in " + spec + "; see 'clew key list'");
          }
          rotation.requireUnused(id);
          consent.requireYesOrTerminal(
              clew, "other stores and backups may need key " + id + " of " + spec, "retire it");
          consent.ask(
              clew,
              String.format(
                  "Retire key %s? This store does not need it. Other stores and backups that use "
                      + "%s may.",
                  id, spec),
              "cancelled; the key was not retired");
          String kept = rotation.retire(id, Instant.now()).toString();
          clew.answer(
              new JsonObject().put("retired", id).put("kept", kept),
              "retired key " + id,
              String.format(
                  "kept the old keys in %s; 'clew key restore %s' restores it; delete "
                      + "the file when no other store or backup needs it",
                  kept, id));
        });
  }

  static int restore(Clew clew, String id) {
    MasterKeys keys = keys(clew);
    String from = keys.restore(id).toString();
    return clew.answer(
        new JsonObject().put("restored", id).put("from", from),
        "restored key " + id + " from " + from);
  }

  private static String newest(MasterKeys keys) {
    return keys.keys().stream().filter(MasterKey::newest).findFirst().orElseThrow().id();
  }

  private static int with(Clew clew, Opening opening, BiConsumer<MasterKeys, Rotation> work) {
    MasterKeys keys = keys(clew);
    try (SessionStore store = clew.openPlainStore(opening)) {
      work.accept(keys, new Rotation(store, keys));
    }
    return ExitCode.OK;
  }

  private static MasterKeys keys(Clew clew) {
    String spec =
        clew.keySpec()
            .orElseThrow(() -> Failure.usage("name the keys: --key file:PATH, or set CLEW_KEY"));
    return StoreKeys.Encrypted.keys(spec, "--key");
  }
}
