package dev.clew.agent;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a model. Immutable. What is not set is left to the model.
 *
 * <pre>{@code
 * ModelSettings.DEFAULT.temperature(0.2).maxOutputTokens(500)
 * }</pre>
 */
public final class ModelSettings {
  /** Nothing set. */
  public static final ModelSettings DEFAULT = new ModelSettings(Map.of());

  private final Map<String, Object> fields;

  private ModelSettings(Map<String, Object> fields) {
    this.fields = fields;
  }

  /** How freely words are chosen. */
  public ModelSettings temperature(double value) {
    return with("temperature", value);
  }

  /** From how much of the probability words are chosen. */
  public ModelSettings topP(double value) {
    return with("top_p", value);
  }

  /** How long an answer may be. */
  public ModelSettings maxOutputTokens(long value) {
    return with("max_output_tokens", value);
  }

  /** {@code auto}, {@code required}, {@code none}, or the name of the tool to be called. */
  public ModelSettings toolChoice(String value) {
    return with("tool_choice", value);
  }

  /** Whether several tools may be called at once. */
  public ModelSettings parallelToolCalls(boolean value) {
    return with("parallel_tool_calls", value);
  }

  /** {@code auto} lets the provider leave out what does not fit. */
  public ModelSettings truncation(String value) {
    return with("truncation", value);
  }

  /** Whether the provider keeps the response. */
  public ModelSettings store(boolean value) {
    return with("store", value);
  }

  /** Any other field of a request, as the Responses API names it; JSON values. */
  public ModelSettings with(String field, Object value) {
    Map<String, Object> all = new LinkedHashMap<>(fields);
    all.put(field, value);
    return new ModelSettings(Map.copyOf(all));
  }

  /** These, with those of another on top. */
  public ModelSettings and(ModelSettings other) {
    Map<String, Object> all = new LinkedHashMap<>(fields);
    all.putAll(other.fields);
    return new ModelSettings(Map.copyOf(all));
  }

  /** What is set, by the names of the Responses API. */
  public Map<String, Object> fields() {
    return fields;
  }

  /** The value of a field, if it is set. */
  public Optional<Object> get(String field) {
    return Optional.ofNullable(fields.get(field));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ModelSettings settings && settings.fields.equals(fields);
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }

  @Override
  public String toString() {
    return fields.toString();
  }
}
