package dev.clew.server;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.Role;
import dev.clew.View;
import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import dev.clew.agent.Usage;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * A model that says what a test wants, and otherwise repeats what it was told. Thread-safe. It
 * remembers what it was asked.
 */
public final class ScriptedModel implements Model {
  /** One answer. */
  @FunctionalInterface
  public interface Step {
    ModelResponse answer(ModelRequest request, Consumer<ModelEvent> listener);
  }

  /** An answer that begins and does not go on before it is let. */
  public static final class Held implements Step {
    public final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final String first;
    private final String rest;

    Held(String first, String rest) {
      this.first = first;
      this.rest = rest;
    }

    public void release() {
      released.countDown();
    }

    @Override
    public ModelResponse answer(ModelRequest request, Consumer<ModelEvent> listener) {
      listener.accept(new ModelEvent.TextDelta(first));
      begun.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ClewException.ModelFailed("interrupted", e, true);
      }
      listener.accept(new ModelEvent.TextDelta(rest));
      return ModelResponse.of(Item.assistant(first + rest));
    }
  }

  private final Queue<Step> steps = new ConcurrentLinkedQueue<>();
  private final List<ModelRequest> requests = new CopyOnWriteArrayList<>();
  private final Semaphore words = new Semaphore(0);
  private final Set<String> taken = ConcurrentHashMap.newKeySet();
  private volatile boolean slow;

  public ScriptedModel() {
    taken.add("web_search");
  }

  /** Its provider runs tools of this type too. */
  public ScriptedModel takes(String type) {
    taken.add(type);
    return this;
  }

  /** Forgets what it was still to say. */
  public void forget() {
    steps.clear();
  }

  public ScriptedModel then(Step step) {
    steps.add(step);
    return this;
  }

  /** A message in pieces. */
  public ScriptedModel thenText(String... pieces) {
    return then(
        (request, listener) -> {
          for (String piece : pieces) {
            listener.accept(new ModelEvent.TextDelta(piece));
          }
          return counted(Item.assistant(String.join("", pieces)));
        });
  }

  /** A message, word by word; each word behind the first may have to wait. */
  public ScriptedModel says(String text) {
    return answers(Item.assistant(text));
  }

  public ScriptedModel calls(String callId, String tool, String arguments) {
    return answers(Item.functionCall(callId, tool, arguments));
  }

  /** Items, with the text of messages word by word. */
  public ScriptedModel answers(Item... items) {
    return then(
        (request, listener) -> {
          for (Item item : items) {
            Optional<ModelEvent> whole = ModelEvent.ofWhole(item);
            if (whole.isPresent()) {
              for (String word : ((ModelEvent.TextDelta) whole.get()).text().split("(?<= )", -1)) {
                listener.accept(new ModelEvent.TextDelta(word));
                pause();
              }
            }
          }
          Usage usage = Usage.of(10L * request.input().size(), 5);
          return new ModelResponse(List.of(items), usage, Optional.empty());
        });
  }

  public ScriptedModel fails() {
    return thenFail(new ClewException.ModelFailed("the model has no answer", null, false));
  }

  /** From now on each word of {@link #says} behind the first waits to be let go. */
  public ScriptedModel slowly() {
    slow = true;
    return this;
  }

  /** Lets everything go. */
  public void go() {
    slow = false;
    words.release(1000);
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

  /** Items all at once. */
  public ScriptedModel thenItems(Item... items) {
    return then((request, listener) -> counted(items));
  }

  public ScriptedModel thenFail(RuntimeException failure) {
    return then(
        (request, listener) -> {
          throw failure;
        });
  }

  public Held thenHold(String first, String rest) {
    Held held = new Held(first, rest);
    then(held);
    return held;
  }

  public static ModelResponse counted(Item... items) {
    return new ModelResponse(List.of(items), new Usage(1, 30, 10, 8, 2), Optional.empty());
  }

  public List<ModelRequest> requests() {
    return requests;
  }

  public ModelRequest lastRequest() {
    return requests.get(requests.size() - 1);
  }

  /** The text of every message the model was shown last. */
  public List<String> lastShown() {
    return lastRequest().input().stream()
        .map(item -> item.view() instanceof View.Message message ? message.text() : item.type())
        .toList();
  }

  @Override
  public ModelResponse respond(ModelRequest request) {
    return stream(request, event -> {});
  }

  @Override
  public ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
    requests.add(request);
    Step step = steps.poll();
    return step == null ? echo(request, listener) : step.answer(request, listener);
  }

  @Override
  public boolean takesTools(String type) {
    return taken.contains(type);
  }

  private static ModelResponse echo(ModelRequest request, Consumer<ModelEvent> listener) {
    String said =
        request.input().stream()
            .map(Item::view)
            .filter(view -> view instanceof View.Message message && message.role() == Role.USER)
            .map(view -> ((View.Message) view).text())
            .reduce("", (before, text) -> text);
    listener.accept(new ModelEvent.TextDelta("echo "));
    listener.accept(new ModelEvent.TextDelta(said));
    return counted(Item.assistant("echo " + said));
  }
}
