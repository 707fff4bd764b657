package dev.clew.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.clew.Item;
import dev.clew.MemorySession;
import dev.clew.SessionSettings;
import dev.clew.Window;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each change of a config is a copy, and a copy has everything. */
class RunConfigTest {
  /** A value other than the default for every setting. */
  private static final Map<String, Object> VALUES = new LinkedHashMap<>();

  static {
    VALUES.put("session", new MemorySession());
    VALUES.put("window", Window.all());
    VALUES.put("sessionSettings", SessionSettings.limit(7));
    VALUES.put("sessionInputCallback", (BinaryOperator<List<Item>>) (history, fresh) -> fresh);
    VALUES.put("modelInputFilter", (UnaryOperator<ModelRequest>) request -> request);
    VALUES.put("maxTurns", 3);
    VALUES.put("conversationId", "conv_1");
    VALUES.put("previousResponseId", "resp_1");
    VALUES.put("operationId", "om_1");
    VALUES.put("attachment", List.of("attached"));
    VALUES.put("listener", (Consumer<RunEvent>) event -> {});
    VALUES.put("whenTurnBegins", (Runnable) () -> {});
    VALUES.put("turnWait", Duration.ofMillis(5));
    VALUES.put("leaseLife", Duration.ofSeconds(2));
    VALUES.put("model", "gpt-test");
    VALUES.put("notes", Map.of("model", "gpt-test"));
    VALUES.put("modelSettings", ModelSettings.DEFAULT.store(false));
  }

  /** What belongs to the history of a run. */
  private static final Set<String> OF_THE_HISTORY =
      Set.of(
          "session",
          "window",
          "sessionSettings",
          "sessionInputCallback",
          "conversationId",
          "previousResponseId",
          "operationId",
          "whenTurnBegins");

  private static Map<String, Object> settings(RunConfig config) {
    Map<String, Object> settings = new LinkedHashMap<>();
    for (Field field : RunConfig.class.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
        try {
          field.setAccessible(true);
          settings.put(field.getName(), field.get(config));
        } catch (IllegalAccessException e) {
          throw new AssertionError(e);
        }
      }
    }
    return settings;
  }

  private static RunConfig with(RunConfig config, String setting, Object value) {
    Method method =
        Arrays.stream(RunConfig.class.getMethods())
            .filter(each -> each.getName().equals(setting) && each.getParameterCount() == 1)
            .findFirst()
            .orElseThrow(() -> new AssertionError("RunConfig has no setting " + setting));
    try {
      return (RunConfig) method.invoke(config, value);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(setting, e);
    }
  }

  private static RunConfig everything() {
    RunConfig config = RunConfig.DEFAULT;
    for (Map.Entry<String, Object> setting : VALUES.entrySet()) {
      config = with(config, setting.getKey(), setting.getValue());
    }
    return config;
  }

  @Test
  void thisTestKnowsEverySetting() {
    Set<String> methods =
        Arrays.stream(RunConfig.class.getMethods())
            .filter(method -> method.getReturnType() == RunConfig.class)
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(VALUES.keySet()).containsExactlyInAnyOrderElementsOf(methods);
    assertThat(settings(RunConfig.DEFAULT).keySet()).containsExactlyInAnyOrderElementsOf(methods);
    assertThat(settings(RunConfig.DEFAULT))
        .allSatisfy((name, value) -> assertThat(value).isNotEqualTo(VALUES.get(name)));
  }

  @Test
  void everySettingSurvivesTheChangeOfAnother() {
    RunConfig all = everything();
    Map<String, Object> defaults = settings(RunConfig.DEFAULT);

    assertThat(settings(all)).isEqualTo(VALUES);
    VALUES.forEach(
        (name, value) -> {
          assertThat(settings(with(all, name, value))).isEqualTo(VALUES);
          Map<String, Object> one = new LinkedHashMap<>(defaults);
          one.put(name, value);
          assertThat(settings(with(RunConfig.DEFAULT, name, value))).isEqualTo(one);
        });
    assertThat(settings(RunConfig.DEFAULT)).isEqualTo(defaults);
  }

  @Test
  void aRunApartHasEverythingButTheHistory() {
    Map<String, Object> expected = new LinkedHashMap<>(VALUES);
    OF_THE_HISTORY.forEach(name -> expected.put(name, null));
    assertThat(settings(everything().withoutHistory())).isEqualTo(expected);
  }

  @Test
  void aTextIsRunWithAConfig() {
    MemorySession session = new MemorySession();
    RunConfig config = RunConfig.DEFAULT.session(session);
    Agent agent = Agent.builder().name("a").build();
    Script model = new Script().says("one").says("two");
    assertThat(Runner.with(model).run(agent, "first", config).finalOutput()).isEqualTo("one");
    try (RunStream stream = Runner.with(model).runStreamed(agent, "second", config)) {
      assertThat(stream.result().finalOutput()).isEqualTo("two");
    }
    assertThat(session.getItems()).hasSize(4).startsWith(Item.user("first"));
  }
}
