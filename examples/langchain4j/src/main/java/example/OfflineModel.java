package example;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;

/** Stands in for a real model: asks the tool, and answers from the results that it is shown. */
class OfflineModel implements ChatModel {
  @Override
  public ChatResponse doChat(ChatRequest request) {
    AiMessage answer = AiMessage.from("Where are you?");
    for (ChatMessage message : request.messages()) {
      if (message instanceof ToolExecutionResultMessage result) {
        answer = AiMessage.from(result.text());
      } else if (message instanceof UserMessage user
          && user.singleText().startsWith("Weather in ")) {
        String city = "{\"city\": \"" + user.singleText().substring(11) + "\"}";
        answer =
            AiMessage.from(
                ToolExecutionRequest.builder().id("1").name("weather").arguments(city).build());
      }
    }
    return ChatResponse.builder().aiMessage(answer).build();
  }
}
