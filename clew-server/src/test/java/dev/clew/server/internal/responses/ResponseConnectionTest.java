package dev.clew.server.internal.responses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.http.ResponseConnection;
import com.openai.core.http.ResponseWebSocketException;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponsesClientEvent;
import dev.clew.memory.MemoryStore;
import dev.clew.server.Eventually;
import dev.clew.server.LiveServer;
import dev.clew.server.ScriptedModel;
import org.junit.jupiter.api.Test;

/** The WebSocket of the official Java client. */
class ResponseConnectionTest {
  private static ResponsesClientEvent.ResponseCreate.Builder create(String input) {
    return ResponsesClientEvent.ResponseCreate.builder().model("m").input(input).store(false);
  }

  private static ResponsesClientEvent event(ResponsesClientEvent.ResponseCreate.Builder create) {
    return ResponsesClientEvent.ofResponseCreate(create.build());
  }

  private static String text(Response response) {
    return response.output().get(0).asMessage().content().get(0).asOutputText().text();
  }

  @Test
  void lanesFollowUnstoredResponses() {
    ScriptedModel model = new ScriptedModel();
    try (MemoryStore store = MemoryStore.builder().build();
        LiveServer live = new LiveServer(store, settings -> settings.model(model, "m"))) {
      OpenAIClient client =
          OpenAIOkHttpClient.builder()
              .apiKey(live.token("ann"))
              .baseUrl(live.server().url() + "/v1")
              .build();
      try (ResponseConnection connection = client.responses().connect();
          ResponseConnection.Lane a = connection.lane("a");
          ResponseConnection.Lane b = connection.lane("b")) {
        ScriptedModel.Held held = model.thenHold("slow", "ly");
        a.send(event(create("one")));
        Eventually.open("it runs", held.begun);
        b.send(event(create("two")));
        assertThat(text(b.finalResponse().validate())).isEqualTo("echo two");
        held.release();
        Response first = a.finalResponse().validate();
        assertThat(text(first)).isEqualTo("slowly");
        a.send(event(create("more").previousResponseId(first.id())));
        a.finalResponse();
        assertThat(model.lastShown()).containsExactly("one", "slowly", "more");
        b.send(event(create("x").previousResponseId("resp_nope")));
        ResponseWebSocketException refused =
            catchThrowableOfType(ResponseWebSocketException.class, b::finalResponse);
        assertThat(refused.event().toString()).contains("previous_response_not_found");
        b.send(event(create("still there")));
        assertThat(text(b.finalResponse())).isEqualTo("echo still there");
      } finally {
        client.close();
      }
    }
  }
}
