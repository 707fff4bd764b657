package dev.clew.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.clew.ClewException;
import dev.clew.Commit;
import dev.clew.Item;
import dev.clew.SessionKey;
import dev.clew.SessionStore;
import dev.clew.StoredSession;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ClewObservationAutoConfigurationTest {
  @TempDir Path folder;

  private final List<Observation.Context> stopped = new CopyOnWriteArrayList<>();
  private final ObservationRegistry registry = ObservationRegistry.create();

  private ApplicationContextRunner context() {
    registry.observationConfig().observationHandler(new Stopped(stopped));
    return new ApplicationContextRunner()
        .withPropertyValues("clew.url=sqlite:" + folder.resolve("chat.db"))
        .withConfiguration(
            AutoConfigurations.of(
                ClewAutoConfiguration.class, ClewObservationAutoConfiguration.class));
  }

  private ApplicationContextRunner observed() {
    return context().withBean(ObservationRegistry.class, () -> registry);
  }

  @Test
  void callsAreObservedByOperationAndKindOfStore_andNeverById() {
    observed()
        .run(
            app -> {
              StoredSession session =
                  app.getBean(SessionStore.class).session(new SessionKey("ada", "trip"));
              session.addItems(List.of(Item.user("hello")));
              session.getItems();
            });
    assertThat(stopped).isNotEmpty();
    assertThat(stopped)
        .allSatisfy(
            context -> {
              assertThat(context.getName()).isEqualTo("clew.store");
              assertThat(context.getLowCardinalityKeyValues().stream().map(KeyValue::getKey))
                  .containsExactlyInAnyOrder("operation", "store");
              assertThat(context.getHighCardinalityKeyValues()).isEmpty();
              assertThat(context.getLowCardinalityKeyValue("store").getValue()).isEqualTo("sqlite");
              assertThat(context.toString()).doesNotContain("ada", "trip", "hello");
            });
    assertThat(operations()).contains("apply", "items");
  }

  @Test
  void aFailureIsPartOfTheObservation() {
    observed()
        .run(
            app -> {
              StoredSession session = app.getBean(SessionStore.class).session("s");
              assertThatThrownBy(
                      () ->
                          session.commit(
                              Commit.append(List.of(Item.user("hello"))).expectExisting()))
                  .isInstanceOf(ClewException.class);
            });
    assertThat(stopped.get(stopped.size() - 1).getError()).isInstanceOf(ClewException.class);
  }

  @Test
  void aCommitThatBlocksNoThreadIsObservedWhenItIsDone() {
    observed()
        .run(
            app -> {
              StoredSession session = app.getBean(SessionStore.class).session("s");
              session.commitAsync(Commit.append(List.of(Item.user("hello")))).join();
              assertThatThrownBy(
                      () ->
                          session
                              .commitAsync(
                                  Commit.append(List.of(Item.user("again"))).expectVersion(99))
                              .join())
                  .hasCauseInstanceOf(ClewException.class);
            });
    List<Observation.Context> commits =
        stopped.stream()
            .filter(each -> each.getLowCardinalityKeyValue("operation").getValue().equals("apply"))
            .toList();
    assertThat(commits).hasSize(2);
    assertThat(commits.get(0).getError()).isNull();
    assertThat(commits.get(1).getError()).isInstanceOf(ClewException.class);
  }

  @Test
  void withoutARegistryTheStoreIsAsItIs() {
    context()
        .run(
            app ->
                assertThat(app)
                    .hasSingleBean(SessionStore.class)
                    .doesNotHaveBean("storeObservation"));
  }

  @Test
  void anApplicationWithoutMicrometerStarts() {
    context()
        .withClassLoader(new FilteredClassLoader("io.micrometer"))
        .run(app -> assertThat(app).hasNotFailed().hasSingleBean(SessionStore.class));
  }

  private List<String> operations() {
    return stopped.stream()
        .map(context -> context.getLowCardinalityKeyValue("operation").getValue())
        .toList();
  }

  private record Stopped(List<Observation.Context> contexts)
      implements ObservationHandler<Observation.Context> {
    @Override
    public void onStop(Observation.Context context) {
      contexts.add(context);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
      return true;
    }
  }
}
