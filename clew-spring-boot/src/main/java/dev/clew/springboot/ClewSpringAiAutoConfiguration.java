package dev.clew.springboot;

import dev.clew.SessionStore;
import dev.clew.springai.ClewChatMemory;
import dev.clew.springai.ClewChatMemoryRepository;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.tokenizer.JTokkitTokenCountEstimator;
import org.springframework.ai.tokenizer.TokenCountEstimator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * The chat memory of Spring AI in the store of the application. It is configured before Spring AI's
 * own one, which keeps nothing when the application ends, and steps aside for beans of the
 * application.
 */
@AutoConfiguration(
    after = ClewAutoConfiguration.class,
    beforeName =
        "org.springframework.ai.model.chat.memory.autoconfigure.ChatMemoryAutoConfiguration")
@ConditionalOnClass({ChatMemory.class, ClewChatMemory.class})
@ConditionalOnSingleCandidate(SessionStore.class)
@ConditionalOnProperty(name = "clew.spring-ai.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ClewSpringAiProperties.class)
public final class ClewSpringAiAutoConfiguration {

  /**
   * Not beside a repository of the application, which Spring AI then puts its memory on. Declared
   * before our own repository, so that this condition does not see that one.
   */
  @Bean
  @ConditionalOnMissingBean({ChatMemory.class, ChatMemoryRepository.class})
  ClewChatMemory clewChatMemory(
      SessionStore store,
      ClewSpringAiProperties properties,
      ObjectProvider<TokenCountEstimator> estimator) {
    ClewChatMemory.Builder memory =
        ClewChatMemory.builder(store).turns(properties.turns()).owner(properties.owner());
    if (properties.items() != null) {
      memory.items(properties.items());
    }
    if (properties.tokens() != null) {
      memory.tokens(properties.tokens(), estimator.getIfAvailable(JTokkitTokenCountEstimator::new));
    }
    if (properties.turnLease() != null) {
      memory.turnLease(properties.turnLease());
    }
    return memory.build();
  }

  @Bean
  @ConditionalOnMissingBean(ChatMemoryRepository.class)
  ClewChatMemoryRepository clewChatMemoryRepository(
      SessionStore store, ClewSpringAiProperties properties) {
    return ClewChatMemoryRepository.builder(store).owner(properties.owner()).build();
  }
}
