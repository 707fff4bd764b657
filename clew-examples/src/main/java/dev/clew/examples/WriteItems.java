package dev.clew.examples;

import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.Part;
import dev.clew.Role;
import dev.clew.Session;
import dev.clew.View;
import java.util.List;

/**
 * A history has more than messages: a turn with an image, a tool call and its output is stored as
 * one batch, all or nothing. Any other JSON object comes back exactly as it went in; {@code view()}
 * looks inside what Clew understands.
 */
public final class WriteItems {
  private WriteItems() {}

  static void addTurn(Session session) {
    Part image = Part.image("https://example.com/oslo.png", "low");
    session.addItems(
        List.of(
            Item.message(Role.USER, List.of(Part.inputText("How is it here?"), image)),
            Item.functionCall("call_1", "get_weather", "{\"city\":\"Oslo\"}"),
            Item.functionCallOutput("call_1", "4 degrees, rain"),
            Item.assistant("It rains at 4 degrees."),
            Item.parse("{\"type\":\"from_the_future\",\"n\":0.10}")));
  }

  static String describe(Item item) {
    View view = item.view();
    if (view instanceof View.Message message) {
      return message.role().wire() + ": " + message.text();
    } else if (view instanceof View.FunctionCall call) {
      return "calls " + call.name() + call.arguments();
    } else if (view instanceof View.FunctionCallOutput output) {
      return "is told " + output.text();
    }
    return "unknown: " + item.json();
  }

  /** Runs the example. */
  public static void main(String[] args) {
    Session session = new MemorySession();
    addTurn(session);
    session.getItems().forEach(item -> System.out.println(describe(item)));
  }
}
