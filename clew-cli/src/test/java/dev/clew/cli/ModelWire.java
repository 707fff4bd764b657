package dev.clew.cli;

import dev.clew.json.Json;
import dev.clew.openai.TestServer;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What a model says, streamed in the words of one of the two APIs. Immutable. */
public enum ModelWire {
  OPENAI {
    @Override
    String delta(String text) {
      return "{\"type\":\"response.output_text.delta\",\"delta\":" + Json.quote(text) + "}";
    }

    @Override
    String[] textEnd(String text) {
      return new String[] {
        completed(
            "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"status\":\"completed\","
                + "\"content\":[{\"type\":\"output_text\",\"annotations\":[],\"text\":"
                + Json.quote(text)
                + "}]}")
      };
    }

    @Override
    public TestServer.Answer call(String callId, String tool, String arguments) {
      return TestServer.events(
          completed(
              "{\"id\":\"fc_1\",\"type\":\"function_call\",\"status\":\"completed\",\"call_id\":"
                  + Json.quote(callId)
                  + ",\"name\":"
                  + Json.quote(tool)
                  + ",\"arguments\":"
                  + Json.quote(arguments)
                  + "}"));
    }

    private String completed(String item) {
      return "{\"type\":\"response.completed\",\"response\":{\"id\":\"resp_1\",\"status\":"
          + "\"completed\",\"output\":["
          + item
          + "],\"usage\":{\"input_tokens\":10,\"output_tokens\":2}}}";
    }
  },

  CHAT {
    @Override
    String delta(String text) {
      return "{\"choices\":[{\"index\":0,\"delta\":{\"content\":" + Json.quote(text) + "}}]}";
    }

    @Override
    String[] textEnd(String text) {
      return new String[] {
        "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}", "[DONE]"
      };
    }

    @Override
    public TestServer.Answer call(String callId, String tool, String arguments) {
      return TestServer.events(
          "{\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"type\":"
              + "\"function\",\"id\":"
              + Json.quote(callId)
              + ",\"function\":{\"name\":"
              + Json.quote(tool)
              + ",\"arguments\":"
              + Json.quote(arguments)
              + "}}]},\"finish_reason\":\"tool_calls\"}]}",
          "[DONE]");
    }
  };

  /** How {@code --model} names a model of this API. */
  public String named(String model) {
    return name().toLowerCase(java.util.Locale.ROOT) + ":" + model;
  }

  abstract String delta(String text);

  abstract String[] textEnd(String text);

  /** The model wants a tool to be called. */
  public abstract TestServer.Answer call(String callId, String tool, String arguments);

  /** The model says something. */
  public TestServer.Answer text(String... pieces) {
    List<String> events = new ArrayList<>();
    Arrays.stream(pieces).map(this::delta).forEach(events::add);
    events.addAll(List.of(textEnd(String.join("", pieces))));
    return TestServer.events(events.toArray(String[]::new));
  }

  /** The model says something, and the rest only when it is let. */
  public TestServer.Answer slowText(String first, String rest, CountDownLatch goOn) {
    return exchange -> {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      send(out, delta(first));
      try {
        if (!goOn.await(30, TimeUnit.SECONDS)) {
          return; // the test sees that the rest is missing
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      send(out, delta(rest));
      for (String event : textEnd(first + rest)) {
        send(out, event);
      }
    };
  }

  private static void send(OutputStream out, String event) throws java.io.IOException {
    out.write(("data: " + event + "\n\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
