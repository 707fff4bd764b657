package dev.clew.openai;

import com.openai.models.responses.ResponseCompactParams;
import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.agent.Compaction;
import dev.clew.agent.CompactionRequest;
import dev.clew.agent.Compactor;
import dev.clew.agent.Usage;
import dev.clew.json.Json;
import dev.clew.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compacts a history at the provider, with {@code responses.compact}. Thread-safe.
 *
 * <pre>{@code
 * Compactor compactor = OpenAiModels.builder().modelName("gpt-5.4").compactor();
 * Session session = CompactionSession.over(store.session("s"), compactor);
 * }</pre>
 */
public final class OpenAiCompactor implements Compactor {
  private final Api api;
  private final String model;

  OpenAiCompactor(Api api, String model) {
    this.api = api;
    this.model = model;
  }

  /**
   * A compacted history. Immutable.
   *
   * @param items what stands for the history, as the provider wrote it: what users said, and a
   *     compaction item for the rest
   * @param usage what it cost
   * @param responseId the provider's id of the compaction, which a response may follow
   */
  public record Result(List<Item> items, Usage usage, Optional<String> responseId) {
    /** Makes the list unmodifiable. */
    public Result {
      items = List.copyOf(items);
    }
  }

  /**
   * Compacts these items.
   *
   * @throws dev.clew.ClewException.ModelFailed or another of the family, if that could not be done
   */
  public Result compact(List<Item> items) {
    return compact(new JsonObject().put("model", model).array("input", ResponsesInput.of(items)));
  }

  @Override
  public Compaction compact(CompactionRequest request) {
    if (request.intoOneItem()) {
      throw new ClewException.NotSupported(
          "the provider keeps user messages in addition to its compaction item, so a compaction in place"
              + " is not possible with it; use CompactionSession without inPlace()");
    }
    Result result =
        request.responseId().isPresent()
            ? compactResponse(request.responseId().get())
            : compact(request.modelInput());
    return new Compaction(result.items(), result.usage());
  }

  @Override
  public boolean canFollowResponses() {
    return true;
  }

  @Override
  public boolean canMakeOneItem() {
    return false;
  }

  /** Compacts the history that a response at the provider ends. */
  public Result compactResponse(String previousResponseId) {
    return compact(
        new JsonObject().put("model", model).put("previous_response_id", previousResponseId));
  }

  private Result compact(JsonObject body) {
    try {
      ResponseCompactParams params = ResponseCompactParams.builder().model(model).build();
      String answer =
          api.call(
              body.json(), true, client -> client.responses().withRawResponse().compact(params));
      Map<String, String> fields = Json.fields(answer);
      List<Item> items = ResponsesAnswer.items(ResponsesAnswer.elements(fields.get("output")));
      if (items.isEmpty()) {
        throw ApiFailure.malformed("a compaction without items");
      }
      return new Result(
          items,
          ResponsesAnswer.usage(fields.get("usage")),
          Optional.ofNullable(Json.string(fields.get("id"))));
    } catch (ApiFailure e) {
      throw ModelErrors.of(e, model, api);
    }
  }
}
