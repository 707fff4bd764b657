package dev.clew.adapter;

import dev.clew.Draft;
import dev.clew.Entry;
import dev.clew.Item;
import dev.clew.ItemLimits;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes messages as groups of items that can be told apart again, and reads groups that others
 * wrote. Thread-safe.
 *
 * @param <M> the framework's type of messages
 */
public final class MessageFrame<M> {
  private static final Logger LOG = LoggerFactory.getLogger(MessageFrame.class);
  private static final String SUMMARY = "Summary of the conversation so far:\n\n";

  private final MessageCodec<M> codec;
  private final String framework;
  private volatile boolean warned;

  /** Groups of this codec's messages. */
  public MessageFrame(MessageCodec<M> codec) {
    this.codec = codec;
    this.framework = codec.framework();
  }

  /** What to append for a message. */
  public List<Draft> drafts(M message) {
    String whole = codec.write(message);
    Encoded encoded = codec.encode(message);
    if (encoded.items().isEmpty()) {
      String own = new JsonObject().put("type", ownType()).raw("message", whole).toString();
      return List.of(Draft.of(Item.parse(own, ItemLimits.STORE)));
    }
    List<Item> items = encoded.items();
    boolean kept = comesBack(encoded, whole);
    List<Draft> drafts = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      Map<String, Object> note = new LinkedHashMap<>();
      if (i > 0) {
        note.put(FrameNote.INDEX, i);
      } else {
        if (items.size() > 1 || mayJoin(items.get(0))) {
          note.put(FrameNote.COUNT, items.size());
        }
        if (kept) {
          encoded.rest().ifPresent(rest -> note.put(FrameNote.REST, rest));
        } else {
          note.put(FrameNote.COUNT, items.size());
          note.put(FrameNote.RAW, whole);
        }
        if (!note.isEmpty()) {
          note.put(FrameNote.COUNT, items.size());
        }
      }
      drafts.add(new Draft(items.get(i), note.isEmpty() ? Map.of() : Map.of(framework, note)));
    }
    return drafts;
  }

  /** What takes the place of a message with so many items; the note has the whole message. */
  List<Draft> replacement(M message, int most) {
    List<Draft> drafts = drafts(message);
    int count = Math.min(most, drafts.size());
    List<Draft> first = new ArrayList<>(drafts.subList(0, count));
    if (!drafts.get(0).item().type().equals(ownType())) {
      Map<String, Object> note =
          Map.of(FrameNote.COUNT, count, FrameNote.RAW, codec.write(message));
      first.set(0, new Draft(drafts.get(0).item(), Map.of(framework, note)));
    }
    return first;
  }

  private String ownType() {
    return framework + "_message";
  }

  private boolean comesBack(Encoded encoded, String whole) {
    try {
      return codec
          .decode(encoded, ToolNames.NONE)
          .map(message -> codec.write(message).equals(whole))
          .orElse(false);
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Whether this item and a neighbour could be taken for one message. */
  private boolean mayJoin(Item item) {
    return switch (item.type()) {
      case "message" -> isAssistant(item);
      case "function_call", "reasoning" -> true;
      case "function_call_output" -> codec.joinsResults();
      default -> false;
    };
  }

  private static boolean isAssistant(Item item) {
    return item.view() instanceof View.Message message && message.role() == Role.ASSISTANT;
  }

  /** The messages of these entries. */
  public List<Framed<M>> messages(List<Entry> entries) {
    return messages(entries, position -> null);
  }

  /**
   * The messages of these entries.
   *
   * @param known finds a message that was read before, by its first position
   */
  List<Framed<M>> messages(List<Entry> entries, LongFunction<@Nullable Framed<M>> known) {
    List<Framed<M>> messages = new ArrayList<>();
    ToolNames tools = toolNames(entries);
    for (int i = 0; i < entries.size(); ) {
      Framed<M> before = known.apply(entries.get(i).position());
      if (before != null && before.isAt(entries, i)) {
        messages.add(before);
        i += before.entries().size();
        continue;
      }
      FrameNote note = FrameNote.of(framework, entries.get(i).notes());
      int size = ownGroup(entries, i, note);
      boolean own = size > 0;
      if (!own) {
        size = foreignGroup(entries, i);
      }
      List<Entry> group = entries.subList(i, i + size);
      i += size;
      boolean closed = own || i < entries.size() || stage(group.get(0).item()) == 0;
      List<Entry> mine = List.copyOf(group);
      (own ? ownMessage(mine, note, tools) : foreignMessage(mine, tools))
          .ifPresent(message -> messages.add(new Framed<>(message, mine, closed)));
    }
    return messages;
  }

  /** How many entries the message has that begins here with our note; 0 if it is not whole. */
  private int ownGroup(List<Entry> entries, int start, FrameNote note) {
    int size = note.count().orElse(0);
    if (size == 0 || start + size > entries.size()) {
      return 0;
    }
    for (int i = 1; i < size; i++) {
      if (FrameNote.of(framework, entries.get(start + i).notes()).index().orElse(0) != i) {
        return 0;
      }
    }
    return size;
  }

  private Optional<M> ownMessage(List<Entry> group, FrameNote note, ToolNames tools) {
    Encoded encoded = new Encoded(group.stream().map(Entry::item).toList(), note.rest());
    try {
      return note.raw().isPresent()
          ? Optional.of(codec.read(note.raw().get()))
          : codec.decode(encoded, tools);
    } catch (RuntimeException e) {
      warn(group.get(0), e);
      return decoded(new Encoded(encoded.items(), Optional.empty()), group, tools);
    }
  }

  /** How many of the entries from here on are one message, judged by their types. */
  private int foreignGroup(List<Entry> entries, int start) {
    int stage = stage(entries.get(start).item());
    int end = start + 1;
    while (end < entries.size()
        && stage > 0
        && codec.foreignRest(entries.get(end - 1).notes()).isEmpty()
        && beginsNothing(entries.get(end))) {
      int next = stage(entries.get(end).item());
      // Reasoning, text and calls follow each other in one answer; only calls and results repeat.
      if (next == 0
          || next < stage
          || (next == stage && stage < 3)
          || (stage == 4) != (next == 4)) {
        break;
      }
      stage = next;
      end++;
    }
    return end - start;
  }

  private boolean beginsNothing(Entry entry) {
    return FrameNote.of(framework, entry.notes()).count().isEmpty();
  }

  /** 1 reasoning, 2 an answer's text, 3 a call, 4 a result that joins others, 0 anything else. */
  private int stage(Item item) {
    return switch (item.type()) {
      case "reasoning" -> 1;
      case "message" -> isAssistant(item) ? 2 : 0;
      case "function_call" -> 3;
      case "function_call_output" -> codec.joinsResults() ? 4 : 0;
      default -> 0;
    };
  }

  private Optional<M> foreignMessage(List<Entry> group, ToolNames tools) {
    Item item = group.get(0).item();
    if (item.type().equals(ownType())) {
      try {
        String whole = Json.fields(item.json()).get("message");
        return whole == null ? Optional.empty() : Optional.of(codec.read(whole));
      } catch (RuntimeException e) {
        warn(group.get(0), e);
        return Optional.empty();
      }
    }
    if (item.view() instanceof View.Compaction compaction) {
      return compaction
          .summary()
          .flatMap(
              summary -> decoded(Encoded.of(Item.user(SUMMARY + summary)), group, ToolNames.NONE));
    }
    List<Item> items = group.stream().map(Entry::item).toList();
    Optional<String> rest = codec.foreignRest(group.get(group.size() - 1).notes());
    if (rest.isPresent()) {
      try {
        return codec.decode(new Encoded(items, rest), tools);
      } catch (RuntimeException e) {
        warn(group.get(0), e);
      }
    }
    return decoded(new Encoded(items, Optional.empty()), group, tools);
  }

  private Optional<M> decoded(Encoded encoded, List<Entry> group, ToolNames tools) {
    try {
      return codec.decode(encoded, tools);
    } catch (RuntimeException e) {
      warn(group.get(0), e);
      return Optional.empty();
    }
  }

  private void warn(Entry entry, RuntimeException e) {
    if (!warned) {
      warned = true;
      LOG.warn(
          "what {} noted at position {} cannot be read, perhaps because a newer version wrote it;"
              + " the items are used alone; further cases are not logged",
          framework,
          entry.position(),
          e);
    }
  }

  private static ToolNames toolNames(List<Entry> entries) {
    Map<String, String> names = new HashMap<>();
    boolean[] filled = {false};
    return callId -> {
      if (!filled[0]) {
        filled[0] = true;
        for (Entry entry : entries) {
          if (entry.item().type().equals("function_call")
              && entry.item().view() instanceof View.FunctionCall call) {
            names.put(call.callId(), call.name());
          }
        }
      }
      return Optional.ofNullable(names.get(callId));
    };
  }
}
