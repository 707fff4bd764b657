package dev.clew.demo;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.Part;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.ToolSpec;
import dev.clew.json.Json;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An offline demonstration model: a small grammar in English, Chinese, German and Spanish that
 * drives a schedule assistant, without a key and without a network. Immutable and thread-safe.
 *
 * <pre>{@code
 * Runner runner = Runner.with(new OfflineModel());
 * Agent agent = ScheduleAssistant.agent(Clock.systemUTC(), ZoneId.of("Asia/Shanghai"));
 * runner.run(agent, "下周三下午2点开会", session);
 * runner.run(agent, "改成下午3点", session);        // changes that event
 * }</pre>
 *
 * <p>Like any model it knows only the request: the time from the instructions, what "it" means from
 * the conversation, and the schedule from the tools. It calls any other function whose name or
 * description shares words with the sentence, with arguments that were said. The same request
 * always gets the same answer, except for the ids of tool calls. It makes nothing up: outside its
 * grammar it says so.
 */
public final class OfflineModel implements Model {
  /** How instructions tell the time; {@link ScheduleAssistant} writes it so. */
  private static final Pattern NOW = Pattern.compile("\\b\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}\\b");

  private static final Pattern WORDS =
      Pattern.compile("\\p{IsHan}{1,2}[，。！？、：；”）]*|[^\\s\\p{IsHan}]+\\s*|\\s+");

  private final Duration pace;
  private final Supplier<String> callIds;

  /** A model that answers at once. */
  public OfflineModel() {
    this(Duration.ZERO, () -> "call_" + UUID.randomUUID().toString().replace("-", ""));
  }

  OfflineModel(Duration pace, Supplier<String> callIds) {
    this.pace = pace;
    this.callIds = callIds;
  }

  /** A model that takes this long for each word it streams, as models do. */
  public OfflineModel paced(Duration perWord) {
    return new OfflineModel(Objects.requireNonNull(perWord, "perWord"), callIds);
  }

  @Override
  public ModelResponse respond(ModelRequest request) {
    Optional<String> excerpt = Excerpt.of(request);
    if (excerpt.isPresent()) {
      return ModelResponse.of(Item.assistant(excerpt.get()));
    }
    Step step = step(request);
    if (step instanceof Step.Use use) {
      return ModelResponse.of(
          use.calls().stream()
              .map(to -> Item.functionCall(callIds.get(), to.tool(), Json.write(to.arguments())))
              .toArray(Item[]::new));
    }
    String text = step instanceof Step.Say say ? say.text() : ((Step.Ask) step).text();
    return ModelResponse.of(Item.assistant(honestly(request, text)));
  }

  /** The answer, after a note about attachments that were ignored. */
  private static String honestly(ModelRequest request, String answer) {
    List<Item> input = request.input();
    for (int i = input.size() - 1; i >= 0; i--) {
      if (input.get(i).view() instanceof View.Message message && message.role() == Role.USER) {
        if (message.content().stream().allMatch(Part.Text.class::isInstance)) {
          return answer;
        }
        String note = Dialogue.languageOf(Conversation.of(input)).voice().say("cannot-see");
        return message.text().isBlank() ? note : note + "\n\n" + answer;
      }
    }
    return answer;
  }

  private static Step step(ModelRequest request) {
    Conversation conversation = Conversation.of(request.input());
    Matcher given = NOW.matcher(request.instructions());
    boolean knowsTime = given.find();
    // Without the time any will do: nothing that depends on it is done.
    LocalDateTime now = LocalDateTime.parse(knowsTime ? given.group() : "2000-01-01T00:00");
    Step step = new Dialogue(conversation, now).next();
    Voice voice = Dialogue.languageOf(conversation).voice();
    Set<String> tools = tools(request);
    if (!(step instanceof Step.Use use)
        || !use.calls().stream().map(Step.Call::tool).allMatch(tools::contains)) {
      Optional<Step> other = OtherTools.step(request, conversation, voice);
      if (other.isPresent()) {
        return other.get();
      }
    }
    if (!(step instanceof Step.Use use)) {
      return step;
    }
    for (Step.Call call : use.calls()) {
      if (!tools.contains(call.tool())) {
        return new Step.Say(voice.say("no-tool", call.tool()));
      }
      if (!knowsTime && !call.tool().equals(Tools.SEARCH)) {
        return new Step.Say(voice.say("no-clock"));
      }
    }
    return step;
  }

  /** The names of what it may call. */
  private static Set<String> tools(ModelRequest request) {
    return request.settings().get("tool_choice").equals(Optional.of("none"))
        ? Set.of()
        : request.tools().stream().map(ToolSpec::name).collect(Collectors.toSet());
  }

  /** Word by word, Chinese in pieces of two characters. */
  @Override
  public ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
    ModelResponse response = respond(request);
    for (Item item : response.output()) {
      ModelEvent.ofWhole(item)
          .ifPresent(
              whole -> {
                Matcher words = WORDS.matcher(((ModelEvent.TextDelta) whole).text());
                while (words.find()) {
                  listener.accept(new ModelEvent.TextDelta(words.group()));
                  pause();
                }
              });
    }
    return response;
  }

  private void pause() {
    if (pace.isZero()) {
      return;
    }
    try {
      Thread.sleep(pace.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClewException.ModelFailed("the offline model was interrupted", e, true);
    }
  }
}
