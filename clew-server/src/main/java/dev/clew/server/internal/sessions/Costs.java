package dev.clew.server.internal.sessions;

import dev.clew.agent.Usage;
import dev.clew.json.JsonObject;
import dev.clew.server.internal.runs.UsageBook;
import dev.clew.server.settings.PriceSettings;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Usage with what it costs at the prices of now. Stateless. Without prices there is no {@code cost}
 * in what it writes.
 */
final class Costs {
  private Costs() {}

  /** Adds what all models cost together. */
  static void put(JsonObject json, PriceSettings prices, Map<String, Usage> models) {
    if (!prices.isEmpty()) {
      put(json, prices.cost(models));
    }
  }

  private static void put(JsonObject json, BigDecimal cost) {
    String plain = cost.signum() == 0 ? "0" : cost.stripTrailingZeros().toPlainString();
    json.raw("cost", plain);
  }

  static void putCurrency(JsonObject json, PriceSettings prices) {
    if (!prices.isEmpty()) {
      json.put("currency", prices.currency());
    }
  }

  /** The usage of each model; the cost is null if its price is not known. */
  static List<JsonObject> ofModels(PriceSettings prices, Map<String, Usage> models) {
    return models.entrySet().stream()
        .map(
            each -> {
              JsonObject json = new JsonObject().put("model", each.getKey());
              UsageBook.Day.fields(each.getValue(), json);
              if (!prices.isEmpty()) {
                Optional<BigDecimal> cost = prices.cost(each.getKey(), each.getValue());
                cost.ifPresentOrElse(known -> put(json, known), () -> json.raw("cost", "null"));
              }
              return json;
            })
        .toList();
  }
}
