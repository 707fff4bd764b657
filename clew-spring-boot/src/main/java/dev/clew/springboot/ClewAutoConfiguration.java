package dev.clew.springboot;

import dev.clew.ClewException;
import dev.clew.Opening;
import dev.clew.SessionStore;
import dev.clew.Stores;
import java.util.Locale;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * The store of {@code clew.url}, unless the application has a {@link SessionStore} of its own. It
 * is closed with the application. What builds on a store is configured after this class.
 */
@AutoConfiguration
@EnableConfigurationProperties(ClewProperties.class)
public final class ClewAutoConfiguration {

  @Bean
  @ConditionalOnProperty("clew.url")
  @ConditionalOnMissingBean
  SessionStore sessionStore(
      ClewProperties properties,
      ObjectProvider<StoreDecorator> decorators,
      ObjectProvider<StoreObservation> observation) {
    String url = Objects.requireNonNull(properties.url());
    SessionStore store = open(url, properties.create() ? Opening.CREATE : Opening.WRITE);
    for (StoreDecorator decorator : decorators.orderedStream().toList()) {
      store = decorator.decorate(store);
    }
    StoreObservation observed = observation.getIfAvailable();
    return observed == null ? store : observed.of(store, kind(url));
  }

  private static SessionStore open(String url, Opening opening) {
    try {
      return Stores.open(url, opening);
    } catch (IllegalArgumentException | ClewException e) {
      throw new StoreOpeningException(e);
    }
  }

  private static String kind(String url) {
    return url.substring(0, url.indexOf(':')).toLowerCase(Locale.ROOT);
  }
}
