package dev.clew.openai;

import dev.clew.Item;
import dev.clew.agent.Model;
import dev.clew.json.Json;

class ResponsesTroublesTest extends ModelTroubles {
  @Override
  Model make(OpenAiBuilder builder) {
    return builder.responses();
  }

  @Override
  String answer(String text) {
    return "{\"id\":\"resp_1\",\"status\":\"completed\",\"output\":["
        + Item.assistant(text).json()
        + "]}";
  }

  @Override
  String[] events(String text) {
    return new String[] {
      delta(text), "{\"type\":\"response.completed\",\"response\":" + answer(text) + "}"
    };
  }

  @Override
  String delta(String text) {
    return "{\"type\":\"response.output_text.delta\",\"delta\":" + Json.quote(text) + "}";
  }
}
