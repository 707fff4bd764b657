package dev.clew.server.internal.describe;

/**
 * What a person asks, without what a program has written before it. Stateless.
 *
 * <p>Open WebUI puts its instructions and the passages it has found in files or on the web before
 * the newest message, and sends that message without them from the next one on:
 *
 * <pre>{@code
 * ### Task:
 * Respond to the user query using the provided context, …
 * <context>
 * <source id="1" name="plan.pdf">…</source>
 * </context>
 *
 * When does it begin?
 * }</pre>
 */
public final class Question {
  private static final String BEGIN = "### Task:";
  private static final String END = "</context>";

  private Question() {}

  /** The question in a message; all of it if nothing is before it. */
  public static String in(String text) {
    int end = text.stripLeading().startsWith(BEGIN) ? text.lastIndexOf(END) : -1;
    String rest = end < 0 ? "" : text.substring(end + END.length());
    return rest.isBlank() ? text : rest.strip();
  }
}
