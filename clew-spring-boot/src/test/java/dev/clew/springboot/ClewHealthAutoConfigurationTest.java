package dev.clew.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.SessionStore;
import dev.clew.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class ClewHealthAutoConfigurationTest {
  private final ApplicationContextRunner context =
      new ApplicationContextRunner()
          .withPropertyValues("clew.url=memory:")
          .withConfiguration(
              AutoConfigurations.of(
                  ClewAutoConfiguration.class, ClewHealthAutoConfiguration.class));

  @Test
  void aStoreThatAnswersIsUp_andAClosedOneDown() {
    context.run(
        app -> {
          HealthIndicator health = app.getBean("clewHealthContributor", HealthIndicator.class);
          assertThat(health.health().getStatus()).isEqualTo(Status.UP);
          app.getBean(SessionStore.class).close();
          assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
        });
  }

  @Test
  void eachOfTwoStoresOfTheApplicationHasItsOwn() {
    context
        .withUserConfiguration(TwoStores.class)
        .run(
            app ->
                assertThat(
                        app
                            .getBean("clewHealthContributor", CompositeHealthContributor.class)
                            .stream()
                            .map(HealthContributors.Entry::name))
                    .containsExactlyInAnyOrder("one", "two"));
  }

  @Test
  void itCanBeSwitchedOff() {
    context
        .withPropertyValues("management.health.clew.enabled=false")
        .run(app -> assertThat(app).hasNotFailed().doesNotHaveBean(HealthContributor.class));
  }

  @Test
  void withoutAStoreThereIsNone() {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(ClewAutoConfiguration.class, ClewHealthAutoConfiguration.class))
        .run(app -> assertThat(app).hasNotFailed().doesNotHaveBean(HealthContributor.class));
  }

  @Test
  void anApplicationWithoutHealthStarts() {
    context
        .withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
        .run(app -> assertThat(app).hasNotFailed().hasSingleBean(SessionStore.class));
  }

  @Configuration(proxyBeanMethods = false)
  static class TwoStores {
    @Bean
    SessionStore one() {
      return MemoryStore.builder().build();
    }

    @Bean
    SessionStore two() {
      return MemoryStore.builder().build();
    }
  }
}
