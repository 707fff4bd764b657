package dev.clew.transcript;

import dev.clew.Item;
import dev.clew.Role;
import dev.clew.View;
import java.util.ArrayList;
import java.util.List;

/**
 * A conversation as messages to show to people. Stateless and thread-safe.
 *
 * <pre>{@code
 * for (Transcript.Message message : Transcript.messages(session.getItems(20))) {
 *   System.out.println(message.role().wire() + ": " + message.content());
 * }
 * }</pre>
 */
public final class Transcript {
  private static final int LONGEST_RESULT = 100;

  private Transcript() {}

  /**
   * One message. Immutable.
   *
   * @param role who it is from; notes about tools are from the system
   * @param content its text
   */
  public record Message(Role role, String content) {}

  /**
   * The messages of a history, oldest first: the text parts of each message joined, a tool call as
   * {@code [tool call: name]}, a tool's result as {@code [tool result: …]} on one line with at most
   * 100 characters of it and {@code ...} if there were more. Reasoning, compactions and whatever
   * else is no part of what was said are left out.
   */
  public static List<Message> messages(List<Item> items) {
    List<Message> messages = new ArrayList<>(items.size());
    for (Item item : items) {
      View view = item.view();
      if (view instanceof View.Message message) {
        messages.add(new Message(message.role(), message.text()));
      } else if (view instanceof View.FunctionCall call) {
        messages.add(note("tool call", oneLine(call.name())));
      } else if (view instanceof View.FunctionCallOutput output) {
        messages.add(note("tool result", oneLine(cut(output.text()))));
      }
    }
    return List.copyOf(messages);
  }

  private static Message note(String what, String text) {
    return new Message(Role.SYSTEM, "[" + what + ": " + text + "]");
  }

  /** Counts code points, so that no character is cut in half. */
  private static String cut(String text) {
    if (text.length() <= LONGEST_RESULT
        || text.codePointCount(0, text.length()) <= LONGEST_RESULT) {
      return text;
    }
    return text.substring(0, text.offsetByCodePoints(0, LONGEST_RESULT)) + "...";
  }

  /** One char for one char: line ends, tabs and other control characters become spaces. */
  private static String oneLine(String text) {
    StringBuilder line = new StringBuilder(text);
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
        line.setCharAt(i, ' ');
      }
    }
    return line.toString();
  }
}
