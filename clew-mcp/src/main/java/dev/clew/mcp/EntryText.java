package dev.clew.mcp;

import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.Part;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.json.JsonObject;
import java.util.List;
import java.util.Optional;

/** An entry as text for a model. Stateless. */
final class EntryText {
  private static final int LONGEST_NAME = 200;

  private EntryText() {}

  /** Position, time, and who says what, without the text. */
  static JsonObject head(Entry entry) {
    JsonObject json =
        new JsonObject()
            .put("position", entry.position())
            .put("at", entry.addedAt().toString())
            .put("kind", kind(entry.item()));
    View view = entry.item().view();
    if (view instanceof View.Message message) {
      json.put("role", message.role().wire());
    } else if (view instanceof View.FunctionCall call) {
      json.put("tool", name(call));
    }
    if (entry.compacted()) {
      json.put("compacted", true);
    }
    return json;
  }

  /** What sort of item it is. */
  static String kind(Item item) {
    View view = item.view();
    if (view instanceof View.Message) {
      return "message";
    }
    if (view instanceof View.FunctionCall) {
      return "tool_call";
    }
    if (view instanceof View.FunctionCallOutput) {
      return "tool_output";
    }
    if (view instanceof View.Reasoning) {
      return "reasoning";
    }
    return view instanceof View.Compaction ? "summary" : "other";
  }

  /** Who says it. */
  static String speaker(Item item) {
    View view = item.view();
    if (view instanceof View.Message message) {
      return message.role().wire();
    }
    return view instanceof View.FunctionCall call ? "tool call " + name(call) : kind(item);
  }

  /** The tool that is called; the name in an item may be of any length. */
  static String name(View.FunctionCall call) {
    return start(call.name(), LONGEST_NAME);
  }

  /** What it says, in full. */
  static String of(Item item) {
    View view = item.view();
    if (view instanceof View.Message message) {
      return text(message.content());
    }
    if (view instanceof View.FunctionCall call) {
      return call.arguments();
    }
    if (view instanceof View.FunctionCallOutput output) {
      return text(output.output());
    }
    if (view instanceof View.Reasoning reasoning) {
      return reasoning.text();
    }
    if (view instanceof View.Compaction compaction) {
      return compaction.summary().orElse("");
    }
    return item.json();
  }

  private static String text(List<Part> parts) {
    StringBuilder out = new StringBuilder();
    for (Part part : parts) {
      if (part instanceof Part.Text text) {
        out.append(text.text());
      } else if (part instanceof Part.Refusal refusal) {
        out.append(refusal.refusal());
      } else if (part instanceof Part.Image) {
        out.append("[image]");
      } else if (part instanceof Part.Audio audio) {
        out.append(audio.transcript().orElse("[audio]"));
      } else if (part instanceof Part.File file) {
        out.append("[file").append(file.filename().map(name -> " " + name).orElse("")).append(']');
      } else {
        out.append('[').append(part.type()).append(']');
      }
    }
    return out.toString();
  }

  /** The start of a text, without half characters. */
  static String start(String text, int most) {
    return slice(text, 0, most);
  }

  /** A piece of a text, which may begin and end one char earlier so that no character is halved. */
  static String slice(String text, int from, int most) {
    int begin = whole(text, Math.min(from, text.length()));
    int end = whole(text, (int) Math.min((long) begin + most, text.length()));
    return text.substring(begin, end);
  }

  private static int whole(String text, int at) {
    boolean inside =
        at > 0
            && at < text.length()
            && Character.isHighSurrogate(text.charAt(at - 1))
            && Character.isLowSurrogate(text.charAt(at));
    return inside ? at - 1 : at;
  }

  /** The first line of what a person said first. */
  static Optional<String> title(List<Item> items) {
    return items.stream()
        .filter(item -> item.view() instanceof View.Message m && m.role() == Role.USER)
        .map(EntryText::of)
        .map(text -> start(text.strip().lines().findFirst().orElse(""), 80))
        .filter(line -> !line.isEmpty())
        .findFirst();
  }
}
