package dev.clew;

import dev.clew.Commit.RemoveItem;
import dev.clew.Commit.ReplaceItem;
import dev.clew.Commit.ReplacePrefix;
import dev.clew.Commit.ReplaceSuffix;
import dev.clew.Commit.Step;
import dev.clew.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A digest of what a commit does. Stateless. */
final class StepDigest {
  private StepDigest() {}

  static String of(Step step) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      String kind =
          step instanceof ReplacePrefix prefix
              ? "prefix " + prefix.upTo() + " " + prefix.drop()
              : step instanceof ReplaceItem item
                  ? "item " + item.position()
                  : step instanceof RemoveItem item
                      ? "remove " + item.position()
                      : step instanceof ReplaceSuffix ? "suffix" : "append";
      update(digest, kind);
      if (step instanceof ReplaceSuffix suffix) {
        suffix.expected().forEach(item -> update(digest, item.json()));
        update(digest, "");
      }
      for (Draft draft : step.drafts()) {
        update(digest, draft.item().json());
        update(digest, draft.notes().isEmpty() ? "" : Json.write(sorted(draft.notes())));
        draft.addedAt().ifPresent(time -> update(digest, time.toString()));
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /** The same value with all keys in order: {@code Map.of} has another order in each process. */
  private static @Nullable Object sorted(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> keys = new TreeMap<>();
      map.forEach((key, inner) -> keys.put(String.valueOf(key), sorted(inner)));
      return keys;
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> elements = new ArrayList<>(list.size());
      list.forEach(inner -> elements.add(sorted(inner)));
      return elements;
    }
    return value;
  }

  private static void update(MessageDigest digest, String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0); // no JSON text contains this byte, so texts cannot run together
  }
}
