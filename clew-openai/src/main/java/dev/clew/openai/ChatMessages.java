package dev.clew.openai;

import dev.clew.Item;
import dev.clew.Part;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Items as the messages of Chat Completions. Used once, by one thread.
 *
 * <p>What a model says at once is several items here and one message there: its reasoning, its text
 * and its tool calls are gathered until another speaker follows. Pictures that a tool returned
 * follow as a message of the user, because there a tool may only return text.
 */
final class ChatMessages {
  private static final Logger LOG = LoggerFactory.getLogger(ChatMessages.class);

  private final List<String> messages = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder refusal = new StringBuilder();
  private final StringBuilder reasoning = new StringBuilder();
  private final List<String> toolCalls = new ArrayList<>();
  private final List<String> picturesOfTools = new ArrayList<>();
  private boolean spoke;

  private ChatMessages() {}

  static List<String> of(String instructions, List<Item> items) {
    ChatMessages all = new ChatMessages();
    if (!instructions.isEmpty()) {
      all.messages.add(message("system", Json.quote(instructions)));
    }
    int lastUser = lastUserMessage(items);
    for (int i = 0; i < items.size(); i++) {
      all.add(items.get(i), i > lastUser);
    }
    all.endSpeech();
    all.showPictures();
    return all.messages;
  }

  private static int lastUserMessage(List<Item> items) {
    for (int i = items.size() - 1; i >= 0; i--) {
      if (items.get(i).view() instanceof View.Message message && message.role() == Role.USER) {
        return i;
      }
    }
    return -1;
  }

  private void add(Item item, boolean inThisTurn) {
    View view = item.view();
    if (view instanceof View.Message message && message.role() == Role.ASSISTANT) {
      showPictures();
      spoke = true;
      message.content().forEach(this::say);
    } else if (view instanceof View.FunctionCall call) {
      showPictures();
      spoke = true;
      toolCalls.add(
          new JsonObject()
              .put("id", call.callId())
              .put("type", "function")
              .put(
                  "function",
                  new JsonObject().put("name", call.name()).put("arguments", call.arguments()))
              .json());
    } else if (view instanceof View.Reasoning thought) {
      // A model wants to see what it thought within a turn, and does not want to see the rest.
      if (inThisTurn) {
        thought.content().forEach(part -> reasoning.append(plain(part)));
      }
    } else if (view instanceof View.FunctionCallOutput output) {
      endSpeech();
      toolOutput(output);
    } else if (view instanceof View.Message message) {
      endSpeech();
      showPictures();
      // Local servers know the role of the developer under its older name.
      String role = message.role() == Role.USER ? "user" : "system";
      messages.add(message(role, content(message.content())));
    } else if (view instanceof View.Compaction compaction && compaction.summary().isPresent()) {
      endSpeech();
      showPictures();
      messages.add(
          message("system", Json.quote(ResponsesInput.summary(compaction.summary().get()))));
    } else {
      LOG.debug("an item of type '{}' cannot be said in Chat Completions; left out", item.type());
    }
  }

  private void say(Part part) {
    if (part instanceof Part.Refusal refused) {
      refusal.append(refused.refusal());
    } else {
      text.append(plain(part));
    }
  }

  /** Writes down what the model said until now. */
  private void endSpeech() {
    if (spoke) {
      JsonObject out = new JsonObject().put("role", "assistant");
      out.raw("content", text.length() == 0 ? "null" : Json.quote(text));
      if (refusal.length() > 0) {
        out.put("refusal", refusal.toString());
      }
      if (reasoning.length() > 0 && !toolCalls.isEmpty()) {
        out.put("reasoning_content", reasoning.toString());
      }
      if (!toolCalls.isEmpty()) {
        out.array("tool_calls", toolCalls);
      }
      messages.add(out.json());
    }
    spoke = false;
    text.setLength(0);
    refusal.setLength(0);
    reasoning.setLength(0);
    toolCalls.clear();
  }

  private void toolOutput(View.FunctionCallOutput output) {
    StringBuilder words = new StringBuilder();
    for (Part part : output.output()) {
      Optional<String> picture =
          part instanceof Part.Image image ? picture(image) : Optional.empty();
      picture.ifPresent(picturesOfTools::add);
      words.append(plain(part));
    }
    messages.add(
        new JsonObject()
            .put("role", "tool")
            .put("tool_call_id", output.callId())
            .put("content", words.toString())
            .json());
  }

  private void showPictures() {
    if (!picturesOfTools.isEmpty()) {
      messages.add(message("user", JsonObject.array(picturesOfTools)));
      picturesOfTools.clear();
    }
  }

  /** One text is sent as a text, because that is what every server understands. */
  private static String content(List<Part> parts) {
    return parts.size() == 1 && parts.get(0) instanceof Part.Text only
        ? Json.quote(only.text())
        : JsonObject.array(parts.stream().map(ChatMessages::part).toList());
  }

  private static String part(Part part) {
    if (part instanceof Part.Image image) {
      Optional<String> picture = picture(image);
      if (picture.isPresent()) {
        return picture.get();
      }
    } else if (part instanceof Part.Audio audio) {
      Optional<Media.Sound> sound = Media.sound(audio);
      if (sound.isPresent()) {
        return new JsonObject()
            .put("type", "input_audio")
            .raw("input_audio", sound.get().json())
            .json();
      }
    } else if (part instanceof Part.File file && file.url().isEmpty()) {
      Optional<String> text = Media.text(file);
      if (text.isPresent()) {
        return new JsonObject().put("type", "text").put("text", text.get()).json();
      }
      JsonObject out = ResponsesAnswer.without("type", file.json());
      return new JsonObject().put("type", "file").put("file", out).json();
    }
    return new JsonObject().put("type", "text").put("text", plain(part)).json();
  }

  private static Optional<String> picture(Part.Image image) {
    return image
        .url()
        .map(
            url -> {
              JsonObject address = new JsonObject().put("url", url);
              image.detail().ifPresent(detail -> address.put("detail", detail));
              return new JsonObject().put("type", "image_url").put("image_url", address).json();
            });
  }

  /** A part in words. */
  private static String plain(Part part) {
    if (part instanceof Part.Text words) {
      return words.text();
    } else if (part instanceof Part.Refusal refused) {
      return refused.refusal();
    } else if (part instanceof Part.Image image) {
      return Media.describe(image);
    } else if (part instanceof Part.Audio audio) {
      return Media.describe(audio);
    } else if (part instanceof Part.File file) {
      return Media.mention("file", file.filename().or(file::url).or(file::fileId));
    }
    return part.json();
  }

  private static String message(String role, String content) {
    return new JsonObject().put("role", role).raw("content", content).json();
  }
}
