package dev.clew.server.settings;

import dev.clew.agent.Usage;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the models cost, to show it to owners. Immutable. Without prices nothing is shown.
 *
 * @param currency its three letters
 * @param models by the name of the model
 */
public record PriceSettings(String currency, Map<String, Price> models) {
  private static final String NUMBER = "(\\d{1,9}(?:\\.\\d{1,9})?)";
  private static final Pattern LINE =
      Pattern.compile("(\\S+)=" + NUMBER + "/(?:" + NUMBER + "/)?" + NUMBER);
  private static final Pattern CURRENCY = Pattern.compile("[A-Z]{3}");

  /** No prices. */
  public static final PriceSettings NONE = new PriceSettings("USD", Map.of()); // checks itself

  /**
   * Checks the currency.
   *
   * @throws IllegalArgumentException if it is none
   */
  public PriceSettings {
    if (!CURRENCY.matcher(currency).matches()) {
      throw new IllegalArgumentException(
          "'" + currency + "' is not a currency; use its three letters, such as EUR");
    }
    models = Map.copyOf(models);
  }

  /**
   * The price of a million tokens. Immutable.
   *
   * @param input of the input that was not cached
   * @param cachedInput of the input that came out of the provider's cache
   */
  public record Price(BigDecimal input, BigDecimal cachedInput, BigDecimal output) {
    private static final int MILLION = 6; // digits

    BigDecimal of(Usage usage) {
      long cached = Math.min(usage.cachedTokens(), usage.inputTokens());
      return input
          .multiply(BigDecimal.valueOf(usage.inputTokens() - cached))
          .add(cachedInput.multiply(BigDecimal.valueOf(cached)))
          .add(output.multiply(BigDecimal.valueOf(usage.outputTokens())))
          .movePointLeft(MILLION);
    }
  }

  public PriceSettings currency(String value) {
    return new PriceSettings(value, models);
  }

  /** Adds the price of a model. */
  public PriceSettings price(String model, Price price) {
    Map<String, Price> more = new LinkedHashMap<>(models);
    more.put(model, price);
    return new PriceSettings(currency, more);
  }

  /**
   * Adds the price of a model, written as {@code gpt-5.4=1.25/0.125/10}: input, cached input and
   * output. Without the cached input, as {@code qwen3=0.4/1.6}, it costs as much as the rest.
   *
   * @throws IllegalArgumentException if it is not written so
   */
  public PriceSettings price(String line) {
    Matcher parts = LINE.matcher(line.strip());
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "'"
              + line
              + "' is not a price; write the model and what a million tokens of input, cached"
              + " input and output cost, such as gpt-5.4=1.25/0.125/10");
    }
    BigDecimal input = new BigDecimal(parts.group(2));
    BigDecimal cached = parts.group(3) == null ? input : new BigDecimal(parts.group(3));
    return price(parts.group(1), new Price(input, cached, new BigDecimal(parts.group(4))));
  }

  /** Whether there are any. */
  public boolean isEmpty() {
    return models.isEmpty();
  }

  /** What some usage of a model costs; empty if its price is not known. */
  public Optional<BigDecimal> cost(String model, Usage usage) {
    return Optional.ofNullable(models.get(model)).map(price -> price.of(usage));
  }

  /** What the usage of several models costs, as far as their prices are known. */
  public BigDecimal cost(Map<String, Usage> used) {
    return used.entrySet().stream()
        .flatMap(each -> cost(each.getKey(), each.getValue()).stream())
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }
}
