package dev.clew.server;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.Usage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * A model that answers what the test says, word by word, and waits after each word if the test
 * wants to watch. Thread-safe.
 */
final class Script implements Model {
  final List<ModelRequest> requests = new CopyOnWriteArrayList<>();
  private final BlockingQueue<List<Item>> answers = new LinkedBlockingQueue<>();
  private final Semaphore words = new Semaphore(0);
  private volatile boolean slow;

  Script says(String text) {
    return answers(Item.assistant(text));
  }

  Script calls(String callId, String tool, String arguments) {
    return answers(Item.functionCall(callId, tool, arguments));
  }

  Script answers(Item... items) {
    answers.add(List.of(items));
    return this;
  }

  Script fails() {
    answers.add(List.of());
    return this;
  }

  /** From now on each word behind the first waits to be let go. */
  Script slowly() {
    slow = true;
    return this;
  }

  /** Lets everything go. */
  void go() {
    slow = false;
    words.release(1000);
  }

  @Override
  public ModelResponse respond(ModelRequest request) {
    requests.add(request);
    List<Item> answer = answers.poll();
    if (answer == null || answer.isEmpty()) {
      throw new ClewException.ModelFailed("the model has no answer", null, false);
    }
    return new ModelResponse(answer, Usage.of(10L * request.input().size(), 5), Optional.empty());
  }

  @Override
  public ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
    ModelResponse response = respond(request);
    for (Item item : response.output()) {
      Optional<ModelEvent> whole = ModelEvent.ofWhole(item);
      if (whole.isPresent()) {
        for (String word : ((ModelEvent.TextDelta) whole.get()).text().split("(?<= )", -1)) {
          listener.accept(new ModelEvent.TextDelta(word));
          pause();
        }
      }
    }
    return response;
  }

  private void pause() {
    if (slow) {
      try {
        words.acquire();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ClewException.ModelFailed("interrupted", e, true);
      }
    }
  }
}
