package dev.clew.kit;

import dev.clew.ItemLimits;
import dev.clew.SessionKey;
import dev.clew.json.Json;
import dev.clew.json.JsonText;

/** Checks the arguments of {@link dev.clew.Documents}, the same for every store. Stateless. */
public final class DocumentRules {
  private static final int MAX_NAME = 512;
  private static final int MAX_PAGE = 1000;

  private DocumentRules() {}

  /** Checks owner and name of a document. */
  public static void checkName(String owner, String name) {
    SessionKey.checkOwner(owner);
    if (name.isEmpty() || name.length() > MAX_NAME) {
      throw new IllegalArgumentException(
          "a document's name has 1 to " + MAX_NAME + " characters, not " + name.length());
    }
    for (int i = 0; i < name.length(); i++) {
      if (Character.isISOControl(name.charAt(i)) || JsonText.isUnpairedSurrogate(name, i)) {
        throw new IllegalArgumentException(
            "a document's name has a control character or an unpaired surrogate at index " + i);
      }
    }
  }

  /** Checks the text of a document. */
  public static void checkJson(String name, String json) {
    try {
      Json.checkValue(json, ItemLimits.STORE.json());
    } catch (Json.Malformed e) {
      throw new IllegalArgumentException(
          "document '" + name + "' is not valid JSON: " + e.getMessage(), e);
    }
  }

  /** Checks the size of a page. */
  public static void checkLimit(int limit) {
    if (limit < 1 || limit > MAX_PAGE) {
      throw new IllegalArgumentException("limit is " + limit + "; it must be 1 to " + MAX_PAGE);
    }
  }
}
