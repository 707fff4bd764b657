package sample;

import dev.clew.Item;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.context.annotation.Bean;

/** Adds an item each time it is started, and says what Spring Boot knows of the store. */
@SpringBootApplication
public class SampleBoot {
  public static void main(String[] args) {
    SpringApplication.run(SampleBoot.class, args).close();
  }

  @Bean
  CommandLineRunner sample(
      SessionStore store, HealthContributorRegistry health, MeterRegistry meters) {
    return args -> {
      StoredSession session = store.session("user_123");
      System.out.println("items before: " + session.getItems().size());
      session.addItems(List.of(Item.user("Hello")));
      HealthIndicator clew = (HealthIndicator) health.getContributor("clew");
      System.out.println("health: " + clew.health().getStatus());
      System.out.println(
          "commits: " + meters.get("clew.store").tag("operation", "apply").timer().count());
    };
  }
}
