package dev.clew.springboot;

import dev.clew.SessionKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties that begin with {@code clew.spring-ai}. Immutable.
 *
 * @param enabled Whether the chat memory of Spring AI is kept in the store.
 * @param turns How many turns a model is shown. A turn is a user's message and everything up to the
 *     next one.
 * @param items How many items a model is shown at most, instead of turns. Each message, call and
 *     result is one.
 * @param tokens How many tokens the turns have at most that a model is shown. A bean of type
 *     TokenCountEstimator counts them, or else Spring AI's own one.
 * @param turnLease How long a turn of a conversation waits at most until the one before has its
 *     answer. MessageChatMemoryAdvisor wants ClewAdvisors.oneTurnAtATime beside it. Without it
 *     turns of one conversation may overlap.
 * @param owner Whose sessions the conversations are; the default owner by default.
 */
@ConfigurationProperties("clew.spring-ai")
record ClewSpringAiProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("20") int turns,
    @Nullable Integer items,
    @Nullable Integer tokens,
    @Nullable Duration turnLease,
    @DefaultValue(SessionKey.DEFAULT_OWNER) String owner) {

  ClewSpringAiProperties {
    atLeastOne("turns", turns);
    atLeastOne("items", items);
    atLeastOne("tokens", tokens);
    if (items != null && tokens != null) {
      throw new IllegalArgumentException(
          "only one of the properties 'clew.spring-ai.items' and 'clew.spring-ai.tokens' can be set");
    }
    if (turnLease != null && turnLease.toMillis() < 1) {
      throw new IllegalArgumentException(
          "the property 'clew.spring-ai.turn-lease' must be at least 1ms, not "
              + turnLease.toMillis()
              + "ms; leave it out for no lease");
    }
  }

  private static void atLeastOne(String name, @Nullable Integer value) {
    if (value != null && value < 1) {
      throw new IllegalArgumentException(
          "the property 'clew.spring-ai." + name + "' must be at least 1, not " + value);
    }
  }
}
