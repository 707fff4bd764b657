package dev.clew.agent;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import dev.clew.Item;
import dev.clew.Part;
import dev.clew.View;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Counts the tokens of items as a model does, and remembers what it has counted. Thread-safe.
 *
 * <p>Text, tool calls and their outputs are counted exactly, with {@value #FRAME} tokens around
 * each item; a text of many thousand characters without a space, with a few tokens too many. What a
 * model does not read as text is estimated: an image as {@value #IMAGE} tokens, a file or a sound
 * as {@value #FILE}, and encrypted content as a quarter of its characters.
 */
public final class TokenCounter {
  /* Counts are cached under a hash of the item's text, because items as keys would keep whole
   * histories in memory. The hash is 64 bits with a secret seed, so nobody can provoke a collision. */

  static final int FRAME = 4;
  static final int IMAGE = 765;
  static final int FILE = 1000;
  private static final int REMEMBERED = 20_000;
  private static final int CHARACTERS_A_TOKEN = 4;

  /** The encoder needs a multiple of a word's length in memory, and a text may be one word. */
  static final int PIECE = 8192;

  private static final long SEED = ThreadLocalRandom.current().nextLong();
  private static final EncodingRegistry ENCODINGS = Encodings.newLazyEncodingRegistry();
  private static final Map<EncodingType, TokenCounter> COUNTERS = new ConcurrentHashMap<>();

  private final Encoding encoding;
  private final Map<Long, Integer> counts =
      new LinkedHashMap<>(256, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
          return size() > REMEMBERED;
        }
      };

  private TokenCounter(EncodingType type) {
    this.encoding = ENCODINGS.getEncoding(type);
  }

  /** The counter for a model; that of the newest OpenAI models if the name is not known. */
  public static TokenCounter forModel(String model) {
    return COUNTERS.computeIfAbsent(encodingOf(model), TokenCounter::new);
  }

  private static EncodingType encodingOf(String model) {
    return ENCODINGS
        .getEncodingForModel(model)
        .flatMap(encoding -> EncodingType.fromName(encoding.getName()))
        .orElse(EncodingType.O200K_BASE);
  }

  /** The tokens of an item. */
  public int count(Item item) {
    long key = hash(item.json());
    synchronized (counts) {
      Integer known = counts.get(key);
      if (known != null) {
        return known;
      }
    }
    int count = FRAME + countOf(item);
    synchronized (counts) {
      counts.put(key, count);
    }
    return count;
  }

  /** The tokens of items. */
  public long count(List<Item> items) {
    long sum = 0;
    for (Item item : items) {
      sum += count(item);
    }
    return sum;
  }

  private static long hash(String text) {
    long hash = SEED;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x9E3779B97F4A7C15L;
    }
    return hash ^ (hash >>> 32);
  }

  private int countOf(Item item) {
    View view = item.view();
    if (view instanceof View.Message message) {
      return parts(message.content());
    }
    if (view instanceof View.FunctionCall call) {
      return text(call.name()) + text(call.arguments());
    }
    if (view instanceof View.FunctionCallOutput output) {
      return parts(output.output());
    }
    if (view instanceof View.Reasoning reasoning) {
      return parts(reasoning.summary())
          + parts(reasoning.content())
          + reasoning.encryptedContent().map(TokenCounter::opaque).orElse(0);
    }
    if (view instanceof View.Compaction compaction) {
      return compaction.summary().map(this::text).orElse(0)
          + compaction.encryptedContent().map(TokenCounter::opaque).orElse(0);
    }
    return text(item.json());
  }

  private int parts(List<Part> parts) {
    int sum = 0;
    for (Part part : parts) {
      if (part instanceof Part.Text text) {
        sum += text(text.text());
      } else if (part instanceof Part.Refusal refusal) {
        sum += text(refusal.refusal());
      } else if (part instanceof Part.Image) {
        sum += IMAGE;
      } else if (part instanceof Part.Audio audio) {
        sum += audio.transcript().map(this::text).orElse(FILE);
      } else if (part instanceof Part.File) {
        sum += FILE;
      } else {
        sum += text(part.json());
      }
    }
    return sum;
  }

  /** The tokens of a text. */
  public int count(String text) {
    return text(text);
  }

  private int text(String text) {
    int sum = 0;
    int from = 0;
    while (text.length() - from > PIECE) {
      int end = cut(text, from);
      sum += encoding.countTokensOrdinary(text.substring(from, end));
      from = end;
    }
    return sum + encoding.countTokensOrdinary(text.substring(from));
  }

  /**
   * Where a piece ends: before spaces if there are any, since no token includes what is before
   * them.
   */
  private static int cut(String text, int from) {
    int most = from + PIECE;
    for (int end = most; end > from + PIECE / 2; end--) {
      if (text.charAt(end) == ' ' && !Character.isWhitespace(text.charAt(end - 1))) {
        return end;
      }
    }
    return Character.isSurrogatePair(text.charAt(most - 1), text.charAt(most)) ? most - 1 : most;
  }

  private static int opaque(String encrypted) {
    return encrypted.length() / CHARACTERS_A_TOKEN;
  }
}
