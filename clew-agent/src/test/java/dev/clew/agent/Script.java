package dev.clew.agent;

import dev.clew.ClewException;
import dev.clew.Item;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** A model that answers what the test says, and remembers what it was asked. */
final class Script implements Model {
  final List<ModelRequest> requests = new ArrayList<>();
  private final Deque<Function<ModelRequest, ModelResponse>> answers = new ArrayDeque<>();
  private int number;

  /** The next answer is a text. */
  Script says(String text) {
    return answers(Item.assistant(text));
  }

  /** The next answer is a call of a tool; its id is call_ and a number. */
  Script calls(String tool, String arguments) {
    return answers(Item.functionCall("call_" + ++number, tool, arguments));
  }

  Script answers(Item... items) {
    answers.add(
        request ->
            new ModelResponse(
                List.of(items),
                Usage.of(request.input().size(), items.length),
                Optional.of("resp_" + requests.size())));
    return this;
  }

  Script fails(String message) {
    answers.add(
        request -> {
          throw new ClewException.ModelFailed(message, null, true);
        });
    return this;
  }

  Script does(Function<ModelRequest, ModelResponse> answer) {
    answers.add(answer);
    return this;
  }

  @Override
  public synchronized ModelResponse respond(ModelRequest request) {
    requests.add(request);
    Function<ModelRequest, ModelResponse> next = answers.poll();
    if (next == null) {
      throw new AssertionError("the model was asked once more than expected");
    }
    return next.apply(request);
  }

  /** Word by word. */
  @Override
  public ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
    ModelResponse response = respond(request);
    for (Item item : response.output()) {
      ModelEvent.ofWhole(item)
          .map(event -> ((ModelEvent.TextDelta) event).text())
          .ifPresent(
              text -> {
                for (String word : text.split("(?<= )", -1)) {
                  listener.accept(new ModelEvent.TextDelta(word));
                }
              });
    }
    return response;
  }

  /** What the model was shown the last time. */
  List<Item> lastInput() {
    return requests.get(requests.size() - 1).input();
  }
}
