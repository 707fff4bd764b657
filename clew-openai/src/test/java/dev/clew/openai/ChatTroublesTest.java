package dev.clew.openai;

import dev.clew.agent.Model;
import dev.clew.json.Json;

class ChatTroublesTest extends ModelTroubles {
  @Override
  Model make(OpenAiBuilder builder) {
    return builder.chat();
  }

  @Override
  String answer(String text) {
    return "{\"choices\":[{\"index\":0,\"finish_reason\":\"stop\",\"message\":"
        + "{\"role\":\"assistant\",\"content\":"
        + Json.quote(text)
        + "}}]}";
  }

  @Override
  String[] events(String text) {
    return new String[] {
      delta(text), "{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}", "[DONE]"
    };
  }

  @Override
  String delta(String text) {
    return "{\"choices\":[{\"index\":0,\"delta\":{\"content\":" + Json.quote(text) + "}}]}";
  }
}
