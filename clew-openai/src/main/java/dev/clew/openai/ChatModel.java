package dev.clew.openai;

import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import java.util.List;
import java.util.function.Consumer;

/** A model behind Chat Completions, which nearly every local server speaks. Thread-safe. */
final class ChatModel implements Model {
  private final Api api;
  private final String defaultModel;

  ChatModel(Api api, String defaultModel) {
    this.api = api;
    this.defaultModel = defaultModel;
  }

  @Override
  public ModelResponse respond(ModelRequest request) {
    String model = name(request);
    try {
      return ChatAnswer.of(
          api.call(
              ChatRequest.json(request, model, false, api.isOpenAi()),
              true,
              client -> client.chat().completions().withRawResponse().create(params(model))));
    } catch (ApiFailure e) {
      throw ModelErrors.of(e, model, api);
    }
  }

  @Override
  public ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
    String model = name(request);
    ChatStream stream = new ChatStream(listener);
    try {
      api.stream(
          ChatRequest.json(request, model, true, api.isOpenAi()),
          client -> client.chat().completions().withRawResponse().createStreaming(params(model)),
          stream::event,
          stream::whole);
      return stream.response();
    } catch (ApiFailure e) {
      throw ModelErrors.of(e, model, api);
    }
  }

  private String name(ModelRequest request) {
    return request.model().isEmpty() ? defaultModel : request.model();
  }

  /** What the client needs to find the way; the body is ours. */
  private static ChatCompletionCreateParams params(String model) {
    return ChatCompletionCreateParams.builder().model(model).messages(List.of()).build();
  }

  @Override
  public String toString() {
    return defaultModel + " at " + api.place() + " (Chat Completions)";
  }
}
