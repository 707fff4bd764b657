package dev.clew.openai;

import com.google.errorprone.annotations.MustBeClosed;
import com.openai.client.OpenAIClient;
import com.openai.core.http.HttpResponse;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.responses.ResponseCreateParams;
import dev.clew.agent.Model;
import dev.clew.agent.ModelEvent;
import dev.clew.agent.ModelRequest;
import dev.clew.agent.ModelResponse;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** A model behind one of the two APIs of a server. Thread-safe. */
record OpenAiModel(Api api, Wire wire, String defaultModel) implements Model {
  /** One of the APIs. What is given to the client only routes the call; the body is ours. */
  enum Wire {
    RESPONSES("Responses") {
      @Override
      String json(ModelRequest request, String model, boolean stream, boolean atOpenAi) {
        return ResponsesRequest.json(request, model, stream);
      }

      @Override
      @MustBeClosed
      HttpResponse call(OpenAIClient client, String model, boolean stream) {
        ResponseCreateParams params = ResponseCreateParams.builder().model(model).build();
        return stream
            ? client.responses().withRawResponse().createStreaming(params)
            : client.responses().withRawResponse().create(params);
      }

      @Override
      AnswerStream answer(Consumer<ModelEvent> listener) {
        return new ResponsesStream(listener);
      }
    },

    /** Which nearly every local server speaks. */
    CHAT("Chat Completions") {
      @Override
      String json(ModelRequest request, String model, boolean stream, boolean atOpenAi) {
        return ChatRequest.json(request, model, stream, atOpenAi);
      }

      @Override
      @MustBeClosed
      HttpResponse call(OpenAIClient client, String model, boolean stream) {
        ChatCompletionCreateParams params =
            ChatCompletionCreateParams.builder().model(model).messages(List.of()).build();
        return stream
            ? client.chat().completions().withRawResponse().createStreaming(params)
            : client.chat().completions().withRawResponse().create(params);
      }

      @Override
      AnswerStream answer(Consumer<ModelEvent> listener) {
        return new ChatStream(listener);
      }
    };

    private final String title;

    Wire(String title) {
      this.title = title;
    }

    abstract String json(ModelRequest request, String model, boolean stream, boolean atOpenAi);

    @MustBeClosed
    abstract HttpResponse call(OpenAIClient client, String model, boolean stream);

    abstract AnswerStream answer(Consumer<ModelEvent> listener);
  }

  @Override
  public boolean takesTools(String type) {
    return wire == Wire.RESPONSES; // it says itself which it cannot run
  }

  @Override
  public OptionalLong contextTokens() {
    return ContextSizes.of(api, defaultModel);
  }

  @Override
  public ModelResponse respond(ModelRequest request) {
    return answer(request, event -> {}, false);
  }

  @Override
  public ModelResponse stream(ModelRequest request, Consumer<ModelEvent> listener) {
    return answer(request, listener, true);
  }

  private ModelResponse answer(
      ModelRequest request, Consumer<ModelEvent> listener, boolean stream) {
    String model = request.model().isEmpty() ? defaultModel : request.model();
    AnswerStream answer = wire.answer(listener);
    try {
      String body = wire.json(request, model, stream, api.isOpenAi());
      Api.Service service = client -> wire.call(client, model, stream);
      if (stream) {
        api.stream(body, service, answer::event, answer::whole);
      } else {
        answer.whole(api.call(body, true, service));
      }
      return answer.response();
    } catch (ApiFailure e) {
      throw ModelErrors.of(e, model, api);
    }
  }

  @Override
  public String toString() {
    return defaultModel + " at " + api.place() + " (" + wire.title + ")";
  }
}
