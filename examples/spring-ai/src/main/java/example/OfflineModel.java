package example;

import java.util.List;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.stereotype.Component;

/** Stands in for a real model: asks the tool, and answers from the results that it is shown. */
@Component
class OfflineModel implements ChatModel {
  @Override
  public ChatResponse call(Prompt prompt) {
    var answer = AssistantMessage.builder().content("Where are you?");
    for (Message message : prompt.getInstructions()) {
      if (message instanceof ToolResponseMessage result) {
        String text = result.getResponses().get(0).responseData().replace("\"", "");
        answer.content(text).toolCalls(List.of());
      } else if (message.getText().startsWith("Weather in ")) {
        String city = "{\"city\": \"" + message.getText().substring(11) + "\"}";
        ToolCall call = new ToolCall("1", "function", "weather", city);
        answer.content("").toolCalls(List.of(call));
      }
    }
    return new ChatResponse(List.of(new Generation(answer.build())));
  }

  @Override
  public ChatOptions getOptions() {
    return ToolCallingChatOptions.builder().build();
  }
}
