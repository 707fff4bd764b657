package dev.clew.demo;

import dev.clew.agent.ModelRequest;
import dev.clew.agent.ToolSpec;
import dev.clew.demo.Conversation.Result;
import dev.clew.demo.Conversation.Turn;
import dev.clew.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Calls tools that are not the schedule's: the one whose name or description shares words with the
 * sentence, with arguments that were said. Stateless.
 */
final class OtherTools {
  /** Words that say nothing about what a tool is for. */
  private static final Set<String> COMMON =
      Set.of(
          ("a an and any are as at be by call can current do does for from function get given has"
                  + " have how in is it its like me my no now of on or please returns some tell that"
                  + " the this to tool use user we what when where which who with you your")
              .split(" "));

  private static final Pattern WORD =
      Pattern.compile("\\p{IsHan}{2}|[\\p{L}&&[^\\p{IsHan}]]+|\\d+");
  private static final Pattern CAMEL = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

  private OtherTools() {}

  /** The next step, if it concerns one of these tools. */
  static Optional<Step> step(ModelRequest request, Conversation conversation, Voice voice) {
    List<Turn> turns = conversation.turns();
    if (turns.isEmpty()) {
      return Optional.empty();
    }
    Turn turn = turns.get(turns.size() - 1);
    if (!turn.results().isEmpty()) {
      Result last = turn.results().get(turn.results().size() - 1);
      return Tools.ALL.contains(last.tool())
          ? Optional.empty()
          : Optional.of(new Step.Say(voice.say("tool-said", last.tool(), last.output())));
    }
    String choice = String.valueOf(request.settings().get("tool_choice").orElse("auto"));
    List<ToolSpec> tools =
        request.tools().stream().filter(tool -> !Tools.ALL.contains(tool.name())).toList();
    if (tools.isEmpty() || choice.equals("none")) {
      return Optional.empty();
    }
    Optional<ToolSpec> named =
        tools.stream().filter(tool -> tool.name().equals(choice)).findFirst();
    boolean forced = named.isPresent() || choice.equals("required");
    return named
        .or(() -> best(tools, turn.user(), forced))
        .flatMap(tool -> call(tool, turns.stream().map(Turn::user).toList(), forced));
  }

  private static Optional<ToolSpec> best(List<ToolSpec> tools, String said, boolean forced) {
    Set<String> words = words(said);
    int most = forced ? -1 : 1; // one word of a description may be there by chance
    Optional<ToolSpec> best = Optional.empty();
    for (ToolSpec tool : tools) {
      Set<String> name = words(CAMEL.matcher(tool.name()).replaceAll(" "));
      Set<String> description = words(tool.description());
      name.retainAll(words);
      description.retainAll(words);
      int score = 2 * name.size() + description.stream().mapToInt(OtherTools::weight).sum();
      if (score > most) {
        most = score;
        best = Optional.of(tool);
      }
    }
    return best;
  }

  /**
   * Names of tools are never Chinese, so a Chinese word of a description counts as one of a name.
   */
  private static int weight(String word) {
    return isHan(word) ? 2 : 1;
  }

  private static boolean isHan(String word) {
    return Character.UnicodeScript.of(word.codePointAt(0)) == Character.UnicodeScript.HAN;
  }

  private static Set<String> words(String text) {
    Set<String> words = new HashSet<>();
    Matcher word = WORD.matcher(text.toLowerCase(Locale.ROOT));
    for (int from = 0; word.find(from); ) {
      words.add(word.group());
      from = isHan(word.group()) ? word.start() + 1 : word.end(); // Chinese has no spaces
    }
    words.removeAll(COMMON);
    return words;
  }

  private static Optional<Step> call(ToolSpec tool, List<String> said, boolean forced) {
    Map<String, Object> schema;
    try {
      schema = Json.readObject(tool.parameters());
    } catch (IllegalArgumentException e) { // nobody can call that
      return Optional.empty();
    }
    SaidArguments arguments = new SaidArguments(said);
    Map<String, ?> found = arguments.object(schema);
    return forced || arguments.complete()
        ? Optional.of(new Step.Use(List.of(new Step.Call(tool.name(), found))))
        : Optional.empty();
  }
}
