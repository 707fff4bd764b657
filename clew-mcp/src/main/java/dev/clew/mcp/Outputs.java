package dev.clew.mcp;

/** The JSON Schemas of what the tools return. Stateless. */
final class Outputs {
  private static final String TEXT = "{\"type\":\"string\"}";
  private static final String WHOLE = "{\"type\":\"integer\"}";
  private static final String FLAG = "{\"type\":\"boolean\"}";
  private static final String TEXT_OR_NULL = "{\"type\":[\"string\",\"null\"]}";
  private static final String WHOLE_OR_NULL = "{\"type\":[\"integer\",\"null\"]}";

  /** How to get the rest, in a sentence. */
  private static final String MORE = ",\"more\":" + TEXT;

  private static final String HEAD =
      "\"position\":"
          + WHOLE
          + ",\"at\":"
          + TEXT
          + ",\"kind\":"
          + TEXT
          + ",\"role\":"
          + TEXT
          + ",\"tool\":"
          + TEXT
          + ",\"compacted\":"
          + FLAG
          + ",\"text\":"
          + TEXT
          + ",\"chars\":"
          + WHOLE;

  private static final String SUMMARY =
      "\"session_id\":"
          + TEXT
          + ",\"title\":"
          + TEXT
          + ",\"created_at\":"
          + TEXT
          + ",\"updated_at\":"
          + TEXT
          + ",\"items\":"
          + WHOLE
          + ",\"tags\":"
          + array(TEXT);

  static final String SEARCH =
      object(
          "\"notice\":"
              + TEXT
              + ",\"hits\":"
              + array(
                  object(
                      "\"session_id\":"
                          + TEXT
                          + ",\"title\":"
                          + TEXT
                          + ",\"position\":"
                          + WHOLE
                          + ",\"at\":"
                          + TEXT
                          + ",\"snippet\":"
                          + TEXT,
                      "session_id",
                      "position",
                      "snippet"))
              + ",\"partial\":"
              + FLAG
              + ",\"next_cursor\":"
              + TEXT_OR_NULL
              + MORE,
          "hits",
          "next_cursor");

  static final String LIST =
      object(
          "\"notice\":"
              + TEXT
              + ",\"conversations\":"
              + array(object(SUMMARY, "session_id"))
              + ",\"next_cursor\":"
              + TEXT_OR_NULL
              + MORE,
          "conversations",
          "next_cursor");

  static final String READ =
      object(
          "\"notice\":"
              + TEXT
              + ",\"session_id\":"
              + TEXT
              + ",\"title\":"
              + TEXT
              + ",\"items\":"
              + WHOLE
              + ",\"entries\":"
              + array(
                  object(
                      HEAD + ",\"item\":{\"type\":\"object\"},\"cut\":" + FLAG, "position", "kind"))
              + ",\"older\":"
              + WHOLE_OR_NULL
              + ",\"newer\":"
              + WHOLE_OR_NULL
              + MORE,
          "session_id",
          "entries",
          "older",
          "newer");

  static final String ENTRY =
      object(
          "\"notice\":" + TEXT + "," + HEAD + ",\"next_offset\":" + WHOLE_OR_NULL + MORE,
          "position",
          "text",
          "next_offset");

  static final String DESCRIBE =
      object(
          SUMMARY
              + ",\"notice\":"
              + TEXT
              + ",\"bytes\":"
              + WHOLE
              + ",\"archived\":"
              + FLAG
              + ",\"pinned\":"
              + FLAG
              + ",\"messages\":"
              + WHOLE
              + ",\"tool_calls\":"
              + "{\"type\":\"object\",\"additionalProperties\":"
              + WHOLE
              + "},\"counted\":"
              + WHOLE
              + ",\"first_question\":"
              + TEXT_OR_NULL
              + ",\"newest_answer\":"
              + TEXT_OR_NULL
              + ",\"expires_at\":"
              + TEXT
              + ",\"forked_from\":"
              + object("\"session_id\":" + TEXT + ",\"position\":" + WHOLE, "session_id"),
          "session_id",
          "items");

  static final String ADDED =
      object("\"session_id\":" + TEXT + ",\"position\":" + WHOLE, "session_id", "position");

  static final String CHANGED = object(SUMMARY, "session_id");

  private Outputs() {}

  private static String array(String items) {
    return "{\"type\":\"array\",\"items\":" + items + "}";
  }

  private static String object(String properties, String... required) {
    return "{\"type\":\"object\",\"properties\":{"
        + properties
        + "},\"required\":[\""
        + String.join("\",\"", required)
        + "\"]}";
  }
}
