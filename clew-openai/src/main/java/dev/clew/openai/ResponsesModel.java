package dev.clew.openai;

import com.openai.models.responses.ResponseCreateParams;
import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import java.util.List;
import java.util.function.Consumer;

/** A model behind the Responses API. Thread-safe. */
final class ResponsesModel implements Model {
  private final Api api;
  private final String defaultModel;

  ResponsesModel(Api api, String defaultModel) {
    this.api = api;
    this.defaultModel = defaultModel;
  }

  @Override
  public ModelResponse respond(ModelRequest request) {
    String model = name(request);
    try {
      return ResponsesAnswer.of(
          api.call(
              ResponsesRequest.json(request, model, false),
              true,
              client -> client.responses().withRawResponse().create(params(model))),
          List.of());
    } catch (ApiFailure e) {
      throw ModelErrors.of(e, model, api);
    }
  }

  @Override
  public ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
    String model = name(request);
    ResponsesStream stream = new ResponsesStream(listener);
    try {
      api.stream(
          ResponsesRequest.json(request, model, true),
          client -> client.responses().withRawResponse().createStreaming(params(model)),
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
  private static ResponseCreateParams params(String model) {
    return ResponseCreateParams.builder().model(model).build();
  }

  @Override
  public String toString() {
    return defaultModel + " at " + api.place() + " (Responses)";
  }
}
