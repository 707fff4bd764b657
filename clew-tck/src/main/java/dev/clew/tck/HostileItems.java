package dev.clew.tck;

import dev.clew.Item;
import dev.clew.ItemLimits;
import java.util.List;

/** JSON texts that careless stores change, lose or choke on. Stateless. */
final class HostileItems {
  private HostileItems() {}

  /** Items whose text has to come back exactly. */
  static List<Item> all() {
    return texts().stream().map(text -> Item.parse(text, ItemLimits.STORE)).toList();
  }

  /** An object nested to this depth. */
  static String nested(int depth) {
    return "{\"type\":\"deep\",\"a\":" + "[".repeat(depth - 1) + "]".repeat(depth - 1) + "}";
  }

  static List<String> texts() {
    return List.of(
        KEY_ORDER,
        "{\"type\":\"message\",\"role\":\"user\",\"content\":\"\"}",
        "{}",
        "{\"\":\"empty key\"}",
        "{\"type\":\"never_heard_of\",\"payload\":{\"nested\":[1,[2,[3,{}]]]},\"flag\":null}",
        "{\"role\":\"user\",\"content\":\"short form\",\"x_private\":{\"b\":1,\"a\":2}}",
        NUMBERS,
        ESCAPES,
        "{\"content\":\"a NUL as an escape: \\u0000 and more after it\"}",
        "{\"content\":\"lone surrogates as escapes: \\ud83d and \\udc00 and \\uDC00\\uD83D\"}",
        "{\"content\":\"a pair as escapes: \\ud83d\\ude00, the same raw: 😀\"}",
        "{\"content\":\"family: 👨‍👩‍👧‍👦, flag: 🇯🇵, last plane: \uDBFF\uDFFD\"}",
        "{\"content\":\"right to left: שלום עולם, مرحبا \u202Eoverride\u202C\"}",
        "{\"content\":\"composed é, decomposed e\u0301, Chinese 你好, Korean 한국어\"}",
        "{\"content\":\"separators \u2028\u2029, byte order mark \uFEFF, replacement \uFFFD\"}",
        "{\"content\":\"' OR 1=1; DROP TABLE agent_messages; -- ` %s %d $1 ? :a @b \\\\\"}",
        "{\"content\":\"line one\\nline two\\r\\ntabbed\\there\"}",
        "{\"content\":\"NaN, Infinity, null, true\",\"NaN\":\"NaN\"}",
        "{\"id\":\"msg_1\",\"position\":7,\"created_at\":\"then\",\"session_id\":\"other\"}",
        nested(190),
        "{\"content\":\"" + "long ".repeat(180_000) + "\"}");
  }

  static final String KEY_ORDER =
      "{\"zeta\":1,\"alpha\":{\"y\":1,\"x\":2},\"type\":\"message\",\"role\":\"user\","
          + "\"content\":\"keys in my order\",\"beta\":[]}";

  static final String NUMBERS =
      "{\"price\":0.10,\"huge\":1e400,\"tiny\":-1E-400,\"zero\":-0,\"zeroes\":-0.000,\"plus\":1e+5,"
          + "\"digits\":123456789012345678901234567890,\"long\":9007199254740993,"
          + "\"many\":0.1234567890123456789012345678901234567890}";

  static final String ESCAPES =
      "{\"content\":\"\\u00e9 \\u4e2D \\/ / \\\" \\b \\f \\u001f \\u003c\",\"\\u006bey\":1}";
}
