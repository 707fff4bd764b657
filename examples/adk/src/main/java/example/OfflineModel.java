package example;

import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionResponse;
import com.google.genai.types.Part;
import io.reactivex.rxjava3.core.Flowable;
import java.util.List;
import java.util.Map;

/** Stands in for a real model: asks the tool, and answers from the results that it is shown. */
class OfflineModel extends BaseLlm {
  OfflineModel() {
    super("offline");
  }

  @Override
  public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
    Part answer = Part.fromText("Where are you?");
    for (Content content : request.contents()) {
      for (Part part : content.parts().orElse(List.of())) {
        String text = part.text().orElse("");
        if (part.functionResponse().isPresent()) {
          FunctionResponse result = part.functionResponse().get();
          answer = Part.fromText(String.valueOf(result.response().orElseThrow().get("weather")));
        } else if (text.startsWith("Weather in ")) {
          answer = Part.fromFunctionCall("weather", Map.of("city", text.substring(11)));
        }
      }
    }
    Content content = Content.builder().role("model").parts(answer).build();
    return Flowable.just(LlmResponse.builder().content(content).build());
  }

  @Override
  public BaseLlmConnection connect(LlmRequest request) {
    throw new UnsupportedOperationException("this model does not stream");
  }
}
