package example;

import io.agentscope.core.message.ContentBlock;
import io.agentscope.core.message.Msg;
import io.agentscope.core.message.MsgRole;
import io.agentscope.core.message.TextBlock;
import io.agentscope.core.message.ToolResultBlock;
import io.agentscope.core.message.ToolUseBlock;
import io.agentscope.core.model.ChatModelBase;
import io.agentscope.core.model.ChatResponse;
import io.agentscope.core.model.GenerateOptions;
import io.agentscope.core.model.ToolSchema;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import reactor.core.publisher.Flux;

/** Stands in for a real model: asks the tool, and answers from the results that it is shown. */
class OfflineModel extends ChatModelBase {
  @Override
  protected Flux<ChatResponse> doStream(
      List<Msg> messages, List<ToolSchema> tools, GenerateOptions options) {
    ContentBlock answer = TextBlock.builder().text("Where are you?").build();
    for (Msg message : messages) {
      String text = message.getTextContent();
      if (message.hasContentBlocks(ToolResultBlock.class)) {
        ToolResultBlock result = message.getFirstContentBlock(ToolResultBlock.class);
        String json = ((TextBlock) result.getOutput().get(0)).getText();
        answer = TextBlock.builder().text(json.replace("\"", "")).build();
      } else if (message.getRole() == MsgRole.USER && text.startsWith("Weather in ")) {
        String city = text.substring(11);
        answer =
            ToolUseBlock.builder()
                .id("1")
                .name("weather")
                .input(Map.of("city", city))
                .content("{\"city\": \"" + city + "\"}")
                .build();
      }
    }
    String id = UUID.randomUUID().toString();
    return Flux.just(ChatResponse.builder().id(id).content(List.of(answer)).build());
  }

  @Override
  public String getModelName() {
    return "offline";
  }
}
