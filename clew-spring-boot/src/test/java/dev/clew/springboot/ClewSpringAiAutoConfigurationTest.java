package dev.clew.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.memory.MemoryStore;
import dev.clew.springai.ClewChatMemory;
import dev.clew.springai.ClewChatMemoryRepository;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.memory.InMemoryChatMemoryRepository;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.MediaContent;
import org.springframework.ai.model.chat.memory.autoconfigure.ChatMemoryAutoConfiguration;
import org.springframework.ai.tokenizer.TokenCountEstimator;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Together with the auto-configuration of Spring AI itself. */
class ClewSpringAiAutoConfigurationTest {
  @TempDir Path folder;

  private final ApplicationContextRunner withoutStore =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  ChatMemoryAutoConfiguration.class,
                  ClewAutoConfiguration.class,
                  ClewSpringAiAutoConfiguration.class));
  private final ApplicationContextRunner context =
      withoutStore.withPropertyValues("clew.url=memory:");

  @Test
  void theMemoryIsInTheStoreAndKnowsTheNextDayWhatWasSaid() {
    String url = "clew.url=sqlite:" + folder.resolve("chat.db");
    context
        .withPropertyValues(url)
        .run(app -> app.getBean(ChatMemory.class).add("trip", new UserMessage("hello")));
    context
        .withPropertyValues(url)
        .run(
            app -> {
              assertThat(app.getBean(SessionStore.class).session("trip").getItems()).hasSize(1);
              assertThat(app.getBean(ChatMemory.class).get("trip"))
                  .containsExactly(new UserMessage("hello"));
              assertThat(app.getBean(ChatMemoryRepository.class).findConversationIds())
                  .containsExactly("trip");
            });
  }

  @Test
  void theBeansAreOursAndTheOnlyOnes() {
    context.run(
        app -> {
          assertThat(app).getBean(ChatMemory.class).isInstanceOf(ClewChatMemory.class);
          assertThat(app)
              .getBean(ChatMemoryRepository.class)
              .isInstanceOf(ClewChatMemoryRepository.class);
        });
  }

  @Test
  void theOwnerIsThatOfBothBeans() {
    context
        .withPropertyValues("clew.spring-ai.owner=ada")
        .run(
            app -> {
              app.getBean(ChatMemory.class).add("trip", new UserMessage("hello"));
              assertThat(
                      app.getBean(SessionStore.class)
                          .session(new SessionKey("ada", "trip"))
                          .getItems())
                  .hasSize(1);
              assertThat(app.getBean(ChatMemoryRepository.class).findConversationIds())
                  .containsExactly("trip");
            });
  }

  @Test
  void aModelIsShownAsManyTurnsAsTheProperty() {
    List<Message> said =
        List.of(
            new UserMessage("one"),
            new AssistantMessage("1"),
            new UserMessage("two"),
            new AssistantMessage("2"));
    context
        .withPropertyValues("clew.spring-ai.turns=1")
        .run(
            app -> {
              ChatMemory memory = app.getBean(ChatMemory.class);
              memory.add("trip", said);
              assertThat(memory.get("trip")).containsExactlyElementsOf(said.subList(2, 4));
              assertThat(app.getBean(SessionStore.class).session("trip").getItems()).hasSize(4);
            });
  }

  @Test
  void aModelIsShownAsManyItemsOrTokensAsTheProperty() {
    List<Message> said =
        List.of(
            new UserMessage("one two three four"),
            new AssistantMessage("1"),
            new UserMessage("five"),
            new AssistantMessage("2"));
    shows(context.withPropertyValues("clew.spring-ai.items=2"), said, said.subList(2, 4));
    shows(context.withPropertyValues("clew.spring-ai.tokens=5"), said, said.subList(2, 4));
    shows(
        context
            .withPropertyValues("clew.spring-ai.tokens=1")
            .withUserConfiguration(OwnEstimator.class),
        said,
        said);
  }

  private static void shows(
      ApplicationContextRunner context, List<Message> said, List<Message> shown) {
    context.run(
        app -> {
          ChatMemory memory = app.getBean(ChatMemory.class);
          memory.add("trip", said);
          assertThat(memory.get("trip")).containsExactlyElementsOf(shown);
        });
  }

  @Test
  void aTurnTakesTheLeaseOfTheProperty() {
    context
        .withPropertyValues("clew.spring-ai.turn-lease=30s")
        .run(
            app -> {
              app.getBean(ChatMemory.class).add("trip", new UserMessage("hello"));
              assertThat(turnIsFree(app.getBean(SessionStore.class))).isFalse();
            });
  }

  @Test
  void withoutThePropertyATurnTakesNoLease() {
    context.run(
        app -> {
          app.getBean(ChatMemory.class).add("trip", new UserMessage("hello"));
          assertThat(turnIsFree(app.getBean(SessionStore.class))).isTrue();
        });
  }

  @Test
  void aMemoryOfTheApplicationGetsOurRepository() {
    context
        .withUserConfiguration(OwnMemory.class)
        .run(
            app -> {
              assertThat(app).getBean(ChatMemory.class).isInstanceOf(MessageWindowChatMemory.class);
              app.getBean(ChatMemory.class).add("trip", new UserMessage("hello"));
              assertThat(app.getBean(SessionStore.class).session("trip").getItems()).hasSize(1);
            });
  }

  @Test
  void aRepositoryOfTheApplicationGetsTheMemoryOfSpringAi() {
    context
        .withUserConfiguration(OwnRepository.class)
        .run(
            app -> {
              assertThat(app).getBean(ChatMemory.class).isInstanceOf(MessageWindowChatMemory.class);
              assertThat(app)
                  .getBean(ChatMemoryRepository.class)
                  .isInstanceOf(InMemoryChatMemoryRepository.class);
            });
  }

  @Test
  void aStoreOfTheApplicationIsUsedToo() {
    context
        .withUserConfiguration(OwnStore.class)
        .run(app -> assertThat(app).getBean(ChatMemory.class).isInstanceOf(ClewChatMemory.class));
  }

  @Test
  void whereNoStoreIsTheOneOrItIsSwitchedOffSpringAiHasItsOwn() {
    for (ApplicationContextRunner other :
        List.of(
            context.withPropertyValues("clew.spring-ai.enabled=false"),
            context.withUserConfiguration(OwnStore.class, AnotherStore.class),
            withoutStore,
            context.withClassLoader(new FilteredClassLoader(ClewChatMemory.class)))) {
      other.run(
          app -> {
            assertThat(app).hasNotFailed();
            assertThat(app).getBean(ChatMemory.class).isInstanceOf(MessageWindowChatMemory.class);
          });
    }
  }

  @Test
  void anApplicationWithoutSpringAiStarts() {
    new ApplicationContextRunner()
        .withPropertyValues("clew.url=memory:")
        .withConfiguration(
            AutoConfigurations.of(ClewAutoConfiguration.class, ClewSpringAiAutoConfiguration.class))
        .withClassLoader(new FilteredClassLoader("org.springframework.ai"))
        .run(
            app ->
                assertThat(app)
                    .hasSingleBean(SessionStore.class)
                    .doesNotHaveBean(ClewSpringAiProperties.class));
  }

  @Test
  void aBadPropertyFailsTheStartWithASentence() {
    context
        .withPropertyValues("clew.spring-ai.turns=0")
        .run(
            app ->
                assertThat(app)
                    .getFailure()
                    .hasRootCauseMessage(
                        "the property 'clew.spring-ai.turns' must be at least 1, not 0")
                    .hasStackTraceContaining(ConfigurationPropertiesBindException.class.getName()));
    context
        .withPropertyValues("clew.spring-ai.items=5", "clew.spring-ai.tokens=500")
        .run(
            app ->
                assertThat(app)
                    .getFailure()
                    .hasRootCauseMessage(
                        "only one of the properties 'clew.spring-ai.items' and"
                            + " 'clew.spring-ai.tokens' can be set"));
    context
        .withPropertyValues("clew.spring-ai.turn-lease=0s")
        .run(
            app ->
                assertThat(app)
                    .getFailure()
                    .hasRootCauseMessage(
                        "the property 'clew.spring-ai.turn-lease' must be at least 1ms, not 0ms;"
                            + " leave it out for no lease"));
  }

  private static boolean turnIsFree(SessionStore store) {
    return store
        .leases()
        .tryAcquire(SessionKey.of("trip"), "turn", "another", Duration.ofSeconds(30))
        .isPresent();
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnMemory {
    @Bean
    ChatMemory mine(ChatMemoryRepository repository) {
      return MessageWindowChatMemory.builder().chatMemoryRepository(repository).build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnRepository {
    @Bean
    ChatMemoryRepository mine() {
      return new InMemoryChatMemoryRepository();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnEstimator {
    @Bean
    TokenCountEstimator nothingCounts() {
      return new TokenCountEstimator() {
        @Override
        public int estimate(String text) {
          return 0;
        }

        @Override
        public int estimate(MediaContent content) {
          return 0;
        }

        @Override
        public int estimate(Iterable<MediaContent> messages) {
          return 0;
        }
      };
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnStore {
    @Bean
    SessionStore one() {
      return MemoryStore.builder().build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class AnotherStore {
    @Bean
    SessionStore two() {
      return MemoryStore.builder().build();
    }
  }
}
