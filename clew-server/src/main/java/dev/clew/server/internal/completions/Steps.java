package dev.clew.server.internal.completions;

import dev.clew.Item;
import dev.clew.Part;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.json.Json;
import dev.clew.json.UncheckedJson;
import dev.clew.kit.Sha256;
import dev.clew.server.internal.describe.Question;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Items as the messages of a chat, each with a digest of what it says. Immutable. Consecutive items
 * of the assistant are one message, and every output of a tool is one.
 *
 * <p>The digest leaves out what clients change or add when they send a history back: ids of calls,
 * white space, the form of arguments, reasoning, passages of files before a {@link Question}.
 * Instructions (system messages) and empty messages of the assistant are in no step. So a history
 * has the same steps whether it is made from a session or from what a client sends.
 */
record Steps(List<Step> all) {
  /** The digest before the first step. */
  static final String START = brief("clew-chat-1");

  private static final int DIGEST_BYTES = 16;
  private static final Json.Limits ARGUMENTS = new Json.Limits(Integer.MAX_VALUE, 200);

  enum Kind {
    USER,
    ASSISTANT,
    TOOL
  }

  /**
   * One message. Immutable.
   *
   * @param from the index of its first item
   * @param to the index behind its last item
   */
  record Step(Kind kind, int from, int to, String digest) {}

  static Steps of(List<Item> items) {
    Reader reader = new Reader();
    for (int i = 0; i < items.size(); i++) {
      reader.add(i, items.get(i));
    }
    reader.endSpeech();
    return new Steps(List.copyOf(reader.steps));
  }

  int size() {
    return all.size();
  }

  Step get(int index) {
    return all.get(index);
  }

  /** The digest of a history that continues with some of these steps. */
  String chain(String before, int from, int to) {
    MessageDigest digest = Sha256.begin();
    byte[] chain = HexFormat.of().parseHex(before);
    for (int i = from; i < to; i++) {
      digest.update(chain, 0, DIGEST_BYTES);
      digest.update(all.get(i).digest().getBytes(StandardCharsets.ISO_8859_1));
      chain = digest.digest();
    }
    return HexFormat.of().formatHex(chain, 0, DIGEST_BYTES);
  }

  private static String brief(String text) {
    MessageDigest digest = Sha256.begin();
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest.digest(), 0, DIGEST_BYTES);
  }

  /** A text without differences that mean nothing. */
  static String loose(String text) {
    String composed =
        Normalizer.isNormalized(text, Normalizer.Form.NFC)
            ? text
            : Normalizer.normalize(text, Normalizer.Form.NFC);
    StringBuilder out = new StringBuilder(composed.length());
    boolean gap = false;
    for (int i = 0; i < composed.length(); i++) {
      char c = composed.charAt(i);
      if (Character.isWhitespace(c) || c == '\u00A0') {
        gap = true;
      } else {
        if (gap && out.length() > 0) {
          out.append(' ');
        }
        gap = false;
        out.append(c);
      }
    }
    return out.toString();
  }

  /** An answer without the reasoning and the tool calls that clients write into it. */
  static String withoutMarkup(String text) {
    String rest = without(text, "<think>", "</think>");
    rest = without(rest, "<details type=\"reasoning\"", "</details>");
    return without(rest, "<details type=\"tool_calls\"", "</details>");
  }

  private static String without(String text, String begin, String end) {
    int from = text.indexOf(begin);
    if (from < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    int done = 0;
    while (from >= 0) {
      int to = text.indexOf(end, from);
      if (to < 0) {
        break;
      }
      out.append(text, done, from);
      done = to + end.length();
      from = text.indexOf(begin, done);
    }
    return out.append(text, done, text.length()).toString();
  }

  /** Goes through items in order. Used once. */
  private static final class Reader {
    final List<Step> steps = new ArrayList<>();
    private final StringBuilder said = new StringBuilder();
    private final StringBuilder calls = new StringBuilder();
    private final StringBuilder seen = new StringBuilder();
    private final List<String> callIds = new ArrayList<>();
    private int first = -1;
    private int last;
    private boolean speaking;

    void add(int index, Item item) {
      View view = item.view();
      if (view instanceof View.Message message) {
        if (message.role() == Role.ASSISTANT) {
          speak(index);
          said.append(' ').append(message.text());
          attachments(message.content());
        } else if (message.role() == Role.USER) {
          endSpeech();
          attachments(message.content());
          end(Kind.USER, index, loose(Question.in(message.text())), "");
        }
      } else if (view instanceof View.FunctionCall call) {
        speak(index);
        call(call.callId(), call.name(), canonical(call.arguments()));
      } else if (view instanceof View.FunctionCallOutput output) {
        endSpeech();
        attachments(output.output());
        result(index, output.callId(), output.text());
      } else if (view instanceof View.Reasoning) {
        speak(index);
      } else if (item.type().equals("custom_tool_call")) {
        Map<String, String> fields = UncheckedJson.fields(item.json());
        speak(index);
        call(text(fields, "call_id"), text(fields, "name"), text(fields, "input"));
      } else if (item.type().equals("custom_tool_call_output")) {
        Map<String, String> fields = UncheckedJson.fields(item.json());
        endSpeech();
        result(index, text(fields, "call_id"), text(fields, "output"));
      }
    }

    private static String text(Map<String, String> fields, String name) {
      @Nullable String value = Json.string(fields.get(name));
      return value == null ? fields.getOrDefault(name, "") : value;
    }

    private void speak(int index) {
      if (!speaking) {
        speaking = true;
        first = index;
        callIds.clear();
      }
      last = index;
    }

    private void call(String id, String name, String arguments) {
      callIds.add(id);
      calls.append(Json.quote(name)).append(Json.quote(arguments));
    }

    private void result(int index, String callId, String text) {
      end(Kind.TOOL, index, loose(text), String.valueOf(callIds.lastIndexOf(callId)));
    }

    private void attachments(List<Part> parts) {
      for (Part part : parts) {
        if (part instanceof Part.Image image) {
          seen.append(Sha256.brief(image.url().or(image::fileId).orElse("")));
        } else if (!(part instanceof Part.Text) && !(part instanceof Part.Refusal)) {
          seen.append(Sha256.brief(part.json()));
        }
      }
    }

    /** The assistant is silent now. */
    void endSpeech() {
      if (!speaking) {
        return;
      }
      speaking = false;
      String text = loose(withoutMarkup(said.toString()));
      said.setLength(0);
      if (!text.isEmpty() || calls.length() > 0 || seen.length() > 0) {
        add(Kind.ASSISTANT, first, last + 1, text, calls.toString());
      }
      calls.setLength(0);
      seen.setLength(0);
    }

    private void end(Kind kind, int index, String text, String more) {
      add(kind, index, index + 1, text, more);
      seen.setLength(0);
    }

    private void add(Kind kind, int from, int to, String text, String more) {
      String digest = brief(kind + "\n" + Json.quote(text) + "\n" + seen + "\n" + more);
      steps.add(new Step(kind, from, to, digest));
    }
  }

  /** Arguments with sorted names and without white space; as they are if they are no JSON. */
  private static String canonical(String arguments) {
    try {
      Json.checkValue(arguments, ARGUMENTS);
      return Json.write(sorted(Json.read(arguments)));
    } catch (Json.Malformed | IllegalArgumentException e) {
      return arguments;
    }
  }

  private static @Nullable Object sorted(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> sorted = new TreeMap<>();
      map.forEach((name, each) -> sorted.put(String.valueOf(name), sorted(each)));
      return sorted;
    }
    if (value instanceof List<?> list) {
      List<Object> all = new ArrayList<>();
      list.forEach(each -> all.add(sorted(each)));
      return all;
    }
    return value;
  }
}
