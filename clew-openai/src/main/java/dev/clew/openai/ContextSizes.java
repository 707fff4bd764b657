package dev.clew.openai;

import com.google.errorprone.annotations.MustBeClosed;
import com.openai.client.OpenAIClient;
import com.openai.core.http.HttpResponse;
import dev.clew.json.Json;
import dev.clew.json.UncheckedJson;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many tokens models take. Stateless. OpenAI does not tell, so its models are listed here;
 * other servers are asked for their list of models, in which many tell it.
 */
final class ContextSizes {
  private static final Logger LOG = LoggerFactory.getLogger(ContextSizes.class);
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private record Size(String beginning, long tokens) {}

  /** Input only, without the tokens of the answer. The first that fits counts. */
  private static final List<Size> OPENAI =
      List.of(
          new Size("gpt-5", 272_000),
          new Size("gpt-4.1", 1_000_000),
          new Size("gpt-4o", 128_000),
          new Size("gpt-4-turbo", 128_000),
          new Size("gpt-4-32k", 32_768),
          new Size("gpt-4", 8_192),
          new Size("gpt-3.5", 16_385),
          new Size("o1-mini", 128_000),
          new Size("o1", 200_000),
          new Size("o3", 200_000),
          new Size("o4", 200_000));

  /** Where servers say it: vLLM and SGLang, Groq, LM Studio, OpenRouter and Together. */
  private static final List<String> FIELDS =
      List.of("max_model_len", "context_window", "max_context_length", "context_length");

  private ContextSizes() {}

  static OptionalLong of(Api api, String model) {
    if (api.isOpenAi()) {
      return OPENAI.stream()
          .filter(size -> model.startsWith(size.beginning()))
          .mapToLong(Size::tokens)
          .findFirst();
    }
    try {
      return in(api.call(null, true, ContextSizes::list), model);
    } catch (ApiFailure | IllegalArgumentException e) {
      LOG.debug("{} does not tell the context size of {}", api.place(), model, e);
      return OptionalLong.empty();
    }
  }

  @MustBeClosed
  private static HttpResponse list(OpenAIClient client) {
    return client
        .withOptions(options -> options.maxRetries(0).timeout(PATIENCE))
        .models()
        .withRawResponse()
        .list();
  }

  /** What a list of models says of one; a server with one model may know it by another name. */
  private static OptionalLong in(String list, String model) {
    List<Map<String, String>> models =
        UncheckedJson.elements(UncheckedJson.fields(list).getOrDefault("data", "[]")).stream()
            .map(UncheckedJson::fields)
            .toList();
    for (Map<String, String> one : models) {
      if (models.size() == 1 || model.equals(Json.string(one.get("id")))) {
        return in(one);
      }
    }
    return OptionalLong.empty();
  }

  private static OptionalLong in(Map<String, String> model) {
    for (String name : FIELDS) {
      String value = model.getOrDefault(name, "");
      if (value.matches("[1-9][0-9]{0,9}")) {
        return OptionalLong.of(Long.parseLong(value));
      }
    }
    return OptionalLong.empty();
  }
}
