package dev.clew.springboot;

import dev.clew.SessionStore;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Health of every store of the application, also of one that it opened itself. Needs the module
 * {@code spring-boot-health} of Spring Boot 4.
 */
@AutoConfiguration(after = ClewAutoConfiguration.class)
@ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(SessionStore.class)
public final class ClewHealthAutoConfiguration {

  /** A class of its own, because its condition is a class of the optional module. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnEnabledHealthIndicator("clew")
  static class Stores {
    @Bean
    @ConditionalOnMissingBean(name = {"clewHealthIndicator", "clewHealthContributor"})
    HealthContributor clewHealthContributor(Map<String, SessionStore> stores) {
      return stores.size() == 1
          ? new StoreHealth(stores.values().iterator().next())
          : CompositeHealthContributor.fromMap(stores, StoreHealth::new);
    }
  }

  private static final class StoreHealth extends AbstractHealthIndicator {
    private final SessionStore store;

    StoreHealth(SessionStore store) {
      super("the store of Clew cannot be reached");
      this.store = store;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
      store.ping();
      builder.up();
    }
  }
}
