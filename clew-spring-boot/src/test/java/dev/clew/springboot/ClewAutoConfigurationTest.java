package dev.clew.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.decorate.RetryingStore;
import dev.clew.memory.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.support.SpringFactoriesLoader;

class ClewAutoConfigurationTest {
  @TempDir Path folder;

  private final ApplicationContextRunner context =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  ClewAutoConfiguration.class,
                  ClewHealthAutoConfiguration.class,
                  ClewObservationAutoConfiguration.class));

  @Test
  void aUrlGivesAStoreThatKeepsItemsAcrossStarts() {
    String url = "clew.url=sqlite:" + folder.resolve("chat.db");
    context
        .withPropertyValues(url)
        .run(
            app ->
                app.getBean(SessionStore.class).session("s").addItems(List.of(Item.user("hello"))));
    context
        .withPropertyValues(url)
        .run(app -> assertThat(app.getBean(SessionStore.class).session("s").getItems()).hasSize(1));
  }

  @Test
  void theStoreIsClosedWithTheApplication() {
    SessionStore[] store = new SessionStore[1];
    context
        .withPropertyValues("clew.url=memory:")
        .run(app -> store[0] = app.getBean(SessionStore.class));
    assertThatThrownBy(() -> store[0].session("s").getItems())
        .isInstanceOf(ClewException.Closed.class);
  }

  @Test
  void withoutAUrlThereIsNoStore_andTheErrorOfTheOneWhoWantsItSaysHow() {
    context.run(
        app -> {
          assertThat(app).hasNotFailed().doesNotHaveBean(SessionStore.class);
          assertThatThrownBy(() -> app.getBean(SessionStore.class))
              .isInstanceOf(NoSuchBeanDefinitionException.class);
        });
  }

  @Test
  void aStoreOfTheApplicationIsTheOnlyOne() {
    context
        .withUserConfiguration(OwnStore.class)
        .withPropertyValues("clew.url=sqlite:" + folder.resolve("chat.db"))
        .run(app -> assertThat(app).getBean(SessionStore.class).isInstanceOf(MemoryStore.class));
    assertThat(folder.resolve("chat.db")).doesNotExist();
  }

  @Test
  void decoratorsWrapTheStore() {
    context
        .withUserConfiguration(Retries.class)
        .withPropertyValues("clew.url=memory:")
        .run(app -> assertThat(app).getBean(SessionStore.class).isInstanceOf(RetryingStore.class));
  }

  @Test
  void aBadUrlFailsTheStartWithASentence() {
    context
        .withPropertyValues("clew.url=sqlit:chat.db")
        .run(
            app -> {
              FailureAnalysis analysis = analysis(app.getStartupFailure());
              assertThat(analysis.getDescription())
                  .startsWith(
                      "The store of the property 'clew.url' cannot be opened:"
                          + " no store for 'sqlit:chat.db'; there are stores for ");
              assertThat(analysis.getAction()).isEqualTo("Correct the property 'clew.url'.");
            });
  }

  @Test
  void aUrlOfAModuleThatIsMissingFailsTheStartAndNamesIt() {
    context
        .withPropertyValues("clew.url=redis://127.0.0.1")
        .run(
            app -> {
              FailureAnalysis analysis = analysis(app.getStartupFailure());
              assertThat(analysis.getDescription()).contains("add the module dev.clew:clew-redis");
              assertThat(analysis.getAction())
                  .startsWith("Add the dependency 'dev.clew:clew-redis'");
            });
  }

  @Test
  void aStoreThatMustExistIsNotCreated() {
    Path file = folder.resolve("chat.db");
    context
        .withPropertyValues("clew.url=sqlite:" + file, "clew.create=false")
        .run(
            app ->
                assertThat(analysis(app.getStartupFailure()).getAction())
                    .contains("'clew.create' to true"));
    assertThat(file).doesNotExist();
  }

  @Test
  void aFileThatIsNoStoreFailsTheStart() throws Exception {
    Path file = Files.writeString(folder.resolve("chat.db"), "not a database, but long enough");
    context
        .withPropertyValues("clew.url=sqlite:" + file)
        .run(
            app ->
                assertThat(analysis(app.getStartupFailure()).getDescription()).contains("chat.db"));
  }

  /** By the analyzers that Spring Boot finds itself. */
  private static FailureAnalysis analysis(Throwable failure) {
    return SpringFactoriesLoader.forDefaultResourceLocation()
        .load(FailureAnalyzer.class, (type, name, problem) -> {})
        .stream()
        .filter(StoreFailureAnalyzer.class::isInstance)
        .map(analyzer -> analyzer.analyze(failure))
        .findFirst()
        .orElseThrow();
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnStore {
    @Bean
    MemoryStore mine() {
      return MemoryStore.builder().build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Retries {
    @Bean
    StoreDecorator retries() {
      return RetryingStore::new;
    }
  }
}
